import type { Account } from './account.ts'

/** The caller of a request. */
export interface Caller {
  readonly account: Account
  /** How the caller was authenticated; `module` for a credential that a module defines. */
  readonly via: 'bearer' | 'cookie' | 'key' | 'host' | 'module'
  /** What an API key or a credential of a module may do; sessions may do everything. */
  readonly scopes: readonly string[] | 'all'
  /** Always false for API keys and credentials of modules. */
  readonly isAdmin: boolean
  /** The session of this service that the token or cookie belongs to; undefined for API keys and users of a host. */
  readonly sessionId?: string | undefined
  /** Which token of the session it is. A bearer token may have come in the cookie. */
  readonly sessionUse?: 'cookie' | 'bearer' | undefined
  /** When the person last proved, in that session, to be the owner of the account. */
  readonly provedAt?: Date | undefined
  /** When that session ends. */
  readonly sessionExpiresAt?: Date | undefined
  /** The API key of the request. */
  readonly keyId?: number | undefined
  /** The only profile that an API key acts for; undefined for all profiles of its account. */
  readonly profileId?: number | undefined
  /** When the API key expires; undefined for never. */
  readonly expiresAt?: Date | undefined
}

/** Whether a caller may do only what its scopes name: an API key, or a credential of a module that has scopes. */
export const isLimited = ({ scopes }: Pick<Caller, 'scopes'>): boolean => scopes !== 'all'

/** Whether the credential of a caller has a scope. Sessions have all. */
export const hasScope = ({ scopes }: Pick<Caller, 'scopes'>, scope: string): boolean =>
  scopes === 'all' || scopes.includes(scope)

/**
 * Whether a caller has a credential of a module with scopes. It cannot make what has the scopes of an API key, or those of a session
 * without one, because that would not end with the credential.
 */
export const isLimitedWithoutKey = (caller: Pick<Caller, 'scopes' | 'keyId'>): boolean =>
  isLimited(caller) && caller.keyId === undefined
