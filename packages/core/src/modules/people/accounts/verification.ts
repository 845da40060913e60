import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { type Caller, isLimited } from '../../../model/caller.ts'
import type { Expiry } from '../../../model/expiry.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Token } from '../../../ports/storage/tokens.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { AccountMailer } from './account-mailer.ts'
import { confirmEmail, verifyEmail } from './confirm-email.ts'
import { newEmailToken, tokenHash, wasSentTo } from './email-token.ts'
import { alreadyVerified, invalidOrExpiredToken, verificationSent, wrongPassword } from './errors.ts'
import type { RequirePassword } from './password-check.ts'
import type { TakeOverAccount } from './take-over.ts'

export interface VerificationDeps extends GuardedStorage {
  readonly clock: Clock
  readonly accountMailer: AccountMailer
  readonly expiry: Expiry
  readonly emailRate: EmailRate
  readonly takeOverAccount: TakeOverAccount
  readonly requirePassword: RequirePassword
  /** Whether accounts sign in at this service. False when the host signs in users. */
  readonly passwordSignIn: boolean
}

/** The token of a verification email, and the password of the account that it was sent to. */
export interface PasswordProof {
  readonly token: string
  readonly password: string
  /** The address of the client. Wrong passwords are only counted if it is given. */
  readonly from?: string | undefined
}

/** Whether the caller has a current session of an account. API keys and other credentials with scopes do not count. */
const isSignedIn = (caller: Caller | undefined, { id, tokenVersion }: Account) =>
  caller !== undefined && !isLimited(caller) && caller.account.id === id && caller.account.tokenVersion === tokenVersion

/** Verification of email addresses. */
export function createVerification(deps: VerificationDeps) {
  const { read, write, clock, accountMailer, expiry, emailRate, takeOverAccount, passwordSignIn } = deps
  const { requirePassword } = deps
  const { verifyEmailSeconds: seconds, resendVerificationSeconds } = expiry

  /** Creates a token for an account. `asked`: the user requested it, so it counts towards the limit. */
  const newToken = (account: Pick<Account, 'id' | 'email'>, asked: boolean) =>
    newEmailToken({ purpose: 'verify_email', account, at: clock(), seconds, data: { asked } })

  /** Throws `verification_sent` while the latest requested email is too recent. */
  function requireDue(newest: Token | undefined): void {
    if (newest?.data.asked !== true) return
    const leftMs = newest.createdAt.getTime() - clock().getTime() + resendVerificationSeconds * 1_000
    if (leftMs > 0) throw verificationSent({ retryAfterMs: leftMs })
  }

  /**
   * Consumes a token, and locks the account that it was sent to. Of concurrent calls one succeeds.
   *
   * @throws `invalid_or_expired_token`
   */
  async function consume(tx: Stores, secret: string): Promise<Account> {
    const hash = tokenHash(secret)
    const token = hash === undefined ? undefined : await tx.tokens.consume({ purpose: 'verify_email', hash })
    const account = token?.accountId ? await tx.accounts.lock(token.accountId) : undefined
    if (!token || !account || !wasSentTo(token, account)) throw invalidOrExpiredToken()
    return account
  }

  /**
   * Verifies the address that a token was sent to. The account owns it when the caller is signed in to the account. For any
   * other caller nothing further happens, because the person who registered the account may be another one.
   *
   * @returns whether the account owns the address
   * @throws `invalid_or_expired_token`
   */
  const verify = (secret: string, caller?: Caller | undefined): Promise<boolean> =>
    write(async (tx, emit) => {
      const account = await consume(tx, secret)
      if (account.emailOwned) return true
      if (!isSignedIn(caller, account)) {
        await verifyEmail(tx, emit, account)
        return false
      }
      await confirmEmail(tx, emit, account)
      return true
    })

  return {
    newToken,

    verify,

    /**
     * Verifies the address that a token was sent to, for a person who knows the password of its account: the account owns it
     * then. Wrong passwords are counted with those of sign-ins.
     *
     * @throws `invalid_or_expired_token`; `wrong_password` and `too_many_wrong_passwords`, which leave the token valid
     */
    async verifyByPassword({ token: secret, password, from }: PasswordProof): Promise<void> {
      const hash = tokenHash(secret)
      const token = hash === undefined ? undefined : await read.tokens.getNewest('verify_email', { hash })
      const known = token?.accountId ? await read.accounts.get(token.accountId) : undefined
      if (!token || !known || token.expiresAt <= clock()) throw invalidOrExpiredToken()
      await requirePassword({ account: known }, password, from)
      await write(async (tx, emit) => {
        const account = await consume(tx, secret)
        // The password may have been changed since it was checked.
        if (account.tokenVersion !== known.tokenVersion) throw wrongPassword()
        await confirmEmail(tx, emit, account)
      })
    },

    /**
     * Takes over the account of a token for the owner of its address, who did not create it: see {@link TakeOverAccount}. Its
     * password is unset, and a link to choose one is sent to the address. An account that owns its address is left as it is,
     * and where the host signs users in the address is only verified.
     *
     * @returns whether the account was taken over
     * @throws `invalid_or_expired_token`
     */
    async takeOver(secret: string): Promise<boolean> {
      if (!passwordSignIn) {
        await verify(secret)
        return false
      }
      const reset = await write(async (tx, emit) => {
        const account = await consume(tx, secret)
        if (account.emailOwned) return undefined
        const taken = await takeOverAccount(tx, emit, account)
        if (!taken) throw invalidOrExpiredToken()
        const seconds = expiry.resetPasswordSeconds
        const reset = newEmailToken({ purpose: 'reset_password', account: taken, at: clock(), seconds })
        await tx.tokens.put(reset.token, { replace: true })
        return { account: taken, secret: reset.secret }
      })
      if (reset) accountMailer.takenOver(reset.account, reset.secret)
      return reset !== undefined
    },

    /** Whether a token was sent to the account of a caller, so that {@link verify} changes nothing else. */
    async isOwnToken(secret: string, caller: Caller): Promise<boolean> {
      const { account } = caller
      const newest = await read.tokens.getNewest('verify_email', account.id)
      return isSignedIn(caller, account) && newest !== undefined && newest.hash === tokenHash(secret)
    },

    /**
     * Sends another email, within limits, because the address may belong to a person who never requested the account.
     *
     * @param until - the state from which no email is sent. Default: `verified`.
     * @throws `already_verified`, `verification_sent`
     */
    async resend(
      { account: asking }: Caller,
      { until = 'verified' }: { readonly until?: 'verified' | 'owned' } = {},
    ): Promise<void> {
      const { id } = asking
      const isDone = (account: Account) => (until === 'owned' ? account.emailOwned : account.emailVerified)
      if (isDone(asking)) throw alreadyVerified()
      requireDue(await read.tokens.getNewest('verify_email', id))
      const hit = await emailRate.store.hit(`verification-mail:${id}`, HOUR_MS)
      if (hit.count > emailRate.perHour) throw verificationSent({ retryAfterMs: msUntilReset(hit) })
      const { account, secret } = await write(async (tx) => {
        const account = await tx.accounts.lock(id)
        if (!account || isDone(account)) throw alreadyVerified()
        requireDue(await tx.tokens.getNewest('verify_email', id))
        const { secret, token } = newToken(account, true)
        await tx.tokens.put(token, { replace: true })
        return { account, secret }
      })
      accountMailer.verification(account, secret)
    },
  }
}

export type Verification = ReturnType<typeof createVerification>
