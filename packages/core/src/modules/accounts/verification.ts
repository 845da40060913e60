import type { Clock } from '../../kernel/clock.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { Token } from '../tokens/index.ts'
import type { Caller } from './caller.ts'
import { confirmEmail } from './confirm-email.ts'
import { alreadyVerified, invalidOrExpiredToken, verificationSent } from './errors.ts'
import type { Lifetimes } from './lifetimes.ts'
import { HOUR_MS, type MailRate } from './mail-rate.ts'
import { newMailToken, tokenHash, wasSentTo } from './mail-token.ts'
import type { Post } from './post.ts'
import type { Account } from './store.ts'

export interface VerificationDeps extends GuardedStorage {
  readonly clock: Clock
  readonly post: Post
  readonly lifetimes: Lifetimes
  readonly mailRate: MailRate
}

/** Proving that a mail address is one's own. */
export function createVerification({ read, write, clock, post, lifetimes, mailRate }: VerificationDeps) {
  const { verifyEmailSeconds: seconds, resendVerificationSeconds } = lifetimes

  /** A token to be kept with the account it is for; `asked` ones are counted. */
  const newToken = (account: Pick<Account, 'id' | 'email'>, asked: boolean) =>
    newMailToken({ purpose: 'verify_email', account, at: clock(), seconds, data: { asked } })

  /** Throws `verification_sent` while the newest mail that was asked for is too young. */
  function requireDue(newest: Token | undefined): void {
    if (newest?.data.asked !== true) return
    const left = (newest.createdAt.getTime() - clock().getTime()) / 1000 + resendVerificationSeconds
    if (left > 0) throw sentLately(left)
  }

  return {
    newToken,

    /** Marks the address as verified that a token was sent to. Throws `invalid_or_expired_token`. */
    async verify(secret: string): Promise<void> {
      const hash = tokenHash(secret)
      if (hash === undefined) throw invalidOrExpiredToken()
      await write(async (tx, emit) => {
        const token = await tx.tokens.consume({ purpose: 'verify_email', hash })
        const account = token?.accountId ? await tx.accounts.lock(token.accountId) : undefined
        if (!token || !account || !wasSentTo(token, account)) throw invalidOrExpiredToken()
        await confirmEmail(tx, emit, account)
      })
    },

    /**
     * Sends another mail: once in a while, and some in an hour, because the address may be that of somebody who never asked
     * for the account.
     *
     * @throws `already_verified`, `verification_sent`
     */
    async resend({ account: { id, emailVerified } }: Caller): Promise<void> {
      if (emailVerified) throw alreadyVerified()
      requireDue(await read.tokens.getNewest('verify_email', id))
      const { count, resetAtMs } = await mailRate.store.hit(`verification-mail:${id}`, HOUR_MS)
      if (count > mailRate.perHour) throw sentLately((resetAtMs - Date.now()) / 1000)
      const { account, secret } = await write(async (tx) => {
        const account = await tx.accounts.lock(id)
        if (!account || account.emailVerified) throw alreadyVerified()
        requireDue(await tx.tokens.getNewest('verify_email', id))
        const { secret, token } = newToken(account, true)
        await tx.tokens.put(token, { replace: true })
        return { account, secret }
      })
      post.verification(account, secret)
    },
  }
}

const sentLately = (seconds: number) =>
  verificationSent({ headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } })

export type Verification = ReturnType<typeof createVerification>
