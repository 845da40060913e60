import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/durations.ts'
import type { EepError } from '../../../kernel/errors.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Expiry } from '../../../model/expiry.ts'
import { requireRecentProof } from '../../../model/recent-proof.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { profileRestored, profileWithdrawn } from '../../profiles/profiles/events.ts'
import type { AccountMailer } from './account-mailer.ts'
import { type CodeCheck, createDeleteCodes } from './delete-code.ts'
import { endSessions } from './end-sessions.ts'
import {
  CREDENTIALS_NEEDED,
  codeExpired,
  invalidToken,
  noCodeRequested,
  TOKEN_REFUSED,
  wrongCode,
  wrongPassword,
} from './errors.ts'
import { deletionCancelled, deletionScheduled } from './events.ts'
import type { RequirePassword } from './password-check.ts'

export interface DeletionDeps extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly requirePassword: RequirePassword
  readonly accountMailer: AccountMailer
  readonly expiry: Expiry
  readonly emailRate: EmailRate
}

/** The proof that the owner requests the deletion of an account. Undefined: the person proved it within the last ten minutes. */
export type DeletionProof = { readonly password: string } | { readonly code: string } | undefined

const REFUSALS: Readonly<Record<Exclude<CodeCheck, 'right'>, () => EepError>> = {
  wrong: () => wrongCode(CREDENTIALS_NEEDED),
  expired: codeExpired,
  none: noCodeRequested,
}

/** Deletion: an account is hidden immediately and purged after the grace period. */
export function createDeletion({
  write,
  clock,
  keyring,
  requirePassword,
  accountMailer,
  expiry,
  emailRate,
}: DeletionDeps) {
  const codes = createDeleteCodes(keyring)

  /** Hides the account and its profiles everywhere, in one transaction. */
  async function schedule(tx: Stores, emit: Emit, account: Account): Promise<Account & { deletionScheduledAt: Date }> {
    const at = clock()
    const deletionScheduledAt = new Date(at.getTime() + expiry.deletionGraceDays * DAY_MS)
    const { id, tokenVersion } = account
    const saved = await tx.accounts.save(id, { deletionScheduledAt, tokenVersion: tokenVersion + 1 })
    if (!saved) throw invalidToken(TOKEN_REFUSED)
    await tx.tokens.deleteOf('delete_account', id)
    // Profiles before sessions, in the order in which other writes lock them.
    const withdrawn = await tx.profiles.withdrawOfAccount(id, at)
    await endSessions(tx, emit, id, 'deletion_scheduled')
    const origin = { accountId: id }
    for (const profile of withdrawn) {
      const { type, username } = profile
      const wasListed = profile.visibility === 'public'
      emit(profileWithdrawn, { type, username, wasListed }, { ...origin, profileId: profile.id })
    }
    emit(deletionScheduled, { accountId: id, at: deletionScheduledAt.toISOString() }, origin)
    return { ...saved, deletionScheduledAt }
  }

  return {
    /**
     * Sends the code that confirms a deletion and invalidates the previous one. Above the hourly limit the last one stays valid,
     * because the address may belong to a person who never requested the account.
     */
    async sendCode({ account }: Caller): Promise<void> {
      const { count } = await emailRate.store.hit(`delete-code-mail:${account.id}`, HOUR_MS)
      if (count > emailRate.perHour) return
      const { code, token } = codes.make(account.id, clock(), expiry.deleteCodeSeconds)
      await write((tx) => tx.tokens.put(token, { replace: true }))
      accountMailer.deleteCode(account, code)
    },

    async schedule(caller: Caller, proof: DeletionProof, from?: string | undefined): Promise<Date> {
      const { id, tokenVersion } = caller.account
      const code = proof && 'code' in proof ? proof.code : undefined
      if (!proof) requireRecentProof(caller, clock())
      else if ('password' in proof) await requirePassword(caller, proof.password, from)
      const result = await write(async (tx, emit) => {
        const account = await tx.accounts.lock(id)
        if (!account || account.deletionScheduledAt) throw invalidToken(TOKEN_REFUSED)
        // The password may have been changed since it was checked.
        if (code === undefined && account.tokenVersion !== tokenVersion) throw wrongPassword(CREDENTIALS_NEEDED)
        const check = code === undefined ? 'right' : await codes.use(tx, id, code, clock())
        // A wrong guess is committed with its count and refused afterwards.
        return check === 'right' ? schedule(tx, emit, account) : check
      })
      if (typeof result === 'string') throw REFUSALS[result]()
      accountMailer.deletion(result, result.deletionScheduledAt)
      return result.deletionScheduledAt
    },
  }
}

/** Whether the grace period of a deleted account is over, so that it can no longer be restored. */
export const isOver = ({ deletionScheduledAt }: Pick<Account, 'deletionScheduledAt'>, now: Date): boolean =>
  deletionScheduledAt !== null && deletionScheduledAt <= now

/** Cancels the deletion of a locked account and shows its profiles again. */
export async function recover(tx: Stores, emit: Emit, { id }: Account): Promise<void> {
  const origin = { accountId: id }
  for (const profile of await tx.profiles.withdrawOfAccount(id, null)) {
    const { type, username } = profile
    emit(profileRestored, { type, username }, { ...origin, profileId: profile.id })
  }
  emit(deletionCancelled, origin, origin)
}
