import type { AppSnapshot } from '../../../../ports/storage/connected-apps.ts'
import { redirectKind } from './redirect-uri.ts'

/** How an app proves itself at the token endpoint. */
export type AppAuthentication = 'none' | 'private_key_jwt' | 'secret'

/** An OAuth client, as its document, its registration or the operator describes it. */
export interface App {
  /** `cimd`: its id is the address of its document. `registered`: described by itself, so its name is a claim. */
  readonly kind: 'cimd' | 'registered' | 'configured'
  readonly clientId: string
  /** Without control and bidirectional characters, at most 60 characters; not escaped. */
  readonly name: string
  /** The host of a CIMD `client_id`, in ASCII. Undefined for other apps. */
  readonly host: string | undefined
  /** Whether the identity of the app is proven: the operator configured it, or it controls the address of its id. */
  readonly verified: boolean
  readonly redirectUris: readonly string[]
  readonly authentication: AppAuthentication
  /** The hosts of the https redirect URIs. */
  readonly listedHosts: readonly string[]
  /** Where its keys are, for `private_key_jwt`. */
  readonly jwksUri?: string | undefined
  /** Its keys, for `private_key_jwt`, when the document has them. */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] } | undefined
  /** SHA-256 of its secret, hex. */
  readonly secretHash?: string | undefined
}

const MAX_NAME = 60

/**
 * A name of an app for people: characters that are invisible or change the direction of text are left out, white space is joined, and at
 * most 60 characters are kept. Empty when nothing is left.
 */
export const appName = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replaceAll(/\s+/gu, ' ')
      .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, ''),
  ]
    .slice(0, MAX_NAME)
    .join('')
    .trim()

/** The hosts of the https addresses among redirect URIs. */
export const httpsHosts = (redirectUris: readonly string[]): readonly string[] => [
  ...new Set(redirectUris.filter((uri) => redirectKind(uri) === 'https').map((uri) => new URL(uri).host)),
]

/**
 * Whether an answer at this address reaches the app that the consent page names: an https address on the host of its id, or on one that
 * its document lists. Local programs can take loopback addresses and private-use schemes.
 */
export function reachesApp({ kind, host, listedHosts }: App, redirectUri: string): boolean {
  if (kind === 'registered' || redirectKind(redirectUri) !== 'https') return false
  const { host: answers } = new URL(redirectUri)
  return kind === 'configured' || answers === host || listedHosts.includes(answers)
}

/**
 * Whether an app may be granted scopes that spend.
 *
 * @param redirectUri - where the answer goes; undefined for the device grant, which has no redirect
 */
export function canSpend(app: App, redirectUri: string | undefined): boolean {
  if (app.kind === 'configured') return true
  if (redirectUri === undefined) return app.authentication === 'private_key_jwt'
  return redirectKind(redirectUri) === 'https'
}

/** An app, as connections and requests of devices keep it. */
export const snapshotOf = (app: App, redirectUri: string | undefined): AppSnapshot => ({
  kind: app.kind,
  clientId: app.clientId,
  name: app.name,
  host: app.host ?? null,
  verified: app.verified,
  redirectHost:
    redirectUri === undefined || redirectKind(redirectUri) === 'private-use' ? null : new URL(redirectUri).host,
})

/** Whose spending an app counts as: its own when it is configured, that of its host on any port, or that of all unverified apps. */
export const spenderOf = ({ kind, clientId, host }: Pick<App, 'kind' | 'clientId' | 'host'>): string =>
  kind === 'configured' ? `app:${clientId}` : kind === 'cimd' ? `host:${host?.replace(/:\d+$/, '')}` : 'unverified'
