import type { CredentialHeaders } from '../../../../ports/payment-rail.ts'

/** The headers of a request, and where its listener has the sold resource. */
export interface ChallengeRequest extends CredentialHeaders {
  /** Returns the path of a URL of the service on the listener of the request. Default: the path of the URL. */
  readonly pathOf?: ((url: string) => string) | undefined
}
