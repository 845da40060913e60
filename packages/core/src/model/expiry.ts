/** Expiry of links, codes and deleted accounts. */
export interface Expiry {
  /** The link that verifies an email address. */
  readonly verifyEmailSeconds: number
  /** The pause before another such link can be requested. */
  readonly resendVerificationSeconds: number
  /** The link for resetting a password. */
  readonly resetPasswordSeconds: number
  /**
   * A link that undoes a change of the email address or of a payout wallet. It also ends credentials that were added in this time before
   * the change.
   */
  readonly undoChangeSeconds: number
  /** The code that deletes an account. */
  readonly deleteCodeSeconds: number
  /** Days during which a deleted account can be restored. */
  readonly deletionGraceDays: number
}
