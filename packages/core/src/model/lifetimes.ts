/** How long things of an account last. */
export interface Lifetimes {
  /** The link that verifies an email address. */
  readonly verifyEmailSeconds: number
  /** The pause before another such link may be asked for. */
  readonly resendVerificationSeconds: number
  /** The link that lets choose a new password. */
  readonly resetPasswordSeconds: number
  /** The code that deletes an account. */
  readonly deleteCodeSeconds: number
  /** How long a deleted account can be taken back. */
  readonly deletionSeconds: number
}
