/** The pages that emails link to. `?token=` is appended. */
export interface FrontendUrls {
  readonly verifyEmail: string
  readonly resetPassword: string
  readonly changeEmail: string
  readonly undoEmail: string
  readonly undoPayout: string
  readonly acceptInvitation: string
  readonly acceptWorkspaceInvitation: string
  /** The page on which transfers are accepted or rejected. No token is appended. */
  readonly transfers: string
}

/** Pages of the host's frontend that notification emails link to. */
export interface NotificationPages
  extends Pick<FrontendUrls, 'acceptInvitation' | 'acceptWorkspaceInvitation' | 'transfers'> {
  /** The notifications of an account. */
  readonly notifications: string
  /** The plan of an account. */
  readonly plan: string
}

/** Pages of the host's frontend that checkout pages redirect to. */
export interface SubscriptionLinks {
  /** The page for buyers after subscribing. `?checkout_id=` is appended. */
  readonly subscribed: string
  /** The page with prices, for buyers who did not subscribe. */
  readonly pricing: string
  /** The plan of an account, for buyers who changed how they pay. */
  readonly plan: string
}

/** Returns the URL of a page with the secret of an emailed link. */
export function linkWithToken(page: string, secret: string): string {
  const url = new URL(page)
  url.searchParams.set('token', secret)
  return url.href
}
