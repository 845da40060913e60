import { createSemaphore } from '../../../kernel/semaphore.ts'
import { loginCapacityExceeded } from './errors.ts'

export interface WorkQueueOptions {
  /** How many calls run concurrently. */
  readonly concurrency: number
  /** How many calls may wait. */
  readonly maxWaiting: number
}

/** Runs a few calls at a time, first come, first served. Throws `login_capacity_exceeded` when too many are waiting. */
export function createWorkQueue({ concurrency, maxWaiting }: WorkQueueOptions) {
  const semaphore = createSemaphore(concurrency)
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (semaphore.size() >= concurrency + maxWaiting) throw loginCapacityExceeded({ retryAfterMs: 2_000 })
    return semaphore.run(undefined, work)
  }
}
