import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { createSemaphore } from '../../../kernel/semaphore.ts'
import { createTaskLoop } from '../../../kernel/task-loop.ts'
import { type Caller, isIdentifiedOutside } from '../../../model/caller.ts'
import type { Consumers } from '../../../runtime/consumers/consumers.ts'
import type { EventCatalogue } from '../../../runtime/events/catalogue.ts'

/** Why a credential is no longer valid. */
export type CredentialEnd = 'expired' | 'revoked'

/** A connection that lasts as long as its credential. */
export interface WatchedConnection {
  /** The caller at the last successful check. */
  caller(): Caller
  /** Authenticates the caller again. Throws when the credential is no longer valid. */
  authenticate(): Promise<Caller>
  /** Called with the caller after each successful check. */
  onConfirmed?(caller: Caller): void
  /** Called once when the credential is no longer valid. */
  onEnded(reason: CredentialEnd): void
}

/** The watch of one connection. */
export interface CredentialWatch {
  /** Checks the credential now, or again after a running check. */
  check(): void
  stop(): void
}

export interface CredentialWatchDeps {
  readonly clock: Clock
  readonly consumers: Pick<Consumers, 'liveUnordered'>
  /** Reports which events may end credentials of their account. */
  readonly catalogue: Pick<EventCatalogue, 'get'>
  readonly onError: (error: unknown) => void
}

/** Whether two callers receive the same events: with the same scopes, for the same profile. */
export function mayTheSame(one: Caller, other: Caller): boolean {
  if (one.profileId !== other.profileId) return false
  const [before, after] = [one.scopes, other.scopes]
  if (before === 'all' || after === 'all') return before === after
  return before.every((scope) => after.includes(scope)) && after.every((scope) => before.includes(scope))
}

const TICK_MS = 1_000
/** The interval of checks for users of the host and for credentials of modules, which end without an event. Varies by a quarter. */
const CHECK_HOST_USERS_MS = 60_000
const JITTER = 0.25
/** The maximum number of concurrent urgent checks: those after events and for new connections. */
const MAX_CHECKS = 32
/** The maximum number of concurrent regular checks: those of users of the host, and retries after storage failures. */
const MAX_REGULAR_CHECKS = 8

/** Ends connections whose credentials were invalidated on this or another instance. */
export function createCredentialWatches({ clock, consumers, catalogue, onError }: CredentialWatchDeps) {
  const watches = new Map<string, Set<Watched>>()
  const lanes: Lanes = { urgent: createSemaphore(MAX_CHECKS), regular: createSemaphore(MAX_REGULAR_CHECKS) }

  // Reads early events too: an open transaction of another account, or a backlog, must not keep a revoked connection alive.
  const unlisten = consumers.liveUnordered(({ type, accountId }) => {
    if (accountId === null || !catalogue.get(type)?.endsCredentials) return
    for (const each of watches.get(accountId) ?? []) each.check()
  })

  const hasExpired = ({ expiresAt, sessionExpiresAt }: Caller): boolean => {
    const now = clock()
    return (expiresAt !== undefined && expiresAt <= now) || (sessionExpiresAt !== undefined && sessionExpiresAt <= now)
  }

  function tick(): void {
    const now = Date.now()
    for (const each of [...watches.values()].flatMap((ofAccount) => [...ofAccount])) {
      if (hasExpired(each.caller())) each.end('expired')
      else if (each.isDue(now)) each.check('regular')
    }
  }

  const loop = createTaskLoop(
    async () => {
      try {
        tick()
      } catch (error) {
        onError(error)
      }
      return TICK_MS
    },
    { firstMs: TICK_MS },
  )
  const worker: Worker = {
    start: loop.start,
    async stop() {
      unlisten()
      await loop.stop()
    },
  }

  return {
    worker,

    /**
     * Calls `onEnded` once when the credential of a connection is invalidated on any instance. The first check starts immediately,
     * because the credential may have been invalidated since the caller was authenticated.
     */
    watch(connection: WatchedConnection): CredentialWatch {
      const accountId = connection.caller().account.id
      const ofAccount = watches.get(accountId) ?? new Set()
      const remove = () => {
        ofAccount.delete(watched)
        if (ofAccount.size === 0 && watches.get(accountId) === ofAccount) watches.delete(accountId)
      }
      const watched = createWatched(connection, lanes, remove, onError)
      watches.set(accountId, ofAccount.add(watched))
      watched.check()
      return watched
    },
  }
}

