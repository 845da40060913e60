import type { Clock } from '../../kernel/clock.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { Caller } from './caller.ts'
import { alreadyVerified, invalidOrExpiredToken, verificationSent } from './errors.ts'
import type { Lifetimes } from './lifetimes.ts'
import { newMailToken, tokenHash, wasSentTo } from './mail-token.ts'
import type { Post } from './post.ts'
import type { Account } from './store.ts'

export interface VerificationDeps extends GuardedStorage {
  readonly clock: Clock
  readonly post: Post
  readonly lifetimes: Lifetimes
}

/** Proving that a mail address is one's own. */
export function createVerification({ write, clock, post, lifetimes }: VerificationDeps) {
  const { verifyEmailSeconds: seconds, resendVerificationSeconds } = lifetimes

  /** A token to be kept with the account it is for; `asked` ones are counted. */
  const newToken = (account: Pick<Account, 'id' | 'email'>, asked: boolean) =>
    newMailToken({ purpose: 'verify_email', account, at: clock(), seconds, data: { asked } })

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
        await tx.accounts.save(account.id, { emailVerified: true })
        const origin = { accountId: account.id }
        emit('accounts.email_verified', origin, origin)
      })
    },

    /** Sends another mail, once in a while. Throws `already_verified`, `verification_sent`. */
    async resend({ account: { id } }: Caller): Promise<void> {
      const at = clock()
      const { account, secret } = await write(async (tx) => {
        const account = await tx.accounts.lock(id)
        if (!account || account.emailVerified) throw alreadyVerified()
        const newest = await tx.tokens.getNewest('verify_email', id)
        const waits = newest?.data.asked === true ? secondsLeft(newest.createdAt, at, resendVerificationSeconds) : 0
        if (waits > 0) throw verificationSent({ headers: { 'Retry-After': String(waits) } })
        const { secret, token } = newToken(account, true)
        await tx.tokens.put(token, { replace: true })
        return { account, secret }
      })
      post.verification(account, secret)
    },
  }
}

const secondsLeft = (since: Date, now: Date, seconds: number): number =>
  Math.ceil((since.getTime() - now.getTime()) / 1000 + seconds)

export type Verification = ReturnType<typeof createVerification>
