import type { IncomingHttpHeaders } from 'node:http'

/** A signed-in user of the host. */
export interface HostUser {
  /** The host's id of the user; never changes. */
  readonly externalId: string
  /** The email address of the account is updated to it. */
  readonly email: string
  /**
   * Whether the host has verified that the address belongs to the user. Then an account of the service with this address is
   * linked to the user, and taken over if the service had not verified it: its sessions, password, keys and wallets are revoked.
   * Never return true for an address that the user only typed in.
   */
  readonly emailVerified: boolean
  /** Whether the user is an administrator. Default: `auth.adminEmails` and the role of the account decide. */
  readonly isAdmin?: boolean | undefined
  /** The name for the profile of a new account. */
  readonly fullName?: string | undefined
  /**
   * When the person last proved who they are to the host: typed the password, or used a passkey. Report it for every user, as
   * `new Date(0)` where it is not known. To allow an app something it must then be at most ten minutes ago. Default: people who come back
   * from `signInUrl` of `oauthServer()` count as proved, which a stolen session of the host can pretend.
   */
  readonly provedAt?: Date | undefined
}

/** Authenticates requests by the host's own sessions. */
export interface HostAuth {
  /**
   * Returns the user of a request; undefined for anonymous requests. Called for every request without an API key, and again
   * while a stream or a WebSocket is open, so it must look up the session each time.
   *
   * @throws an `EepError` below 500 when the session is not valid: routes that require a caller return it, and public routes treat
   * the request as anonymous; any other error, which becomes a 500
   */
  authenticate(request: { readonly headers: IncomingHttpHeaders }): Promise<HostUser | undefined>
}
