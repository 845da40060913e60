import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { foldAddress } from '../../../kernel/email-address.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Expiry } from '../../../model/expiry.ts'
import { requireRecentProof } from '../../../model/recent-proof.ts'
import type { Mailer } from '../../../ports/mailer.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { AccountMailer } from './account-mailer.ts'
import type { ChangeUndo } from './change-undo.ts'
import { confirmEmail } from './confirm-email.ts'
import { newEmailToken, tokenHash, wasSentTo } from './email-token.ts'
import { emailTaken, emailUnchanged, invalidOrExpiredToken, verificationSent } from './errors.ts'
import { emailChanged } from './events.ts'
import type { RequirePassword } from './password-check.ts'

export interface EmailChangeDeps extends GuardedStorage {
  readonly clock: Clock
  readonly accountMailer: AccountMailer
  readonly expiry: Expiry
  readonly emailRate: EmailRate
  readonly requirePassword: RequirePassword
  readonly changeUndo: ChangeUndo
  readonly mailer: Pick<Mailer, 'forget'> | undefined
  /** Called when emails to a former address could not be erased. */
  readonly onError: (error: unknown) => void
}

/** A new email address for a caller. */
export interface EmailChange {
  readonly newEmail: string
  /** The password of the account. Default: the person must have proved to own the account within the last ten minutes. */
  readonly password?: string | undefined
  /** The address of the client. Wrong passwords are only counted if it is given. */
  readonly from?: string | undefined
}

/** Whether two addresses are the same mailbox, as accounts compare them. */
const isSame = (one: string, other: string) => foldAddress(one) === foldAddress(other)

