import { type Measured, median, type Pair, p95 } from './measure.ts'

/** A row of the results. */
export type SearchRow = Pair & { readonly what: string; readonly against: string; readonly must: number }

export const measured = (times: readonly number[]): Measured => ({
  requestsPerSecond: 1_000 / median(times),
  p99Ms: Math.round(p95(times) * 100) / 100,
})

/** A rate without times. */
export const rateOf = (requestsPerSecond: number): Measured => ({ requestsPerSecond, p99Ms: Number.NaN })

/** How many milliseconds some work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
