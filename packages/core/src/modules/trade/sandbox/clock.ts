import { DAY_MS } from '../../../kernel/durations.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { clockMoved } from './events.ts'

/** How far the clock of the sandbox can be moved by one call. */
export type ClockStep = 'day' | 'month'

/** A month is as long as the longest one, so that each period of a month ends with it. */
const STEPS_MS: Readonly<Record<ClockStep, number>> = { day: DAY_MS, month: 31 * DAY_MS }

export interface MoveClockDeps extends Pick<GuardedStorage<'sandbox'>, 'write'> {
  /** Does what is due then, one after the other: renews and ends plans, sends reminders. */
  readonly after: readonly (() => Promise<unknown>)[]
}

/**
 * Returns what moves the ends of access and the periods of plans nearer, and does what is due then. Sessions, tokens and everything
 * else keep their times.
 */
export function createMoveClock({ write, after }: MoveClockDeps): (step: ClockStep) => Promise<void> {
  return async (step) => {
    await write(async (tx, emit) => {
      for (const profileId of await tx.sandboxPlans.moveClock(STEPS_MS[step])) emit(clockMoved, { step }, { profileId })
    })
    for (const work of after) await work()
  }
}
