/** Why a sign-in ended without an account. It is shown to the browser as `oauth_error`. */
export type FailureReason =
  | 'invalid_state'
  | 'missing_code'
  /** The provider has no verified email address. */
  | 'invalid_email'
  /** The user or the email address belongs to another account. */
  | 'email_linked_other'
  /** The account has another user of the provider: `github_mismatch`. */
  | `${string}_mismatch`
  | 'callback_failed'

/** A failed sign-in with a reason for the browser. */
export class SignInFailure extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`sign-in failed: ${reason}`, options)
    this.reason = reason
  }
}

export const failed = (reason: FailureReason, options?: ErrorOptions) => new SignInFailure(reason, options)

/** The error code of the provider; anything that is not a plain code is replaced. */
export const providerReason = (error: string): string => (/^[a-z_]{1,64}$/.test(error) ? error : 'callback_failed')
