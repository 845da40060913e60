/** Lets so many work at once, the others in the order in which they came. */
export function createTurns(atOnce: number) {
  const waiting: (() => void)[] = []
  let free = atOnce

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      const place = waiting.indexOf(resolve)
      // Whoever was let in is not in the line any more.
      if (place < 0) return
      waiting.splice(place, 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }

  return {
    /** @throws the reason of the signal, when it ends before the turn comes */
    async take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
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
