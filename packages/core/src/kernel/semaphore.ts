/**
 * Limits how many calls run concurrently. The others wait, in order. `p-limit` does not accept an abort signal, so a call
 * whose client disconnected would keep its place in the queue.
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
      // No longer in the queue: it is running.
      if (place < 0) return
      waiting.splice(place, 1)
      reject(signal?.reason)
    }
    waiting.push(resolve)
    signal?.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  return {
    /** The number of running and waiting calls. */
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

/** Runs one call at a time for each name, so that an account with many requests delays only its own. */
export function createKeyedSemaphore() {
  const queues = new Map<string, { readonly semaphore: ReturnType<typeof createSemaphore>; length: number }>()

  return {
    /** The number of running and waiting calls of a name. */
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

/** A limit on concurrent work for each name. */
export type KeyedSemaphore = ReturnType<typeof createKeyedSemaphore>
