import { setTimeout as sleep } from 'node:timers/promises'
import type { Operations } from './operations.ts'

const TICK_MS = 10
/** Operations of so many seconds are open at the same time; more are not started, and counted. Clients give up at some point. */
const OPEN_SECONDS = 5
const MIN_OPEN = 30

/** Runs the operations of a mix, as fast as possible or at a rate. */
export function createLoad(mix: Operations['mix']) {
  const total = mix.reduce((sum, [, weight]) => sum + weight, 0)
  const open = new Set<Promise<void>>()
  let completed = 0
  let notStarted = 0

  function choose(): () => Promise<void> {
    let left = Math.random() * total
    for (const [operation, weight] of mix) {
      left -= weight
      if (left < 0) return operation
    }
    throw new RangeError('The mix is empty')
  }

  function begin(onError: (error: unknown) => void): Promise<void> {
    const run = choose()()
      .then(() => {
        completed += 1
      }, onError)
      .finally(() => open.delete(run))
    open.add(run)
    return run
  }

  return {
    open: () => open.size,
    completed: () => completed,
    /** Operations that were due while too many were open. */
    notStarted: () => notStarted,

    /** Returns how many operations a second a number of clients complete, each of which begins one after the other. */
    async measureMaximum(clients: number, seconds: number): Promise<number> {
      let failure: unknown
      const end = performance.now() + seconds * 1_000
      const before = completed
      const begun = performance.now()
      const client = async () => {
        while (performance.now() < end && failure === undefined) {
          await begin((error) => {
            failure = error
          })
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
      if (failure !== undefined) throw failure
      return ((completed - before) * 1_000) / (performance.now() - begun)
    },

    /** Begins operations at a rate per second, whether or not earlier ones are complete, until `signal` is aborted. */
    async run(rate: number, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
      const maxOpen = Math.max(MIN_OPEN, rate * OPEN_SECONDS)
      let due = 0
      let then = performance.now()
      while (!signal.aborted) {
        await sleep(TICK_MS)
        const now = performance.now()
        due += ((now - then) * rate) / 1_000
        then = now
        for (; due >= 1; due--) {
          if (open.size < maxOpen) void begin(onError)
          else notStarted += 1
        }
      }
    },

    /** Returns when no operation is open. */
    async idle(): Promise<void> {
      while (open.size > 0) await Promise.all(open)
    },
  }
}
