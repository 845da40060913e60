import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BlobContent } from '../../ports/blob-store.ts'

export const MIB = 1024 * 1024
const CHUNK = 64 * 1024

/** Bytes that depend on their position and their key, so that a misplaced byte is detected. */
export function bytesFor(seed: string, size: number): Buffer {
  const block = createHash('sha512').update(seed).digest()
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += block.length) {
    block.writeUInt32BE(at >>> 0, 0)
    block.copy(bytes, at)
  }
  return bytes
}

/** A body whose source can be observed and held open. */
export interface HeldBody {
  readonly body: Readable
  /** Resolves when all bytes before the hold were requested. */
  readonly held: Promise<void>
  /** Ends it, or destroys it with an error. */
  release(error?: Error): void
}

export const bodyOf = (bytes: Buffer): Readable => Readable.from(chunksOf(bytes), { objectMode: false })

/** Yields these bytes, then waits until it is released. */
export function heldBody(bytes: Buffer): HeldBody {
  const held = Promise.withResolvers<void>()
  const chunks = chunksOf(bytes)
  const body = new Readable({
    read() {
      const { done, value } = chunks.next()
      if (done) held.resolve()
      else this.push(value)
    },
  })
  return {
    body,
    held: held.promise,
    release: (error) => void (error ? body.destroy(error) : body.push(null)),
  }
}

/** Reads all bytes. Throws the error of the stream. */
export async function bytesIn(content: BlobContent | undefined): Promise<Buffer | undefined> {
  if (!content) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of content.body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function* chunksOf(bytes: Buffer): Generator<Buffer, undefined> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}
