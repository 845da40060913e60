import { tooManyStreams } from '../../../events/signals/index.ts'

const MAX_OF_ADDRESS = 2
const RETRY_AFTER_MS = 30_000

/** Counts the open streams of each address without an account, on this instance. */
export function createAddressSlots() {
  const open = new Map<string, number>()

  return {
    /**
     * Reserves a stream. Returns a function that releases it; it is called once.
     *
     * @throws `too_many_streams`
     */
    take(address: string): () => void {
      const count = open.get(address) ?? 0
      if (count >= MAX_OF_ADDRESS)
        throw tooManyStreams({ details: { limit: MAX_OF_ADDRESS }, retryAfterMs: RETRY_AFTER_MS })
      open.set(address, count + 1)
      return () => {
        const left = (open.get(address) ?? 1) - 1
        if (left > 0) open.set(address, left)
        else open.delete(address)
      }
    },
  }
}
