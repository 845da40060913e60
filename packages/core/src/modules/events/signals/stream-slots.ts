import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { tooManyStreams } from './errors.ts'

export interface StreamSlotSettings {
  readonly planLimits: PlanTable
  readonly anonymousStreams: number
}

const RETRY_AFTER_MS = 30_000

/** Counts the open streams and sockets of each account, and of each address without an account, on this instance. */
export function createStreamSlots({ planLimits, anonymousStreams }: StreamSlotSettings) {
  const open = new Map<string, number>()

  return {
    /**
     * Reserves a stream or socket. Returns a function that releases it.
     *
     * @param address - of the client; counts only without an account
     * @throws `too_many_streams`
     */
    take(caller: Caller | undefined, address?: string | undefined): () => void {
      const key = caller ? `account:${caller.account.id}` : `address:${address}`
      const limit = caller ? planLimits(caller.account.tier).concurrentStreams : anonymousStreams
      const count = open.get(key) ?? 0
      if (count >= limit) {
        throw tooManyStreams({ details: { limit }, retryAfterMs: RETRY_AFTER_MS })
      }
      open.set(key, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (open.get(key) ?? 1) - 1
        if (left > 0) open.set(key, left)
        else open.delete(key)
      }
    },
  }
}

export type StreamSlots = ReturnType<typeof createStreamSlots>
