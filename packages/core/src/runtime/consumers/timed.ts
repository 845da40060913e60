import { createTaskLoop } from '../../kernel/task-loop.ts'
import type { Consumer } from './consumers.ts'

export interface TimedOptions {
  readonly everyMs: number
  /** The pause before the first turn. Default: `everyMs`. */
  readonly firstMs?: number | undefined
  /** The share of a pause that is random, so that instances that start together do not work together. Default: 0. */
  readonly jitter?: number | undefined
  readonly onError: (error: unknown) => void
}

/** Runs work periodically, one turn at a time with a pause between turns. `signal` aborts a turn when the consumer stops. */
export function timed(
  work: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, firstMs = everyMs, jitter = 0, onError }: TimedOptions,
): Consumer {
  const pause = (ms: number) => ms * (1 + jitter * (Math.random() * 2 - 1))
  const turn = async (signal: AbortSignal) => {
    await work(signal).catch(onError)
    return pause(everyMs)
  }
  return createTaskLoop(turn, { firstMs: pause(firstMs) })
}

/** {@link timed} for work that deletes what is due. `purge` does it now, and passes errors on. */
export const timedPurge = (work: (signal: AbortSignal) => Promise<unknown>, options: TimedOptions) => ({
  ...timed(work, options),
  purge: work,
})
