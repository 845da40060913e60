import { sameText, sha256 } from '../../../../kernel/digest.ts'
import type { EepError } from '../../../../kernel/errors.ts'
import { oauthError } from '../oauth-error.ts'
import type { App } from './app.ts'
import { subjectOf, type VerifyAssertion } from './assertion.ts'
import { checkClientId } from './client-id.ts'
import { isBlockedApp, type ResolveClient, type ResolveContext } from './resolve-client.ts'

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const MAX_SECRET = 512

/** The parameters and the header with which an app names and proves itself. */
export interface SentCredentials {
  readonly authorization?: string | undefined
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
  readonly client_assertion?: string | undefined
  readonly client_assertion_type?: string | undefined
}

/** The credentials of a request: the client it claims to be, and one proof. */
export type ClientCredentials = { readonly clientId: string } & (
  | { readonly method: 'none' }
  | { readonly method: 'secret'; readonly secret: string; readonly isBasic: boolean }
  | { readonly method: 'private_key_jwt'; readonly assertion: string }
)

/** A 401 with the challenge of the scheme that the request used (RFC 6749, 5.2). */
export const refusedClient = (description: string, isBasic = false): EepError =>
  oauthError('invalid_client', description, {
    challenges: isBasic ? [{ scheme: 'Basic', parameters: { realm: 'oauth' } }] : [],
  })

/** A part of Basic credentials, which is form-encoded (RFC 6749, 2.3.1). */
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function readBasic(authorization: string): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]{1,4096}={0,2})$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const id = colon < 0 ? undefined : formDecoded(text.slice(0, colon))
  const secret = colon < 0 ? undefined : formDecoded(text.slice(colon + 1))
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/**
 * Reads how an app names and proves itself.
 *
 * @throws `invalid_request` for two proofs, or a proof that belongs to another `client_id`; `invalid_client` without an id
 */
export function readCredentials(sent: SentCredentials): ClientCredentials {
  const { authorization, client_id: id, client_secret: secret, client_assertion: assertion } = sent
  const proofs = [authorization, secret, assertion].filter((proof) => proof !== undefined)
  if (proofs.length > 1) throw oauthError('invalid_request', 'The request proves its client in more than one way')
  if (authorization !== undefined) {
    const basic = readBasic(authorization)
    if (!basic) throw refusedClient('The Authorization header has no readable Basic credentials', true)
    if (id !== undefined && id !== basic.id) throw oauthError('invalid_request', 'The request names two clients')
    return { clientId: basic.id, method: 'secret', secret: basic.secret, isBasic: true }
  }
  if (assertion !== undefined) {
    if (sent.client_assertion_type !== ASSERTION_TYPE)
      throw oauthError('invalid_request', `The client_assertion_type must be ${ASSERTION_TYPE}`)
    const subject = subjectOf(assertion)
    if (subject === undefined) throw refusedClient('The client assertion cannot be read')
    if (id !== undefined && id !== subject) throw oauthError('invalid_request', 'The request names two clients')
    return { clientId: subject, method: 'private_key_jwt', assertion }
  }
  if (id === undefined || id === '') throw refusedClient('The request names no client')
  return secret === undefined
    ? { clientId: id, method: 'none' }
    : { clientId: id, method: 'secret', secret, isBasic: false }
}

/** Whether a secret has a digest. */
export const isSecret = (secret: string, hash: string): boolean =>
  secret.length <= MAX_SECRET && sameText(sha256(secret), hash)

/** An app that proved itself, as far as it can. */
export interface AuthenticatedClient {
  readonly clientId: string
  /** Undefined for a registered app whose id was not opened. */
  readonly app: App | undefined
}

export interface ClientAuthenticationDeps {
  readonly resolveClient: ResolveClient
  readonly verifyAssertion: VerifyAssertion
  readonly blockedHosts: readonly string[]
}

/** Creates the function that authenticates an app at the token endpoint and beside it. */
export function createClientAuthentication(deps: ClientAuthenticationDeps) {
  const { resolveClient, verifyAssertion, blockedHosts } = deps

  async function prove(credentials: ClientCredentials, app: App): Promise<void> {
    const { method } = credentials
    const isBasic = method === 'secret' && credentials.isBasic
    if (method !== app.authentication)
      throw refusedClient(`This app authenticates by ${app.authentication}, not by ${method}`, isBasic)
    if (method === 'private_key_jwt') await verifyAssertion(credentials.assertion, app)
    if (method === 'secret' && !isSecret(credentials.secret, app.secretHash ?? ''))
      throw refusedClient('The client secret is wrong', isBasic)
  }

  /**
   * Authenticates the app of a request by the method of its document or configuration.
   *
   * @param context - who asks, for the limits of fetches
   * @param opens - whether the id of a registered app is opened. What a connection compares with its own id needs no opening
   * @throws `invalid_client`, `invalid_request`; `temporarily_unavailable` above the limits of fetches
   */
  return async (
    credentials: ClientCredentials,
    context: ResolveContext,
    { opens = true }: { readonly opens?: boolean | undefined } = {},
  ): Promise<AuthenticatedClient> => {
    const { clientId } = credentials
    if (!opens && credentials.method === 'none' && checkClientId(clientId) === 'registered')
      return { clientId, app: undefined }
    const app = await resolveClient(clientId, context)
    if (isBlockedApp(app, blockedHosts)) throw refusedClient('This service does not admit this app')
    await prove(credentials, app)
    return { clientId, app }
  }
}

/** Authenticates the app of a request. */
export type AuthenticateClient = ReturnType<typeof createClientAuthentication>
