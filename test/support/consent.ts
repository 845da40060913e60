import { createHash, randomBytes } from 'node:crypto'
import type { Requests } from './client.ts'
import { hiddenFieldsOf, type openBrowser } from './pages.ts'

/** An app that the operator configured. */
export const LOOM = {
  id: 'loom',
  name: 'Loom',
  redirectUris: ['https://loom.example/back', 'http://127.0.0.1/back'],
} as const

export const BACK = 'https://loom.example/back'

/** A code verifier (RFC 7636) and its challenge. */
export function newVerifier() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const { verifier: VERIFIER, challenge: CHALLENGE } = newVerifier()

/** The parameters of an authorization request of the configured app. */
export const REQUEST = {
  response_type: 'code',
  client_id: LOOM.id,
  redirect_uri: BACK,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  state: 'the state',
  scope: 'read:profiles read:content',
} as const

/** The address of an authorization request. An undefined parameter is left out. */
export function authorizePath(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = Object.entries({ ...REQUEST, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return `/oauth/authorize?${new URLSearchParams(parameters)}`
}

/** Registers an app, and returns its id. */
export async function registerApp(app: Requests, name: string, redirectUris: readonly string[]): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/oauth/register',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ client_name: name, redirect_uris: redirectUris }),
  })
  if (response.statusCode !== 201) throw new Error(`not registered: ${response.body}`)
  return response.json().client_id
}

type Tab = ReturnType<typeof openBrowser>
type Sent = Awaited<ReturnType<Tab['open']>>

/** What the form of a consent page sends, with several boxes of one name. */
export function sendConsent(
  tab: Tab,
  app: Requests,
  page: Sent,
  {
    scopes = ['read:profiles', 'read:content'],
    path = '/oauth/authorize',
    headers = {},
    ...fields
  }: {
    readonly scopes?: readonly string[]
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
  } & Readonly<Record<string, unknown>> = {},
) {
  const texts = { ...hiddenFieldsOf(page), profile: 'all', decision: 'allow', ...fields } as Record<string, string>
  const form = new URLSearchParams([
    ...Object.entries(texts),
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ])
  return app.inject({
    method: 'POST',
    url: path,
    cookies: tab.jar,
    headers: {
      accept: 'text/html',
      origin: 'https://profiles.example',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: form.toString(),
  })
}

/** The parameters in the address that a response leads to. */
export const answerOf = ({ headers }: Sent): Record<string, string> =>
  Object.fromEntries(new URL(String(headers.location)).searchParams)

/** Redeems a code, as the configured app or another. */
export const redeem = (app: Requests, code: string, changes: Readonly<Record<string, string>> = {}) =>
  app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: LOOM.id,
      redirect_uri: BACK,
      code_verifier: VERIFIER,
      ...changes,
    }).toString(),
  })

/** Connects the configured app to the account of a browser, and returns its tokens. */
export async function connect(
  app: Requests,
  tab: Tab,
  changes: Readonly<Record<string, string | undefined>> = {},
  chosen: Parameters<typeof sendConsent>[3] = {},
): Promise<{ readonly access_token: string; readonly refresh_token: string; readonly scope: string }> {
  const page = await tab.open(authorizePath(changes))
  const allowed = await sendConsent(tab, app, page, chosen)
  const { code = '' } = allowed.headers.location === undefined ? {} : answerOf(allowed)
  const { client_id = LOOM.id, redirect_uri = BACK } = changes
  const tokens = await redeem(app, code, { client_id, redirect_uri })
  if (tokens.statusCode !== 200) throw new Error(`not connected: ${allowed.body} ${tokens.body}`)
  return tokens.json()
}
