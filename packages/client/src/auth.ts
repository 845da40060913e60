import type { Authenticate } from './transport.ts'

const withHeader =
  (name: string, value: () => string | Promise<string>): Authenticate =>
  async (request) => {
    request.headers.set(name, await value())
    return request
  }

const readValue = (given: string | (() => string | Promise<string>)) =>
  typeof given === 'string' ? () => given : given

/**
 * Identifies requests by an API key.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/client/README.md
 * @example
 * createClient({ baseUrl, auth: apiKey('eep_…') })
 */
export const apiKey = (key: string): Authenticate => withHeader('x-api-key', () => key)

/**
 * Identifies requests by a token: that of a session, or of a connected app.
 *
 * @param token - the token, or a function that returns the present one, for tokens that are refreshed
 * @see https://github.com/eep-service/eep/blob/main/docs/client/README.md
 * @example
 * createClient({ baseUrl, auth: accessToken(() => session.token) })
 */
export const accessToken = (token: string | (() => string | Promise<string>)): Authenticate =>
  withHeader('authorization', async () => `Bearer ${await readValue(token)()}`)

/**
 * Identifies requests by the cookie of a session, in browsers. The page must be of the service, or of an origin that it trusts: the service refuses
 * changes from other origins with `csrf`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/client/README.md
 * @example
 * createClient({ baseUrl: location.origin, auth: cookieSession() })
 */
export const cookieSession = (): Authenticate => (request) => new Request(request, { credentials: 'include' })

const encoder = new TextEncoder()
const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** An agent that signs its requests. */
export interface AgentKey {
  /** The DID of the agent, whose document has the public key. */
  readonly did: string
  /** An Ed25519 key for signing. */
  readonly privateKey: Parameters<typeof crypto.subtle.sign>[1]
}

/**
 * Identifies requests by the signature of an agent (`EEP-Signature`): of the method, the path, the DID, a nonce and the body. Each attempt is
 * signed with a new nonce.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/agents.md
 * @example
 * createClient({ baseUrl, auth: signedAgent({ did: 'did:web:agents.example', privateKey }) })
 */
export const signedAgent =
  ({ did, privateKey }: AgentKey): Authenticate =>
  async (request) => {
    const { pathname, search } = new URL(request.url)
    const body = await request.clone().arrayBuffer()
    const digest = hex(await crypto.subtle.digest('SHA-256', body))
    const nonce = crypto.randomUUID()
    const input = encoder.encode(`${request.method}\n${pathname}${search}\n${did}\n${nonce}\n${digest}`)
    request.headers.set('eep-agent-did', did)
    request.headers.set('eep-nonce', nonce)
    request.headers.set('eep-signature', base64url(await crypto.subtle.sign('Ed25519', privateKey, input)))
    return request
  }
