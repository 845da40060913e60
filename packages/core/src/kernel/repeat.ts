export interface RepeatOptions {
  readonly everyMs: number
  /** When the first turn begins; after `everyMs`, unless told. */
  readonly firstMs?: number | undefined
  /** The share of a pause that is left to chance, so that instances that start together do not work together. */
  readonly jitter?: number | undefined
  readonly onError: (error: unknown) => void
}

/** Does work again and again, one turn at a time with a pause between them. `signal` tells a turn to come to an end. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, firstMs = everyMs, jitter = 0, onError }: RepeatOptions,
) {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<unknown> | undefined

  const plan = (pauseMs: number) => {
    const wait = pauseMs * (1 + jitter * (Math.random() * 2 - 1))
    timer = setTimeout(() => {
      turn = work(stopping.signal)
        .catch(onError)
        .finally(() => {
          turn = undefined
          if (timer) plan(everyMs)
        })
    }, wait).unref()
  }

  return {
    start: () => plan(firstMs),
    /** Begins no turn any more and waits for the one under way. */
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      timer = undefined
      await turn
    },
  }
}
