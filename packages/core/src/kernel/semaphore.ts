/**
 * Runs at most so many calls concurrently, the others in the order in which they came. Our own, because `p-limit` takes no
 * signal: a call whose client left would keep its place in the queue.
 */
export function createSemaphore(atOnce: number) {
  const waiting: (() => void)[] = []
  let free = atOnce

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      const place = waiting.indexOf(resolve)
      // Not in the queue any more: it runs.
      if (place < 0) return
      waiting.splice(place, 1)
      reject(signal?.reason)
    }
    waiting.push(resolve)
    signal?.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  return {
    /** How many calls run or wait. */
    size: (): number => atOnce - free + waiting.length,

    /** @throws the reason of the signal, when it is aborted before the call runs */
    async run<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
      await enter(signal)
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}

/** Runs one call at a time for each name, so that an account with many requests waits for itself only. */
export function createKeyedSemaphore() {
  const queues = new Map<string, { readonly semaphore: ReturnType<typeof createSemaphore>; length: number }>()

  return {
    /** How many calls of a name run or wait. */
    lengthOf: (name: string): number => queues.get(name)?.length ?? 0,

    /** @throws the reason of the signal, when it is aborted before the call runs */
    async run<Result>(name: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
      const queue = queues.get(name) ?? { semaphore: createSemaphore(1), length: 0 }
      queues.set(name, queue)
      queue.length += 1
      try {
        return await queue.semaphore.run(signal, work)
      } finally {
        queue.length -= 1
        if (queue.length === 0) queues.delete(name)
      }
    },
  }
}

/** One semaphore of one call for each name. */
export type KeyedSemaphore = ReturnType<typeof createKeyedSemaphore>
