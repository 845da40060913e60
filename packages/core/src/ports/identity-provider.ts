import type { IncomingHttpHeaders } from 'node:http'

/** A signed-in user of the host. */
export interface HostUser {
  /** The host's id of the user; never changes. */
  readonly externalId: string
  readonly email: string
  readonly emailVerified: boolean
  readonly isAdmin?: boolean | undefined
  readonly fullName?: string | undefined
}

/** Authenticates requests by the host's own sessions. */
export interface IdentityProvider {
  /** Returns the user of a request; undefined for anonymous requests. */
  authenticate(request: { readonly headers: IncomingHttpHeaders }): Promise<HostUser | undefined>
}
