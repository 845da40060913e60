/** What a process holds after a garbage collection. */
export interface Held {
  readonly heapBytes: number
  /** Memory of buffers and other objects outside of the heap. */
  readonly externalBytes: number
  /** What keeps the event loop busy: sockets, timers, requests to the file system. */
  readonly resources: number
}

export interface Inspector {
  /** Collects garbage, and returns what is left. */
  measure(): Promise<Held>
  close(): void
}

const MEASURE = `JSON.stringify({
  heapBytes: process.memoryUsage().heapUsed,
  externalBytes: process.memoryUsage().external,
  resources: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate').length,
})`

/** Connects to the debugger of a process that was started with `--inspect`. */
export async function connectInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`No debugger at ${url}`)))
  })
  let last = 0
  const send = (method: string, params: object = {}) =>
    new Promise<{ readonly result?: { readonly value?: unknown } }>((resolve, reject) => {
      const id = ++last
      const read = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data))
        if (answer.id !== id) return
        socket.removeEventListener('message', read)
        if (answer.error) reject(new Error(answer.error.message))
        else resolve(answer.result)
      }
      socket.addEventListener('message', read)
      socket.send(JSON.stringify({ id, method, params }))
    })
  return {
    async measure() {
      await send('HeapProfiler.enable')
      // What finalizers release is collected the next time.
      for (let turn = 0; turn < 3; turn++) await send('HeapProfiler.collectGarbage')
      await send('HeapProfiler.disable')
      const { result } = await send('Runtime.evaluate', { expression: MEASURE, returnByValue: true })
      return JSON.parse(String(result?.value)) as Held
    },
    close: () => socket.close(),
  }
}
