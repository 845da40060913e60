import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { EepError } from '../../kernel/errors.ts'
import { SAMPLE_BYTES } from './content-type.ts'

/** Lets bytes through and knows of them afterwards. */
export interface ByteMeter {
  readonly bytes: Transform
  size(): number
  /** Hexadecimal; once, at the end. */
  sha256(): string
  /** The first bytes. */
  sample(): Uint8Array
}

/** @param refuse - told how many bytes there are so far; what it answers ends them */
export function createByteMeter(refuse: (size: number, added: number) => EepError | undefined): ByteMeter {
  const hash = createHash('sha256')
  const first: Buffer[] = []
  let size = 0
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (size < SAMPLE_BYTES) first.push(chunk.subarray(0, SAMPLE_BYTES - size))
      size += chunk.length
      const refusal = refuse(size, chunk.length)
      if (refusal) return done(refusal)
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // Whoever reads it may not have begun yet.
  bytes.on('error', () => {})
  return { bytes, size: () => size, sha256: () => hash.digest('hex'), sample: () => Buffer.concat(first) }
}
