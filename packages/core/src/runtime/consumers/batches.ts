import { setTimeout as sleep } from 'node:timers/promises'

/** The pause between two batches, in which other transactions get the locks and connections that they wait for. */
const PAUSE_MS = 20

/**
 * Repeats a step that handles up to a number of rows in a transaction, with pauses, until it handles fewer than `full`.
 * Nothing further is begun after `signal`. Returns the number of handled rows.
 *
 * @param full - Default: 1, which repeats the step until it handles nothing.
 */
export async function inBatches(step: () => Promise<number>, signal?: AbortSignal, full = 1): Promise<number> {
  let deleted = 0
  for (;;) {
    if (signal?.aborted) return deleted
    const last = await step()
    deleted += last
    if (last < full) return deleted
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}
