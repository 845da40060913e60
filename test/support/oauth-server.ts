import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import type { PostgresStorage } from '@eep/adapters-postgres'
import type { Person } from './accounts.ts'
import { PUBLIC_URL } from './app.ts'
import { client, type Headers, type Requests, type Response } from './client.ts'

/** A service whose storage the test writes to. */
interface Stored {
  readonly storage: Pick<PostgresStorage, 'transaction'>
}

export const VERIFIER = 'a-code-verifier-of-forty-three-characters-or-more'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const REDIRECT = 'http://127.0.0.1:3999/callback'
export const BASIC_SCOPES = ['read:profiles', 'read:content', 'read:files', 'read:feed']

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new credential as the service makes them: the prefix, 43 random characters and a checksum of both. */
export function credentialText(prefix: string): string {
  const secret = Array.from(randomBytes(43), (byte) => DIGITS.charAt(byte % 62)).join('')
  let checksum = ''
  for (let rest = crc32(prefix + secret); checksum.length < 6; rest = Math.floor(rest / 62))
    checksum = DIGITS.charAt(rest % 62) + checksum
  return prefix + secret + checksum
}

/** Sends a form of the protocol. Several values of a name are sent as several parameters. */
export function sendForm(
  app: Requests,
  path: string,
  parameters: Readonly<Record<string, string | readonly string[] | undefined>>,
  headers: Headers = {},
): Promise<Response> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value ?? []].flat()) form.append(name, each)
  }
  return client(app).post(path, form.toString(), { 'content-type': 'application/x-www-form-urlencoded', ...headers })
}

/** Registers an app, as MCP clients do. Returns its id. */
export async function registerApp(app: Requests, more: object = {}): Promise<string> {
  const response = await client(app).post('/oauth/register', {
    client_name: 'Test assistant',
    redirect_uris: [REDIRECT],
    ...more,
  })
  if (response.statusCode !== 201) throw new Error(`The app was not registered: ${response.body}`)
  return response.json<{ client_id: string }>().client_id
}

/** What a person allows in {@link allow}. */
export interface Allowed {
  readonly clientId: string
  readonly kind?: 'cimd' | 'registered' | 'configured'
  readonly redirectUri?: string
  readonly scopes?: readonly string[]
  readonly resources?: readonly string[]
  readonly profileId?: number
  readonly sessionId?: string | null
  readonly challenge?: string
  readonly seconds?: number
  /** The name of the app. Default: `Test assistant`. */
  readonly name?: string
  /** The host that vouches for the app. Default: none, or that of a document. */
  readonly host?: string
  readonly maySpend?: boolean
}

/** The grant of a person, as the consent page makes it. */
export const grantOf = (person: Pick<Person, 'account'>, allowed: Allowed) => ({
  app: {
    kind: allowed.kind ?? ('registered' as const),
    clientId: allowed.clientId,
    name: allowed.name ?? 'Test assistant',
    host: allowed.host ?? (allowed.kind === 'cimd' ? new URL(allowed.clientId).host : null),
    verified: allowed.kind !== undefined && allowed.kind !== 'registered',
    redirectHost: new URL(allowed.redirectUri ?? REDIRECT).host,
  },
  accountId: person.account.id,
  sessionId: allowed.sessionId ?? null,
  scopes: allowed.scopes ?? BASIC_SCOPES,
  reach: allowed.profileId === undefined ? ('all' as const) : ('one' as const),
  profileId: allowed.profileId ?? null,
  maySpend: allowed.maySpend ?? false,
  spender: 'unverified',
  spending: null,
  resources: allowed.resources ?? [PUBLIC_URL],
  idleSeconds: 5_184_000,
  expiresAt: new Date(Date.now() + 31_536_000_000),
})

/** Stores the decision of a person to allow an app, without the consent page. Returns the code. */
export async function allow({ storage }: Stored, person: Pick<Person, 'account'>, allowed: Allowed): Promise<string> {
  const code = credentialText('eepc_')
  await storage.transaction((tx) =>
    tx.connectedApps.decide({
      requestId: randomUUID(),
      accountId: person.account.id,
      decidedAt: new Date(),
      code: {
        hash: createHash('sha256').update(code).digest('hex'),
        redirectUri: allowed.redirectUri ?? REDIRECT,
        challenge: allowed.challenge ?? CHALLENGE,
        grant: grantOf(person, allowed),
        expiresAt: new Date(Date.now() + (allowed.seconds ?? 60) * 1_000),
      },
    }),
  )
  return code
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

/** Redeems a code. */
export const redeem = (
  app: Requests,
  { code, ...more }: { readonly code: string; readonly [name: string]: string | readonly string[] | undefined },
) =>
  sendForm(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...more,
  })

/** Refreshes tokens. */
export const refresh = (
  app: Requests,
  refreshToken: string,
  more: Readonly<Record<string, string | readonly string[] | undefined>> = {},
) => sendForm(app, '/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...more })

/** The tokens of a person who connected a registered app. */
export async function connect(
  service: Stored & { readonly app: Requests },
  person: Pick<Person, 'account'>,
  allowed: Partial<Allowed> = {},
): Promise<Tokens & { readonly clientId: string }> {
  const clientId = allowed.clientId ?? (await registerApp(service.app))
  const code = await allow(service, person, { ...allowed, clientId })
  const response = await redeem(service.app, {
    code,
    client_id: clientId,
    redirect_uri: allowed.redirectUri ?? REDIRECT,
  })
  if (response.statusCode !== 200) throw new Error(`The code was not redeemed: ${response.body}`)
  return { ...response.json<Tokens>(), clientId }
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** The error of an answer, which is a string in OAuth. */
export const oauthErrorOf = (response: Response) => response.json<{ error: string }>().error

/** A site that serves documents of apps, over plain http on a port of this computer. */
export async function createAppSite() {
  const pages = new Map<string, { body: unknown; status: number; headers: Record<string, string> }>()
  const requests: string[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    requests.push(path)
    const page = pages.get(path)
    response.writeHead(page?.status ?? 404, { 'content-type': 'application/json', ...page?.headers })
    response.end(typeof page?.body === 'string' ? page.body : JSON.stringify(page?.body ?? {}))
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    requests,
    /** The address of a page, as apps write it. */
    at: (path: string) => `https://${host}${path}`,
    serve(path: string, body: unknown, { status = 200, headers = {} } = {}) {
      pages.set(path, { body, status, headers })
    },
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}
