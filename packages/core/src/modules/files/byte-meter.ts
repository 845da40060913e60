import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { EepError } from '../../kernel/errors.ts'
import { SAMPLE_BYTES } from './content-type.ts'

/** Passes bytes through, and counts and hashes them. */
export interface ByteMeter {
  readonly bytes: Transform
  size(): number
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
  let size = 0
  let sampled = identify === undefined

  const look = async () => {
    sampled = true
    await identify?.(Buffer.concat(first.splice(0)))
  }
  const bytes = new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      try {
        if (!sampled) first.push(chunk.subarray(0, SAMPLE_BYTES - size))
        size += chunk.length
        if (!sampled && size >= SAMPLE_BYTES) await look()
        const refusal = refuse(size, chunk.length)
        if (refusal) return done(refusal)
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
  return { bytes, size: () => size, sha256: () => hash.digest('hex') }
}
