import type { Account } from './account.ts'

/** What an app may spend in a currency, in millionths of it: 5 dollars are 5,000,000. Days and months are those of UTC. */
export interface AppLimit {
  readonly purchase: number
  readonly day: number
  readonly month: number
  /** For all apps of the account in a month; null for no limit. */
  readonly accountMonth: number | null
}

/** The app that acts for an account, as its owner saw it when they connected it. */
export interface ConnectedApp {
  /** The id of the connection. */
  readonly connectionId: string
  /** The name that the app gives itself, cleaned for display. */
  readonly name: string
  /** The host that vouches for the app, in ASCII; undefined for apps that nothing vouches for. */
  readonly host?: string | undefined
  /** When the token was checked: the connection was live then. */
  readonly checkedAt: Date
  /** Whose spending its payments count as: of a configured app, of a host, or of all unverified apps. */
  readonly spender: string
  /** What it may spend, by currency. It cannot pay in other ones. USDC counts as `usd`. */
  readonly limits: Readonly<Partial<Record<string, AppLimit>>>
  /** Called when a payment would exceed a limit, and was refused. Does not throw. */
  readonly onLimitReached: (reached: { readonly limit: string; readonly currency: string }) => void
}

/** The caller of a request. */
export interface Caller {
  readonly account: Account
  /**
   * How the caller was authenticated: `app` by the token of a connected app, `module` by a credential that a module defines. Only
   * this file compares it: what a caller may do is in its scopes.
   */
  readonly via: 'bearer' | 'cookie' | 'key' | 'app' | 'host' | 'module'
  /** What an API key, a connected app or a credential of a module may do; sessions may do everything. */
  readonly scopes: readonly string[] | 'all'
  /** Always false for API keys, connected apps and credentials of modules. */
  readonly isAdmin: boolean
  /** The session of this service that the token or cookie belongs to; undefined for API keys and users of a host. */
  readonly sessionId?: string | undefined
  /** Which token of the session it is. A bearer token may have come in the cookie. */
  readonly sessionUse?: 'cookie' | 'bearer' | undefined
  /** When the person last proved, in that session, to be the owner of the account; for users of a host, as the host reports it. */
  readonly provedAt?: Date | undefined
  /** When that session ends. */
  readonly sessionExpiresAt?: Date | undefined
  /** The API key of the request. */
  readonly keyId?: number | undefined
  /** The connected app of the request. */
  readonly app?: ConnectedApp | undefined
  /** The only profile that an API key or a connected app acts for; undefined for all profiles of its account. */
  readonly profileId?: number | undefined
  /** When the API key, or the token of a connected app, expires; undefined for never. */
  readonly expiresAt?: Date | undefined
}

/** Whether a caller may do only what its scopes name: an API key, a connected app, or a credential of a module that has scopes. */
export const isLimited = ({ scopes }: Pick<Caller, 'scopes'>): boolean => scopes !== 'all'

/** Whether the credential of a caller has a scope. Sessions have all. */
export const hasScope = ({ scopes }: Pick<Caller, 'scopes'>, scope: string): boolean =>
  scopes === 'all' || scopes.includes(scope)

/**
 * Whether a caller is a connected app, or has a credential of a module with scopes. It cannot make what has the scopes of an API key, or
 * those of a session without one, because that would not end with the credential.
 */
export const isLimitedWithoutKey = (caller: Pick<Caller, 'scopes' | 'keyId'>): boolean =>
  isLimited(caller) && caller.keyId === undefined

/** Whether a caller is an API key. */
export const isKey = ({ via }: Pick<Caller, 'via'>): boolean => via === 'key'

/** Whether a caller is a connected app. */
export const isApp = ({ via }: Pick<Caller, 'via'>): boolean => via === 'app'

/** Whether the requests of a caller count with those of the API keys of its account. */
export const countsAsKey = (caller: Pick<Caller, 'via'>): boolean => isKey(caller) || isApp(caller)

/** Whether a caller is a person in a session of this service. */
export const isInSession = ({ via, scopes, sessionId }: Pick<Caller, 'via' | 'scopes' | 'sessionId'>): boolean =>
  (via === 'cookie' || via === 'bearer') && scopes === 'all' && sessionId !== undefined

/** Whether a browser may send the credential of a caller by itself. */
export const isSentByBrowser = ({ via }: Pick<Caller, 'via'>): boolean => via === 'cookie' || via === 'module'

/** Whether pages are made for a caller: one that a cookie may identify, here or at the host. */
export const hasPages = ({ via }: Pick<Caller, 'via'>): boolean => via === 'cookie' || via === 'host'

/** Whether a host or a module identifies a caller, with each request and without an event when that ends. */
export const isIdentifiedOutside = ({ via }: Pick<Caller, 'via'>): boolean => via === 'host' || via === 'module'

/**
 * What an answer is kept for: all sessions of an account are equivalent, each API key, app and set of scopes is not, because a credential
 * that may do less must not get the answer of another one.
 */
export function credentialOf({ via, keyId, app, scopes }: Pick<Caller, 'via' | 'keyId' | 'app' | 'scopes'>): string {
  if (isKey({ via })) return `key:${keyId}`
  if (app !== undefined) return `app:${app.connectionId}`
  return scopes === 'all' ? 'session' : `scopes:${scopes.toSorted().join(' ')}`
}
