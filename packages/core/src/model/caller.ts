import type { Account } from './account.ts'

/** The caller of a request. */
export interface Caller {
  readonly account: Account
  /** How the caller was authenticated. */
  readonly via: 'bearer' | 'cookie' | 'key' | 'host'
  /** What an API key may do; sessions may do everything. */
  readonly scopes: readonly string[] | 'all'
  /** Always false for API keys. */
  readonly isAdmin: boolean
  /** The session of this service that the token or cookie belongs to; undefined for API keys and users of a host. */
  readonly sessionId?: string | undefined
  /** Which token of the session it is. A bearer token may have come in the cookie. */
  readonly sessionUse?: 'cookie' | 'bearer' | undefined
  /** When that session ends. */
  readonly sessionExpiresAt?: Date | undefined
  /** The API key of the request. */
  readonly keyId?: number | undefined
  /** The only profile that an API key acts for; undefined for all profiles of its account. */
  readonly profileId?: number | undefined
  /** When the API key expires; undefined for never. */
  readonly expiresAt?: Date | undefined
}
