import type { TestApp } from './app.ts'
import { PUBLIC_URL } from './app.ts'
import { client } from './client.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

/** Where a page leads, and its text when it leads nowhere. */
export interface Visit {
  readonly status: number
  readonly location: string
  readonly body: string
}

/** Something that keeps cookies by their paths and goes where it is sent, between the service and other servers. */
export function createBrowser(app: TestApp) {
  let jar: Cookie[] = []

  async function visitService({ pathname, search }: URL): Promise<Visit> {
    const sent = jar.filter(({ path }) => pathname.startsWith(path)).map(({ name, value }) => `${name}=${value}`)
    const headers = sent.length > 0 ? { cookie: sent.join('; ') } : {}
    const response = await client(app).get(`${pathname}${search}`, headers)
    for (const { name, value, path = '/', maxAge } of response.cookies) {
      jar = jar.filter((cookie) => cookie.name !== name || cookie.path !== path)
      if (maxAge !== 0) jar.push({ name, value, path })
    }
    return { status: response.statusCode, location: String(response.headers.location ?? ''), body: response.body }
  }

  async function visit(address: string): Promise<Visit> {
    const url = new URL(address, PUBLIC_URL)
    if (url.origin === PUBLIC_URL) return visitService(url)
    const response = await fetch(url, { redirect: 'manual' })
    const { status, headers } = response
    return { status, location: headers.get('location') ?? '', body: await response.text() }
  }

  /** Goes to a provider and stops in front of the door it is sent back to. */
  async function leave(provider: string, next?: string): Promise<string> {
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
    const begun = await visit(`/auth/oauth/${provider}${query}`)
    if (begun.status !== 302) throw new Error(`no sign-in began: ${begun.status} ${begun.body}`)
    return (await visit(begun.location)).location
  }

  return {
    visit,
    leave,
    /** Signs in with a provider; the path of the frontend it ends at. */
    async signIn(provider: string, next?: string): Promise<string> {
      const { location } = await visit(await leave(provider, next))
      return location.slice(new URL(location).origin.length)
    },
    /** The user who is signed in. Default: none. */
    async me() {
      const { status, body } = await visit('/auth/me')
      return status === 200 ? JSON.parse(body) : undefined
    },
    cookie: (name: string) => jar.find((cookie) => cookie.name === name)?.value,
    /** Takes a cookie in, as if an answer had set it. */
    keep(name: string, value: string, path = '/') {
      jar.push({ name, value, path })
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>
