import type { IncomingHttpHeaders } from 'node:http'

/** A user of the host who is signed in there. */
export interface HostUser {
  /** The host's id of the user; never changes. */
  readonly externalId: string
  readonly email: string
  readonly emailVerified: boolean
  readonly isAdmin?: boolean | undefined
  readonly fullName?: string | undefined
}

/** The host's own sessions. */
export interface IdentityProvider {
  /** The user of a request; `undefined` for an anonymous visitor. */
  authenticate(request: { readonly headers: IncomingHttpHeaders }): Promise<HostUser | undefined>
}
