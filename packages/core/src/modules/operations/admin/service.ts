import type { Clock } from '../../../kernel/clock.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { PageRequest } from '../../../kernel/page.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Plan } from '../../../model/plan.ts'
import type { AccountQuery, ListedAccount } from '../../../ports/storage/admin.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockAdministrator } from '../../../runtime/storage/lock-caller.ts'
import { updateAccountPlan } from '../../access/subscriptions/index.ts'
import { accountBanned, accountUnbanned, adminChanged } from '../../people/accounts/events.ts'
import {
  administrators,
  endSessions,
  type SecondFactorService,
  secondFactorNotFound,
} from '../../people/accounts/index.ts'
import { cannotModifySelf, cannotResetOwn, namedAdministrator, userNotFound } from './errors.ts'

export interface AdminDeps extends GuardedStorage<'audit' | 'directory' | 'subscriptions'> {
  readonly clock: Clock
  readonly adminEmails: readonly string[]
  /** Undefined when the storage has no second factors. */
  readonly secondFactor: Pick<SecondFactorService, 'reset' | 'reportReset'> | undefined
}

/** A change of an account by an administrator; omitted members are kept. */
export interface AccountDecision {
  /** The minimum plan, whatever the account subscribes to. `community` removes the grant. */
  readonly tier?: Plan | undefined
  readonly banned?: boolean | undefined
  readonly isAdmin?: boolean | undefined
}

const RECENT_MS = 30 * 86_400_000

/** The fields of an account in the audit log. */
const standingOf = ({ grantedTier, tier, bannedAt, isAdmin }: Account): JsonObject => ({
  tier,
  granted_tier: grantedTier,
  banned: bannedAt !== null,
  is_admin: isAdmin,
})

/** Administration of accounts: lists, plans, bans and appointments. */
export function createAdminService({ read, write, clock, adminEmails, secondFactor }: AdminDeps) {
  const administers = administrators(adminEmails)

  /**
   * Locks the account to change and checks the administrator again: if two remove each other's rights concurrently,
   * one succeeds.
   */
  async function lockBoth(tx: Stores, id: string, caller: Caller): Promise<Account | undefined> {
    // Lock in a fixed order to avoid deadlocks.
    const before = id < caller.account.id ? await tx.accounts.lock(id) : undefined
    const administrator = await lockAdministrator(tx, caller)
    if (id === caller.account.id) return administrator
    return before ?? tx.accounts.lock(id)
  }

  return {
    /** Whether an account is an administrator, by appointment or by its email address. */
    administers,

    list: (query: AccountQuery, request: PageRequest) => read.directory.listAccounts(query, request),

    /** @throws `user_not_found` */
    async get(id: string): Promise<ListedAccount> {
      const listed = await read.directory.getAccount(id)
      if (!listed) throw userNotFound()
      return listed
    },

    measure: () => read.directory.measure(new Date(clock().getTime() - RECENT_MS)),

    audit: (query: { readonly target?: string | undefined }, request: PageRequest) => read.audit.list(query, request),

    /**
     * Applies a change and records the administrator. A ban ends every session and API key immediately.
     *
     * @throws `user_not_found`, `cannot_modify_self`, `named_administrator`; `forbidden` when the caller has
     *   lost administrator rights, `unauthenticated` when the session has ended
     */
    async decide(id: string, decision: AccountDecision, caller: Caller): Promise<ListedAccount> {
      const { account: actor } = caller
      const { tier, banned, isAdmin } = decision
      if (id === actor.id && (banned === true || isAdmin === false)) throw cannotModifySelf()
      await write(async (tx, emit) => {
        const account = await lockBoth(tx, id, caller)
        if (!account) throw userNotFound()
        const takes = banned === true || isAdmin === false
        if (takes && administers({ ...account, isAdmin: false })) throw namedAdministrator()
        const at = clock()
        const isBanned = account.bannedAt !== null
        await tx.accounts.save(id, {
          ...(tier === undefined ? {} : { grantedTier: tier === 'community' ? null : tier }),
          ...(isAdmin === undefined ? {} : { isAdmin }),
          ...(banned === undefined || banned === isBanned ? {} : { bannedAt: banned ? at : null }),
          ...(banned === true && !isBanned ? { tokenVersion: account.tokenVersion + 1 } : {}),
        })
        if (banned === true) await endSessions(tx, emit, id, 'banned')
        if (tier !== undefined) await updateAccountPlan(tx, emit, id)
        const after = await tx.accounts.get(id)
        if (!after) throw userNotFound()
        await tx.audit.append({
          actorAccountId: actor.id,
          action: 'account.decided',
          target: `accounts/${id}`,
          before: standingOf(account),
          after: standingOf(after),
          at,
        })
        if (banned !== undefined && banned !== isBanned) {
          emit(banned ? accountBanned : accountUnbanned, { accountId: id }, { accountId: id })
        }
        if (isAdmin !== undefined && isAdmin !== account.isAdmin) {
          emit(adminChanged, { accountId: id, isAdmin }, { accountId: id })
        }
      })
      const listing = await read.directory.getAccount(id)
      if (!listing) throw userNotFound()
      return listing
    },

    /**
     * Disables the two-factor authentication of an account whose owner lost the phone and the recovery codes, records the
     * administrator, and reports it to the owner by email.
     *
     * @throws `user_not_found`, `second_factor_not_found`, `cannot_reset_own_second_factor`; `forbidden` when the caller has
     *   lost administrator rights, `unauthenticated` when the session has ended
     */
    async resetSecondFactor(id: string, caller: Caller): Promise<void> {
      const { account: actor } = caller
      // A stolen session of an administrator must not get past the code.
      if (id === actor.id) throw cannotResetOwn()
      const reset = await write(async (tx) => {
        const account = await lockBoth(tx, id, caller)
        if (!account) throw userNotFound()
        if (!(await secondFactor?.reset(tx, id))) throw secondFactorNotFound()
        await tx.audit.append({
          actorAccountId: actor.id,
          action: 'account.second_factor_reset',
          target: `accounts/${id}`,
          before: { second_factor: true },
          after: { second_factor: false },
          at: clock(),
        })
        return account
      })
      secondFactor?.reportReset(reset)
    },
  }
}

export type AdminService = ReturnType<typeof createAdminService>
