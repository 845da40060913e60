/** The pages that emails link to; the token follows as `?token=`. */
export interface MailLinks {
  readonly verifyEmail: string
  readonly resetPassword: string
  readonly acceptInvitation: string
  /** Where transfers are answered; no token follows. */
  readonly transfers: string
}

/** Pages of the host's frontend that emails of notifications lead to. */
export interface NotificationPages extends Pick<MailLinks, 'acceptInvitation' | 'transfers'> {
  /** The notifications of an account. */
  readonly notifications: string
}

/** Pages of the host's frontend that a page of the processor leads to. */
export interface SubscriptionLinks {
  /** The page for buyers after subscribing; `?checkout_id=` follows. */
  readonly subscribed: string
  /** The page with prices, for buyers who did not subscribe. */
  readonly pricing: string
}
