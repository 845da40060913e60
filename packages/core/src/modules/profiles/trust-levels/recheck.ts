import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { trustAgeReached } from './events.ts'

export interface RecheckDeps extends Pick<GuardedStorage<'trustLevels'>, 'write'> {
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 60_000
const FIRST_MS = 1_000
const BATCH = 100

/**
 * Emits an event for profiles whose account reached an age that affects trust, so that their level is determined again. The level
 * itself is stored only by the consumer of events, so that no older level replaces a newer one.
 */
export function createRecheck({ write, clock, onError }: RecheckDeps): Worker {
  const recheckSome = () =>
    write(async (tx, emit) => {
      const due = await tx.trustLevels.takeDue(clock(), BATCH)
      for (const profileId of due) emit(trustAgeReached, {}, { profileId })
      return due.length
    })

  async function recheck(signal: AbortSignal): Promise<void> {
    for (let taken = BATCH; taken === BATCH && !signal.aborted; ) taken = await recheckSome()
  }
  return timed(recheck, { everyMs: EVERY_MS, firstMs: FIRST_MS, jitter: 0.25, onError })
}
