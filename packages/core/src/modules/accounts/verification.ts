import type { EmailRate } from '../../email/email-rate.ts'
import type { Clock } from '../../kernel/clock.ts'
import { HOUR_MS } from '../../kernel/durations.ts'
import type { Caller } from '../../model/caller.ts'
import type { Lifetimes } from '../../model/lifetimes.ts'
import type { Account } from '../../ports/storage/accounts.ts'
import type { Token } from '../../ports/storage/tokens.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { AccountMailer } from './account-mailer.ts'
import { confirmEmail } from './confirm-email.ts'
import { newEmailToken, tokenHash, wasSentTo } from './email-token.ts'
import { alreadyVerified, invalidOrExpiredToken, signInToVerify, verificationSent } from './errors.ts'
import type { TakeOverAccount } from './take-over.ts'

export interface VerificationDeps extends GuardedStorage {
  readonly clock: Clock
  readonly accountMailer: AccountMailer
  readonly lifetimes: Lifetimes
  readonly emailRate: EmailRate
  readonly takeOverAccount: TakeOverAccount
  /** Whether accounts sign in at this service. False when the host signs in users. */
  readonly passwordSignIn: boolean
}

/** Whether the caller has a current session of an account. API keys do not count. */
const isSignedIn = (caller: Caller | undefined, { id, tokenVersion }: Account) =>
  caller !== undefined &&
  caller.via !== 'key' &&
  caller.account.id === id &&
  caller.account.tokenVersion === tokenVersion

/** Verification of email addresses. */
export function createVerification(deps: VerificationDeps) {
  const { read, write, clock, accountMailer, lifetimes, emailRate, takeOverAccount, passwordSignIn } = deps
  const { verifyEmailSeconds: seconds, resendVerificationSeconds } = lifetimes

  /** Creates a token for an account. `asked`: the user requested it, so it counts towards the limit. */
  const newToken = (account: Pick<Account, 'id' | 'email'>, asked: boolean) =>
    newEmailToken({ purpose: 'verify_email', account, at: clock(), seconds, data: { asked } })

  /** Throws `verification_sent` while the latest requested email is too recent. */
  function requireDue(newest: Token | undefined): void {
    if (newest?.data.asked !== true) return
    const left = (newest.createdAt.getTime() - clock().getTime()) / 1000 + resendVerificationSeconds
    if (left > 0) throw sentLately(left)
  }

  return {
    newToken,

    /**
     * Verifies the address that a token was sent to. A caller who is signed in to the account keeps everything. Any other caller
     * takes the account over, because the person who registered it may not own the address: see
     * {@link TakeOverAccount}. Its password is unset, and a link to choose one is sent to the address.
     *
     * @returns whether the account was taken over
     * @throws `invalid_or_expired_token`; `sign_in_to_verify` instead of taking over, which leaves the token valid, where the
     * host signs users in and with `mayTakeOver: false`. Default: true
     */
    async verify(
      secret: string,
      caller?: Caller | undefined,
      { mayTakeOver = true }: { readonly mayTakeOver?: boolean } = {},
    ): Promise<{ readonly takenOver: boolean }> {
      const hash = tokenHash(secret)
      if (hash === undefined) throw invalidOrExpiredToken()
      const reset = await write(async (tx, emit) => {
        const token = await tx.tokens.consume({ purpose: 'verify_email', hash })
        const account = token?.accountId ? await tx.accounts.lock(token.accountId) : undefined
        if (!token || !account || !wasSentTo(token, account)) throw invalidOrExpiredToken()
        if (account.emailVerified) return undefined
        if (isSignedIn(caller, account)) {
          await confirmEmail(tx, emit, account)
          return undefined
        }
        // The account belongs to a user of the host, and only the host can identify the user.
        if (!passwordSignIn || !mayTakeOver) throw signInToVerify()
        const taken = await takeOverAccount(tx, emit, account)
        if (!taken) throw invalidOrExpiredToken()
        const seconds = lifetimes.resetPasswordSeconds
        const reset = newEmailToken({ purpose: 'reset_password', account: taken, at: clock(), seconds })
        await tx.tokens.put(reset.token, { replace: true })
        return { account: taken, secret: reset.secret }
      })
      if (!reset) return { takenOver: false }
      accountMailer.takenOver(reset.account, reset.secret)
      return { takenOver: true }
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
     * @throws `already_verified`, `verification_sent`
     */
    async resend({ account: { id, emailVerified } }: Caller): Promise<void> {
      if (emailVerified) throw alreadyVerified()
      requireDue(await read.tokens.getNewest('verify_email', id))
      const { count, resetAtMs } = await emailRate.store.hit(`verification-mail:${id}`, HOUR_MS)
      if (count > emailRate.perHour) throw sentLately((resetAtMs - Date.now()) / 1000)
      const { account, secret } = await write(async (tx) => {
        const account = await tx.accounts.lock(id)
        if (!account || account.emailVerified) throw alreadyVerified()
        requireDue(await tx.tokens.getNewest('verify_email', id))
        const { secret, token } = newToken(account, true)
        await tx.tokens.put(token, { replace: true })
        return { account, secret }
      })
      accountMailer.verification(account, secret)
    },
  }
}

const sentLately = (seconds: number) =>
  verificationSent({ headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } })

export type Verification = ReturnType<typeof createVerification>
