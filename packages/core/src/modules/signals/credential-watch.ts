import type { Consumers } from '../../consumers/consumers.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isEepError } from '../../kernel/errors.ts'
import { createSemaphore } from '../../kernel/semaphore.ts'
import { createTaskLoop } from '../../kernel/task-loop.ts'
import type { Caller } from '../../model/caller.ts'
import type { Worker } from '../../module/define-module.ts'
import {
  accountBanned,
  accountTakenOver,
  deletionScheduled,
  passwordChanged,
  sessionsEnded,
} from '../accounts/events.ts'
import { keyRevoked, keyRotated } from '../api-keys/events.ts'

/** Why a credential does not count any more. */
export type CredentialEnd = 'expired' | 'revoked'

/** A connection that lasts as long as its credential. */
export interface WatchedConnection {
  /** Its caller, as last recognised. */
  caller(): Caller
  /** Recognises the caller again; throws when the credential does not count any more. */
  authenticate(): Promise<Caller>
  /** Called with the caller of each check that succeeded. */
  onConfirmed?(caller: Caller): void
  /** Called once when the credential has ended. */
  onEnded(reason: CredentialEnd): void
}

/** The watch over one connection. */
export interface CredentialWatch {
  /** Checks the credential now, or once more after the check that is running. */
  check(): void
  stop(): void
}

export interface CredentialWatchDeps {
  readonly clock: Clock
  readonly consumers: Pick<Consumers, 'liveUnordered'>
  readonly onError: (error: unknown) => void
}

/** After these events credentials of their account may not count any more. */
const ENDING: ReadonlySet<string> = new Set(
  [sessionsEnded, passwordChanged, accountTakenOver, accountBanned, deletionScheduled, keyRevoked, keyRotated].map(
    ({ type }) => type,
  ),
)

const TICK_MS = 1_000
/** How often users of the host are recognised again: their sessions end without an event. A quarter sooner or later. */
const CHECK_HOST_USERS_MS = 60_000
const JITTER = 0.25
/** Checks that are made at the same time because of an event or for a new connection, which are urgent. */
const MAX_CHECKS = 32
/** Checks of users of the host, and after the storage was unavailable, that are made at the same time. */
const MAX_REGULAR_CHECKS = 8

/** Ends connections whose credentials ended, on this or another instance. */
export function createCredentialWatches({ clock, consumers, onError }: CredentialWatchDeps) {
  const watches = new Map<string, Set<Watched>>()
  const lanes: Lanes = { urgent: createSemaphore(MAX_CHECKS), regular: createSemaphore(MAX_REGULAR_CHECKS) }

  // Not in order: an open transaction of another account, or a backlog, must not keep a revoked connection alive.
  const unlisten = consumers.liveUnordered(({ type, accountId }) => {
    if (accountId === null || !ENDING.has(type)) return
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
     * Calls `onEnded` once when the credential of a connection has ended, on any instance. The first check begins now: the
     * credential may have ended since the caller was recognised.
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

/** Limits the checks of all connections together. Regular ones, which may be many, do not delay those after an event. */
type Lanes = Readonly<Record<'urgent' | 'regular', ReturnType<typeof createSemaphore>>>

interface Watched extends CredentialWatch {
  caller(): Caller
  /** Whether a regular check is due: a user of the host is checked every minute, and a check that failed is made again. */
  isDue(nowMs: number): boolean
  /** Checks the credential as `CredentialWatch` does. Default: urgent. */
  check(lane?: keyof Lanes): void
  end(reason: CredentialEnd): void
}

/** Why a check left its queue. */
const LEFT = new Error('the check is not wanted any more')

/** A while of this length, a little shorter or longer, so that connections that began together do not stay together. */
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
  /** Leaves the queue of regular checks, or of urgent ones; undefined once the check runs. */
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

  /** The caller, `revoked` when the credential does not count, undefined while that is unknown. */
  async function recognise(): Promise<Caller | 'revoked' | undefined> {
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
        last = await recognise()
        // What happened during a check may be missing in its answer.
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

  /** How long until the next check without an event. */
  function nextCheckMs(found: Caller | undefined): number {
    if (found === undefined) return spread(TICK_MS)
    return found.via === 'host' ? spread(CHECK_HOST_USERS_MS) : Number.POSITIVE_INFINITY
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
