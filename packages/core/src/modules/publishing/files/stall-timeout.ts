import type { Readable, Writable } from 'node:stream'

const WINDOW_MS = 60_000
/** The minimum of bytes per window. */
const LEAST_BYTES = 8_192

/**
 * Detects a stalled body: fewer than 8 KB within a minute, although the reader waits for more.
 *
 * @returns how to stop watching
 */
export function limitStall(body: Readable, reader: Writable, stalled: () => void): () => void {
  let came = 0
  const count = (chunk: Buffer) => {
    came += chunk.length
  }
  body.on('data', count)
  const timer = setInterval(() => {
    const isOurs = reader.writableNeedDrain || reader.writableLength > 0
    if (came < LEAST_BYTES && !isOurs && !body.readableEnded) stalled()
    came = 0
  }, WINDOW_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    body.off('data', count)
  }
}
