/** Why a sign-in ended without an account. It is shown to the browser as `oauth_error`. */
export type FailureReason =
  | 'invalid_state'
  | 'missing_code'
  /** The provider knows no verified mail address. */
  | 'invalid_email'
  /** The user or the mail address belongs to another account. */
  | 'email_linked_other'
  /** The account has another user of the provider: `github_mismatch`. */
  | `${string}_mismatch`
  | 'callback_failed'

/** A sign-in that failed for a reason the browser is told. */
export class SignInFailure extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`sign-in failed: ${reason}`, options)
    this.reason = reason
  }
}

export const failed = (reason: FailureReason, options?: ErrorOptions) => new SignInFailure(reason, options)

/** The word of a provider for why it refused; anything that is no plain word is replaced. */
export const providerReason = (error: string): string => (/^[a-z_]{1,64}$/.test(error) ? error : 'callback_failed')
