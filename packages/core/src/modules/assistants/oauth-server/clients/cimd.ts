import { z } from 'zod'
import { type App, appName, httpsHosts } from './app.ts'
import { isUsableRedirect, type RedirectOptions } from './redirect-uri.ts'

const MAX_REDIRECTS = 100
const MAX_KEYS = 20

/** The members of a document that are read (RFC 7591, 2). Logos and other addresses are neither fetched nor shown. */
const document = z.looseObject({
  client_id: z.string(),
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string().max(4_000)).min(1).max(MAX_REDIRECTS),
  token_endpoint_auth_method: z.string().optional(),
  jwks_uri: z.string().optional(),
  jwks: z.looseObject({ keys: z.array(z.record(z.string(), z.unknown())).max(MAX_KEYS) }).optional(),
})

/** Why a document does not describe an app, as one English sentence. */
export interface RefusedDocument {
  readonly refused: string
}

/** Members that promise a shared secret, which an app cannot have with a public document. */
const hasSecret = (value: object): boolean => Object.keys(value).some((name) => name.startsWith('client_secret'))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads the document of a `client_id` (draft-ietf-oauth-client-id-metadata-document, section 4). Redirect URIs that no app may use are
 * left out.
 */
export function readDocument(clientId: string, text: string, options: RedirectOptions): App | RefusedDocument {
  const { data } = document.safeParse(parseJson(text))
  if (!data) return { refused: 'The document is not a JSON object with client_id and redirect_uris' }
  if (data.client_id !== clientId) return { refused: 'The client_id in the document is another one' }
  if (hasSecret(data)) return { refused: 'The document names a client secret' }
  const method = data.token_endpoint_auth_method ?? 'none'
  if (method !== 'none' && method !== 'private_key_jwt')
    return { refused: 'The token_endpoint_auth_method must be none or private_key_jwt' }
  const redirectUris = data.redirect_uris.filter((uri) => isUsableRedirect(uri, options))
  if (redirectUris.length === 0) return { refused: 'The document lists no redirect URI that this service permits' }
  const keys = method === 'private_key_jwt' ? keysOf(data.jwks_uri, data.jwks) : {}
  if (!keys) return { refused: 'The document needs either jwks_uri, as an https address, or jwks' }
  const { host } = new URL(clientId)
  return {
    kind: 'cimd',
    clientId,
    name: appName(data.client_name ?? '') || host,
    host,
    verified: true,
    redirectUris,
    authentication: method,
    listedHosts: httpsHosts(redirectUris),
    ...keys,
  }
}

function keysOf(jwksUri: string | undefined, jwks: App['jwks']): Pick<App, 'jwks' | 'jwksUri'> | undefined {
  if (jwksUri !== undefined) return /^https:\/\/[\x21-\x7e]{1,2000}$/.test(jwksUri) ? { jwksUri } : undefined
  return jwks && { jwks }
}

const MIN_FRESH_SECONDS = 300
const MAX_FRESH_SECONDS = 86_400
const DEFAULT_FRESH_SECONDS = 3_600

/** How long a document is used before it is fetched again: as long as `Cache-Control` states, between 5 minutes and 24 hours. Default: an hour. */
export function freshMsOf(cacheControl: string): number {
  const text = cacheControl.toLowerCase()
  const seconds = /(?:^|[\s,])max-age="?(\d{1,9})/.exec(text)?.[1]
  const isUncacheable = /\bno-(?:store|cache)\b/.test(text)
  const wanted = isUncacheable ? MIN_FRESH_SECONDS : seconds === undefined ? DEFAULT_FRESH_SECONDS : Number(seconds)
  return Math.min(Math.max(wanted, MIN_FRESH_SECONDS), MAX_FRESH_SECONDS) * 1_000
}

/** Whether a media type is that of JSON. */
export const isJsonType = (contentType: string): boolean =>
  /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/.test(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
