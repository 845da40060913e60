import type { LightMyRequestResponse } from 'fastify'
import type { Headers, Requests } from './client.ts'

type Jar = Record<string, string>

/** A browser without script: it keeps cookies, asks for HTML and sends forms. */
export function openBrowser(app: Requests, common: Headers = {}) {
  const jar: Jar = {}
  const send = async (method: 'GET' | 'POST', url: string, payload?: string, headers: Headers = {}) => {
    const response = await app.inject({
      method,
      url,
      cookies: jar,
      headers: { accept: 'text/html', ...common, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const { name, value } of response.cookies) jar[name] = value
    return response
  }
  return {
    jar,
    open: (url: string, headers?: Headers) => send('GET', url, undefined, headers),
    submit: (url: string, fields: Record<string, string>, headers: Headers = {}) =>
      send('POST', url, new URLSearchParams(fields).toString(), {
        origin: 'https://profiles.example',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      }),
  }
}

/** Where a response leads. */
export const leadsTo = ({ statusCode, headers }: LightMyRequestResponse) => [statusCode, headers.location]

/** The hidden inputs of the HTML forms, by name. */
export const hiddenFieldsOf = ({ body }: LightMyRequestResponse): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  )

/** The value of an attribute of the input with this name. */
export function inputOf({ body }: LightMyRequestResponse, name: string): string {
  const [input] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(body) ?? []
  if (input === undefined) throw new Error(`no input "${name}" in ${body}`)
  return input
}

/** The markup of a page with its sentences as they are read: without the elements around names and values in them. */
export const sentencesOf = ({ body }: { readonly body: string }): string => body.replaceAll(/<\/?bdi>/g, '')
