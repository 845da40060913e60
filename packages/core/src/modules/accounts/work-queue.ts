import { loginCapacityExceeded } from './errors.ts'

export interface WorkQueueOptions {
  /** How many tasks run concurrently. */
  readonly concurrency: number
  /** How many may wait for their turn. */
  readonly maxWaiting: number
}

/** Runs work a few at a time and first come, first served; throws `login_capacity_exceeded` when too many wait already. */
export function createWorkQueue({ concurrency, maxWaiting }: WorkQueueOptions) {
  const waiting: (() => void)[] = []
  let running = 0

  async function turn(): Promise<void> {
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting.length >= maxWaiting) throw loginCapacityExceeded({ headers: { 'Retry-After': '2' } })
    // A finished task hands its slot on, so `running` does not change.
    await new Promise<void>((start) => waiting.push(start))
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await turn()
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
