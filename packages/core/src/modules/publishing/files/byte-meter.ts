import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { EepError } from '../../../kernel/errors.ts'
import { SAMPLE_BYTES } from './content-type.ts'

/** Passes bytes through, and counts and hashes them. */
export interface ByteMeter {
  readonly bytes: Transform
  size(): number
  /** The bytes from the first one on that is not ASCII, as many as a sample has; empty when the sample contains it. */
  later(): Uint8Array
  /** The digest of all bytes, hexadecimal. Can be called once, at the end. */
  sha256(): string
}

export interface ByteMeterOptions {
  /** Receives the first bytes before later ones are passed on; an error that it throws ends the stream. */
  readonly identify?: ((sample: Uint8Array) => Promise<void>) | undefined
  /** Called with the number of bytes so far; an error that it returns ends the stream. */
  readonly refuse: (size: number, added: number) => EepError | undefined
}

export function createByteMeter({ identify, refuse }: ByteMeterOptions): ByteMeter {
  const hash = createHash('sha256')
  const first: Buffer[] = []
  const later: Buffer[] = []
  let laterBytes = 0
  let isTold = identify === undefined
  let size = 0
  let sampled = identify === undefined

  const look = async () => {
    sampled = true
    const sample = Buffer.concat(first.splice(0))
    isTold = !isAscii(sample)
    await identify?.(sample)
  }
  const collect = (chunk: Buffer) => {
    if (isTold || laterBytes >= SAMPLE_BYTES || (laterBytes === 0 && isAscii(chunk))) return
    const start = laterBytes === 0 ? chunk.findIndex((byte) => byte > 0x7f) : 0
    const part = chunk.subarray(start, start + SAMPLE_BYTES - laterBytes)
    laterBytes += part.length
    later.push(Buffer.from(part))
  }
  const bytes = new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      try {
        if (!sampled) first.push(chunk.subarray(0, SAMPLE_BYTES - size))
        size += chunk.length
        if (!sampled && size >= SAMPLE_BYTES) await look()
        const refusal = refuse(size, chunk.length)
        if (refusal) return done(refusal)
        if (sampled) collect(chunk)
        hash.update(chunk)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
    async flush(done) {
      try {
        if (!sampled) await look()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  // The reader may not have started yet.
  bytes.on('error', () => {})
  return { bytes, size: () => size, later: () => Buffer.concat(later), sha256: () => hash.digest('hex') }
}
