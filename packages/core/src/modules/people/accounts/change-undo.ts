import type { EndAddedStep } from '../../../framework/module/context.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Expiry } from '../../../model/expiry.ts'
import type { Account, AccountChanges } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { newEmailToken, tokenHash } from './email-token.ts'
import { endSessions } from './end-sessions.ts'
import { invalidOrExpiredToken } from './errors.ts'
import type { SessionEndReason } from './events.ts'
import { deleteTokens, type KeptLinks } from './take-over.ts'

/** A change that an emailed link undoes. */
export type UndoPurpose = 'undo_email' | 'undo_payout'

/** An emailed link that undoes a change. */
export interface UndoLink {
  readonly purpose: UndoPurpose
  readonly hash: string
  readonly accountId: string
  /** The address that it was sent to. */
  readonly email: string
  readonly changedAt: Date
  /** Stored with it, for what undoes the change. */
  readonly data: JsonObject
}

export interface ChangeUndoDeps extends Pick<GuardedStorage, 'read'> {
  readonly clock: Clock
  readonly expiry: Expiry
  /** Ends what was added to an account, in every group of the storage. */
  readonly endAdded: readonly EndAddedStep[]
}

/** Links that undo changes which a person who is not the owner may have made. */
export function createChangeUndo({ read, clock, expiry, endAdded }: ChangeUndoDeps) {
  return {
    /**
     * Stores a link that undoes a change of a locked account, and returns its secret. Undefined for an account that does not own its
     * address. Links of earlier changes stay valid, so that several changes in a row can be undone too.
     */
    async offer(tx: Stores, purpose: UndoPurpose, account: Account, data?: JsonObject): Promise<string | undefined> {
      if (!account.emailOwned) return undefined
      // At least just after the last change, so that changes have an order.
      const newest = [
        await tx.tokens.getNewest('undo_email', account.id),
        await tx.tokens.getNewest('undo_payout', account.id),
      ]
      const at = new Date(
        Math.max(clock().getTime(), ...newest.map((last) => (last ? last.createdAt.getTime() + 1 : 0))),
      )
      const { secret, token } = newEmailToken({ purpose, account, at, seconds: expiry.undoChangeSeconds, data })
      await tx.tokens.put(token)
      return secret
    },

    /**
     * Finds the link with a secret, used or not.
     *
     * @throws `invalid_or_expired_token`
     */
    async find(purpose: UndoPurpose, secret: string): Promise<UndoLink> {
      const hash = tokenHash(secret)
      const known = hash === undefined ? undefined : await read.tokens.getNewest(purpose, { hash })
      const email = known?.data.email
      if (hash === undefined || !known?.accountId || typeof email !== 'string') throw invalidOrExpiredToken()
      const { accountId, createdAt: changedAt, data } = known
      return { purpose, hash, accountId, email, changedAt, data }
    },

    /**
     * Uses a link for its locked account. Of concurrent calls one succeeds.
     *
     * @throws `invalid_or_expired_token`
     */
    async use(tx: Stores, { purpose, hash, accountId }: UndoLink, account: Account | undefined): Promise<Account> {
      const token = account && (await tx.tokens.consume({ purpose, hash, accountId }))
      if (!token) throw invalidOrExpiredToken()
      return account
    },

    /**
     * Ends every session and open link of a locked account, except the kept ones, and the API keys, passkeys, second factor and linked
     * providers that were added since a change or in the 72 hours before it. Returns what to save in the account: without its password,
     * which another person may know.
     */
    async endIntrusion(
      tx: Stores,
      emit: Emit,
      { id, tokenVersion }: Account,
      {
        changedAt,
        kept,
        reason,
      }: { readonly changedAt: Date; readonly kept: KeptLinks; readonly reason: SessionEndReason },
    ): Promise<AccountChanges> {
      const since = new Date(changedAt.getTime() - expiry.undoChangeSeconds * 1_000)
      for (const step of endAdded) await step(tx, emit, id, { since, at: clock() })
      await endSessions(tx, emit, id, reason)
      await deleteTokens(tx, id, kept)
      return { passwordHash: null, tokenVersion: tokenVersion + 1 }
    },

    /** Stores a link with which the owner of an account chooses a password, and returns its secret. */
    async offerPassword(tx: Stores, account: Account): Promise<string> {
      const seconds = expiry.resetPasswordSeconds
      const { secret, token } = newEmailToken({ purpose: 'reset_password', account, at: clock(), seconds })
      await tx.tokens.put(token, { replace: true })
      return secret
    },
  }
}

export type ChangeUndo = ReturnType<typeof createChangeUndo>
