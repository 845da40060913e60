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

/**
 * Lets each work at one thing at a time, so that whoever asks for much waits for itself, and takes one place in the lines
 * behind.
 */
export function createLines() {
  const lines = new Map<string, { readonly turns: ReturnType<typeof createTurns>; length: number }>()

  return {
    /** How many of this name work or wait. */
    lengthOf: (name: string): number => lines.get(name)?.length ?? 0,

    /** @throws the reason of the signal, when it ends before the turn comes */
    async take<Result>(name: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
      const line = lines.get(name) ?? { turns: createTurns(1), length: 0 }
      lines.set(name, line)
      line.length += 1
      try {
        return await line.turns.take(signal, work)
      } finally {
        line.length -= 1
        if (line.length === 0) lines.delete(name)
      }
    },
  }
}

/** Who works at one thing at a time. */
export type Lines = ReturnType<typeof createLines>
