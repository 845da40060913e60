import type { Consumers } from '../../consumers/consumers.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isEepError } from '../../kernel/errors.ts'
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
/** How often users of the host are recognised again: their sessions end without an event. */
const CHECK_HOST_USERS_MS = 60_000

/** Ends connections whose credentials ended, on this or another instance. */
export function createCredentialWatches({ clock, consumers, onError }: CredentialWatchDeps) {
  const watches = new Map<string, Set<Watched>>()
  let hostUsersCheckedAtMs = Date.now()

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
    const areHostUsersDue = now - hostUsersCheckedAtMs >= CHECK_HOST_USERS_MS
    if (areHostUsersDue) hostUsersCheckedAtMs = now
    for (const each of [...watches.values()].flatMap((ofAccount) => [...ofAccount])) {
      const caller = each.caller()
      if (hasExpired(caller)) each.end('expired')
      else if (each.isUnknown() || (areHostUsersDue && caller.via === 'host')) each.check()
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
      const watched = createWatched(connection, remove, onError)
      watches.set(accountId, ofAccount.add(watched))
      watched.check()
      return watched
    },
  }
}

interface Watched extends CredentialWatch {
  caller(): Caller
  /** Whether the last check could not be made, and none is running. */
  isUnknown(): boolean
  end(reason: CredentialEnd): void
}

function createWatched(connection: WatchedConnection, remove: () => void, onError: (error: unknown) => void): Watched {
  let isChecking = false
  let isWanted = false
  let isUnknown = false
  let isOpen = true

  function stop(): boolean {
    if (!isOpen) return false
    isOpen = false
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

  async function run(): Promise<void> {
    let found: Caller | 'revoked' | undefined
    do {
      isWanted = false
      found = await recognise()
      // What happened during a check may be missing in its answer.
    } while (isWanted && isOpen)
    isChecking = false
    isUnknown = found === undefined
    if (!isOpen || found === undefined) return
    if (found === 'revoked') end('revoked')
    else connection.onConfirmed?.(found)
  }

  return {
    caller: connection.caller,
    isUnknown: () => isUnknown && !isChecking,
    check() {
      isWanted = true
      if (isChecking || !isOpen) return
      isChecking = true
      run().catch(onError)
    },
    end,
    stop: () => void stop(),
  }
}

export type CredentialWatches = ReturnType<typeof createCredentialWatches>
