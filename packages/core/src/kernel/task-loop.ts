import { AsyncLocalStorage } from 'node:async_hooks'

export interface TaskLoop {
  /** Starts the first turn after `firstMs`. */
  start(): void
  /** Starts the next turn now, or directly after the running one. */
  wake(): void
  /** Starts no further turn and waits for the running one. */
  stop(): Promise<void>
}

export interface TaskLoopOptions {
  readonly firstMs?: number | undefined
}

/**
 * Runs turns of work, one at a time. Turns do not belong to the request that woke the loop: they run in the asynchronous
 * context in which the loop was created.
 *
 * @param turn - handles its own errors, and returns the number of milliseconds until the next turn; `signal` is aborted
 *   when the loop stops
 */
export function createTaskLoop(
  turn: (signal: AbortSignal) => Promise<number>,
  { firstMs = 0 }: TaskLoopOptions = {},
): TaskLoop {
  const outside = AsyncLocalStorage.snapshot()
  let stopping = new AbortController()
  let isRunning = false
  let isWanted = false
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | undefined

  const plan = (ms: number) => {
    timer = setTimeout(wake, ms).unref()
  }

  async function run(signal: AbortSignal) {
    let pauseMs: number
    do {
      isWanted = false
      pauseMs = await turn(signal)
    } while (isWanted && isRunning)
    current = undefined
    if (isRunning) plan(pauseMs)
  }

  function wake() {
    if (!isRunning) return
    isWanted = true
    clearTimeout(timer)
    current ??= outside(run, stopping.signal)
  }

  return {
    start() {
      if (isRunning) return
      isRunning = true
      stopping = new AbortController()
      if (firstMs > 0) plan(firstMs)
      else wake()
    },
    wake,
    async stop() {
      isRunning = false
      stopping.abort()
      clearTimeout(timer)
      await current
    },
  }
}