/** Limits the concurrent checks of all connections. Regular checks do not delay urgent ones. */
type Lanes = Readonly<Record<'urgent' | 'regular', ReturnType<typeof createSemaphore>>>

interface Watched extends CredentialWatch {
  caller(): Caller
  /** Whether a regular check is due: every minute for a user of the host, and after a failed check. */
  isDue(nowMs: number): boolean
  /** Checks the credential as `CredentialWatch` does. Default: urgent. */
  check(lane?: keyof Lanes): void
  end(reason: CredentialEnd): void
}

/** The reason to remove a check from its queue. */
const LEFT = new Error('the check is no longer needed')

/** Adds jitter to a delay, so that connections that started together are not checked together. */
const spread = (ms: number) => ms * (1 + JITTER * (2 * Math.random() - 1))

function createWatched(
  connection: WatchedConnection,
  lanes: Lanes,
  remove: () => void,
  onError: (error: unknown) => void,
): Watched {
  let isChecking = false
  let isWanted = false
  let isOpen = true
  let dueAtMs = Number.POSITIVE_INFINITY
  /** Removes the check from its queue. Undefined once the check runs. */
  let queued: AbortController | undefined
  let isRegular = false

  function stop(): boolean {
    if (!isOpen) return false
    isOpen = false
    queued?.abort(LEFT)
    remove()
    return true
  }

  function end(reason: CredentialEnd): void {
    if (stop()) connection.onEnded(reason)
  }

  /** Returns the caller, `revoked` for an invalid credential, or undefined when the check failed. */
  async function recognize(): Promise<Caller | 'revoked' | undefined> {
    try {
      const caller = await connection.authenticate()
      return caller.account.id === connection.caller().account.id ? caller : 'revoked'
    } catch (error) {
      return isEepError(error) && error.status < 500 ? 'revoked' : undefined
    }
  }

  async function run(lane: keyof Lanes): Promise<void> {
    const place = new AbortController()
    queued = place
    isRegular = lane === 'regular'
    const found = await lanes[lane].run(place.signal, async () => {
      queued = undefined
      let last: Caller | 'revoked' | undefined
      do {
        isWanted = false
        last = await recognize()
        // The result of a check may lack a change that happened during it.
      } while (isWanted && isOpen)
      return last
    })
    isChecking = false
    if (!isOpen) return
    if (found === 'revoked') {
      end('revoked')
      return
    }
    if (found) connection.onConfirmed?.(found)
    dueAtMs = Date.now() + nextCheckMs(found)
  }

  /** The delay until the next regular check. */
  function nextCheckMs(found: Caller | undefined): number {
    if (found === undefined) return spread(TICK_MS)
    return isIdentifiedOutside(found) ? spread(CHECK_HOST_USERS_MS) : Number.POSITIVE_INFINITY
  }

  return {
    caller: connection.caller,
    isDue: (nowMs) => !isChecking && nowMs >= dueAtMs,
    check(lane = 'urgent') {
      if (!isOpen) return
      isWanted = true
      // An urgent check does not wait for regular ones.
      if (lane === 'urgent' && isRegular && queued) queued.abort(LEFT)
      else if (isChecking) return
      isChecking = true
      run(lane).catch((error: unknown) => {
        if (error !== LEFT) onError(error)
      })
    },
    end,
    stop: () => void stop(),
  }
}

export type CredentialWatches = ReturnType<typeof createCredentialWatches>
