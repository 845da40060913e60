import { isEepError } from '../../../kernel/errors.ts'

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
  /** The code of the error that refused it, for example `account_banned` or a code of the host. Shown as `oauth_detail`. */
  readonly detail: string | undefined
  /** The path to return to that was stored with the sign-in. */
  next: string | undefined

  constructor(reason: string, options?: ErrorOptions, detail?: string | undefined) {
    super(`sign-in failed: ${reason}`, options)
    this.reason = reason
    this.detail = detail
  }

  /** Sets the path that was stored with the sign-in, and returns the failure. */
  withNext(next: unknown): this {
    if (typeof next === 'string') this.next = next
    return this
  }
}

export const failed = (reason: FailureReason, options?: ErrorOptions) => new SignInFailure(reason, options)

/** The failure of an account that this service or its host refused. Other errors have no detail. */
export const refused = (cause: unknown): SignInFailure => {
  const isRefusal = isEepError(cause) && cause.status < 500 && CODE.test(cause.code)
  return new SignInFailure('callback_failed', { cause }, isRefusal ? cause.code : undefined)
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/

/** The error code of the provider; anything that is not a plain code is replaced. */
export const providerReason = (error: string): string => (/^[a-z_]{1,64}$/.test(error) ? error : 'callback_failed')
