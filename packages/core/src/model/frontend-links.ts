/** The pages that mails lead to; the token follows as `?token=`. */
export interface MailLinks {
  readonly verifyEmail: string
  readonly resetPassword: string
  readonly acceptInvitation: string
  /** Where transfers are answered; no token follows. */
  readonly transfers: string
}

/** Pages of the host's frontend that a page of the processor leads to. */
export interface SubscriptionLinks {
  /** Where a buyer comes back to who has subscribed; `?checkout_id=` follows. */
  readonly subscribed: string
  /** Where prices are shown, and a buyer comes back to who did not subscribe. */
  readonly pricing: string
}