/** Changes of the email address of an account, and what undoes them. */
export function createEmailChange(deps: EmailChangeDeps) {
  const { read, write, clock, accountMailer, expiry, emailRate, requirePassword, changeUndo, mailer, onError } = deps

  /**
   * Stores the token of a change, also for an address that another account has: what the account shows about the change does not reveal
   * that. Undefined when the account may not change its address any more.
   */
  const begin = ({ account: { id, tokenVersion } }: Caller, newEmail: string) =>
    write(async (tx) => {
      const account = await tx.accounts.lock(id)
      if (account?.tokenVersion !== tokenVersion || account.deletionScheduledAt) return undefined
      const seconds = expiry.verifyEmailSeconds
      const data = { newEmail }
      const { secret, token } = newEmailToken({ purpose: 'change_email', account, at: clock(), seconds, data })
      await tx.tokens.put(token, { replace: true })
      return { addressee: { ...account, email: newEmail }, secret }
    })

  /** The content of the email to the new address: a link, or that the address belongs to an account already. */
  async function prepare(newEmail: string, begun: Awaited<ReturnType<typeof begin>>) {
    const holder = await read.accounts.get({ email: newEmail })
    return holder ? { addressee: holder } : begun
  }

  /** Erases stored emails to a former address that the account owned: a purge erases those to the current one. */
  async function forget({ email, emailOwned }: Account): Promise<void> {
    try {
      if (emailOwned) await mailer?.forget?.(email)
    } catch (error) {
      onError(error)
    }
  }

  /** Frees an address for its proven owner from an account that never proved it. */
  async function free(tx: Stores, email: string, accountId: string): Promise<void> {
    const holder = await tx.accounts.get({ email })
    if (!holder || holder.id === accountId) return
    if (holder.emailOwned) throw emailTaken()
    const unowned = { email: `${holder.id}@displaced.invalid`, emailVerified: false, emailOwned: false }
    await tx.accounts.save(holder.id, unowned)
  }

  /** Locks the account of a token, and the account that holds an address, in the order of all transactions. */
  async function lockBoth(tx: Stores, accountId: string, email: string): Promise<Account | undefined> {
    const holder = await tx.accounts.get({ email })
    const ids = [...new Set([accountId, ...(holder ? [holder.id] : [])])].sort()
    const locked: (Account | undefined)[] = []
    for (const id of ids) locked.push(await tx.accounts.lock(id))
    return locked.find((account) => account?.id === accountId)
  }

  return {
    /**
     * Sends a link to a new address of a caller; until it is opened in a session of the account nothing changes. The result is
     * the same for an address of another account, to which an email is sent that states it.
     *
     * @throws `recent_sign_in_required`, `wrong_password`, `too_many_wrong_passwords`, `email_unchanged`, `verification_sent`
     */
    async request(caller: Caller, { newEmail, password, from }: EmailChange): Promise<void> {
      if (password !== undefined) await requirePassword(caller, password, from)
      else requireRecentProof(caller, clock())
      if (isSame(newEmail, caller.account.email)) throw emailUnchanged()
      const hit = await emailRate.store.hit(`email-change:${caller.account.id}`, HOUR_MS)
      if (hit.count > emailRate.perHour) throw verificationSent({ retryAfterMs: msUntilReset(hit) })
      const { count } = await emailRate.store.hit(`email-change-to:${sha256(foldAddress(newEmail))}`, HOUR_MS)
      // A change that was begun before stays valid.
      if (count > emailRate.perHour) return
      const begun = await begin(caller, newEmail)
      accountMailer.emailChange(() => prepare(newEmail, begun))
    },

    /** The address that a caller asked for and has not confirmed yet. It may belong to another account. */
    async pending({ account }: Caller): Promise<{ readonly email: string; readonly until: Date } | undefined> {
      const token = await read.tokens.getNewest('change_email', account.id)
      const email = token?.data.newEmail
      if (!token || typeof email !== 'string' || token.expiresAt <= clock()) return undefined
      return { email, until: token.expiresAt }
    },

    /**
     * Replaces the address of a caller by the one that a token was sent to, which the account then owns. An owned former address gets a
     * link that undoes the change.
     *
     * @throws `invalid_or_expired_token`; `email_taken` when another account got the address meanwhile
     */
    async confirm(caller: Caller, secret: string): Promise<void> {
      const hash = tokenHash(secret)
      if (hash === undefined) throw invalidOrExpiredToken()
      const { former, undo } = await write(async (tx, emit) => {
        const account = await lockCaller(tx, caller)
        const token = await tx.tokens.consume({ purpose: 'change_email', hash, accountId: account.id })
        const newEmail = token?.data.newEmail
        if (!token || typeof newEmail !== 'string' || !wasSentTo(token, account)) throw invalidOrExpiredToken()
        const saved = await confirmEmail(tx, emit, account, { email: newEmail })
        if (!saved) throw emailTaken()
        await tx.tokens.deleteOf('reset_password', account.id)
        await tx.tokens.deleteOf('delete_account', account.id)
        const origin = { accountId: account.id }
        emit(emailChanged, origin, origin)
        return { former: account, undo: await changeUndo.offer(tx, 'undo_email', account) }
      })
      await forget(former)
      accountMailer.emailChanged(former, undo)
    },

    /**
     * Restores the address that a token was sent to. Ends every session, the password, which may have been changed meanwhile, and the API
     * keys, passkeys, second factor and linked providers that were added since the change and in the 72 hours before it. Links that undo
     * later changes end, those of earlier changes stay valid. A link to choose a password is sent to the address. An account that took the
     * address meanwhile without owning it loses it. Of concurrent calls one succeeds.
     *
     * @throws `invalid_or_expired_token`; `email_taken` when another account owns the address now
     */
    async undo(secret: string): Promise<void> {
      const link = await changeUndo.find('undo_email', secret)
      const { accountId, email, changedAt } = link
      const restored = await write(async (tx, emit) => {
        const account = await changeUndo.use(tx, link, await lockBoth(tx, accountId, email))
        await free(tx, email, accountId)
        // Links of earlier changes stay valid: the person of a later address must not be able to end them.
        const kept = { undo_email: changedAt, undo_payout: changedAt }
        const without = await changeUndo.endIntrusion(tx, emit, account, { changedAt, kept, reason: 'email_restored' })
        const saved = await confirmEmail(tx, emit, account, { ...without, email })
        if (!saved) throw emailTaken()
        const origin = { accountId }
        emit(emailChanged, origin, origin)
        return { former: account, account: saved, secret: await changeUndo.offerPassword(tx, saved) }
      })
      await forget(restored.former)
      accountMailer.emailRestored(restored.account, restored.secret)
    },
  }
}

/** The service of changed email addresses. */
export type EmailChangeService = ReturnType<typeof createEmailChange>
