import type { Clock } from '../../../../kernel/clock.ts'
import { sessionRequired } from '../../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../../kernel/page.ts'
import { type Caller, isLimited } from '../../../../model/caller.ts'
import { requireRecentProof } from '../../../../model/recent-proof.ts'
import type { AppReceipt, SpendTotal } from '../../../../ports/storage/app-spending.ts'
import type { AppConnection, AppEndReason, AppSessionChoice } from '../../../../ports/storage/connected-apps.ts'
import type { Emit } from '../../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import { appCannotSpend, appNotFound, profileNotAllowed } from '../consent-errors.ts'
import { appChanged, appDisconnected } from '../events.ts'
import { withinReach } from '../profile-choice.ts'
import { isSpending } from '../scopes.ts'
import { type ChosenLimits, chosenLimits, isRaised, storedLimits } from '../spending-html.ts'

/** More than an account has by default. */
const MAX_CONNECTIONS = 100

/** What changes of a connection. Members that are left out stay. */
export interface AppChanges {
  readonly scopes?: readonly string[] | undefined
  /** Null for all profiles of the account. */
  readonly profileId?: number | null | undefined
  readonly limits?: ChosenLimits | undefined
}

export interface ConnectedAppsDeps extends Pick<GuardedStorage<'connectedApps'>, 'read' | 'write'> {
  readonly clock: Clock
  readonly accounts: Pick<AccountService, 'me'>
  /** The limits of spending that hold where a person chose none. */
  readonly limits: ChosenLimits
}

/** Apps are connected and changed by people, never by programs. */
function requirePerson(caller: Caller): void {
  if (isLimited(caller)) throw sessionRequired()
}

const about = ({ id, app }: AppConnection) => ({ connectionId: id, name: app.name, host: app.host })

/** Emits an event for each connection that ended. */
export function emitDisconnected(emit: Emit, ended: readonly AppConnection[], reason: AppEndReason): void {
  for (const connection of ended) {
    emit(appDisconnected, { ...about(connection), reason }, { accountId: connection.accountId })
  }
}

/** Whether a change lets an app do more than before. */
function isWidened(before: AppConnection, { scopes, profileId, limits }: AppChanges, byDefault: ChosenLimits) {
  const hasMore = scopes?.some((scope) => !before.scopes.includes(scope)) === true
  // All profiles include each of them.
  const actsElsewhere = profileId !== undefined && before.reach === 'one' && profileId !== before.profileId
  const spendsMore = limits !== undefined && isRaised(chosenLimits(before.spending, byDefault), limits)
  return hasMore || actsElsewhere || spendsMore
}

/** The apps that accounts connected. */
export function createConnectedAppsService({ read, write, clock, accounts, limits: byDefault }: ConnectedAppsDeps) {
  async function requireProfile(caller: Caller, profileId: number | null | undefined): Promise<void> {
    if (profileId === undefined || profileId === null) return
    const { profiles } = await accounts.me(caller)
    if (!withinReach(profiles).some(({ profile }) => profile.id === profileId)) throw profileNotAllowed()
  }

  return {
    /** The limits of spending that hold where a person chose none. */
    limits: byDefault,
    /** Returns the live connections of the caller, newest first. */
    async list(caller: Caller, page: PageRequest): Promise<Page<AppConnection>> {
      requirePerson(caller)
      return read.connectedApps.listOfAccount(caller.account.id, { now: clock() }, page)
    },
    /**
     * Returns a live connection of the caller.
     *
     * @throws `connected_app_not_found`
     */
    async get(id: string, caller: Caller): Promise<AppConnection> {
      requirePerson(caller)
      const connection = await read.connectedApps.get(id, caller.account.id)
      const now = clock()
      if (!connection || connection.endedAt || connection.idleEndsAt <= now || connection.expiresAt <= now) {
        throw appNotFound()
      }
      return connection
    },
    /** Returns what the apps of the caller spent today and in this month (UTC), in millionths. */
    async totals(caller: Caller): Promise<readonly SpendTotal[]> {
      requirePerson(caller)
      return read.appSpending.listTotals(caller.account.id, clock())
    },
    /** Returns the receipts of purchases by an app, newest first. */
    async receipts(
      caller: Caller,
      { spender }: Pick<AppConnection, 'spender'>,
      page: PageRequest,
    ): Promise<Page<AppReceipt>> {
      requirePerson(caller)
      return read.appSpending.listReceipts(caller.account.id, { spender }, page)
    },
    /**
     * Changes what an app may do, from its next request on. To allow more than before needs a recent proof of the person.
     *
     * @throws `connected_app_not_found`, `app_cannot_spend`, `app_profile_not_allowed`, `recent_sign_in_required`
     */
    async update(id: string, changes: AppChanges, caller: Caller): Promise<AppConnection> {
      requirePerson(caller)
      await requireProfile(caller, changes.profileId)
      const now = clock()
      return write(async (tx, emit) => {
        const before = await tx.connectedApps.lock(caller.account.id, id, now)
        if (!before) throw appNotFound()
        if (!before.maySpend && changes.scopes?.some(isSpending)) throw appCannotSpend()
        if (isWidened(before, changes, byDefault)) requireRecentProof(caller, now)
        const { scopes, profileId, limits } = changes
        const spending = limits && storedLimits(limits)
        const after = await tx.connectedApps.update(caller.account.id, id, { now, scopes, profileId, spending })
        if (!after) throw appNotFound()
        const { accountId } = after
        emit(appChanged, { ...about(after), scopes: after.scopes, profileId: after.profileId }, { accountId })
        return after
      })
    },
    /**
     * Disconnects an app of the caller.
     *
     * @throws `connected_app_not_found` also when a concurrent call ended it
     */
    async end(id: string, caller: Caller): Promise<void> {
      requirePerson(caller)
      await write(async (tx, emit) => {
        const ended = await tx.connectedApps.end(caller.account.id, id, 'user', clock())
        if (!ended) throw appNotFound()
        emitDisconnected(emit, [ended], 'user')
      })
    },
    /** Disconnects all apps of the caller. Returns how many were connected. */
    async endAll(caller: Caller): Promise<number> {
      requirePerson(caller)
      return write(async (tx, emit) => {
        const ended = await tx.connectedApps.endAll(caller.account.id, 'user', clock())
        emitDisconnected(emit, ended, 'user')
        return ended.length
      })
    },
    /** Returns the ids of the sessions in which the caller connected apps that still are. */
    async sessionsOf(caller: Caller): Promise<ReadonlySet<string>> {
      const { items } = await read.connectedApps.listOfAccount(
        caller.account.id,
        { now: clock() },
        { limit: MAX_CONNECTIONS },
      )
      return new Set(items.flatMap(({ sessionId }) => sessionId ?? []))
    },
    /** Disconnects the apps that the caller connected in some sessions. Returns how many were connected. */
    async endOfSessions(caller: Caller, which: AppSessionChoice): Promise<number> {
      requirePerson(caller)
      return write(async (tx, emit) => {
        const ended = await tx.connectedApps.endOfSessions(caller.account.id, which, clock())
        emitDisconnected(emit, ended, 'session_ended')
        return ended.length
      })
    },
  }
}

export type ConnectedAppsService = ReturnType<typeof createConnectedAppsService>
