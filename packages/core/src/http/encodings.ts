import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { memoized } from '../kernel/memoized.ts'

/** The encodings of compressed answers, the preferred one first. */
export const ENCODINGS = ['br', 'gzip'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** Shorter answers are sent as they are. */
export const MIN_COMPRESSED_BYTES = 1_024

/** Longer ones would keep other requests waiting while they are compressed, so they are compressed as they are sent. */
const MAX_COMPRESSED_BYTES = 65_536

export const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compress an answer that is sent again and again. */
export const ENCODERS: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, BROTLI_OPTIONS),
  gzip: (bytes) => gzipSync(bytes),
}

/**
 * The `Vary` of a representation: with the encoding if these bytes are long enough to be compressed. It is the same for
 * compressed and plain answers and for 304, so that caches select between them. In lower case, so that @fastify/compress
 * finds it and does not add it again.
 */
export const varyOf = (vary: string, { length }: Buffer): string =>
  length < MIN_COMPRESSED_BYTES ? vary : `${vary}, accept-encoding`

/** What the types of negotiator leave out. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): readonly string[]
}

function choose(accepted: string): Encoding | undefined {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } })
  const [best] = negotiator.encodings([...ENCODINGS, 'identity'], { preferred: ENCODINGS })
  return ENCODINGS.find((each) => each === best)
}

/** The encoding that an `Accept-Encoding` header asks for. The same few headers come again and again, so each is parsed once. */
const chosenEncoding = memoized(choose)

/** How a client wants these bytes to be compressed; undefined when they are sent as they are, or compressed on the way. */
export function encodingFor({ headers }: FastifyRequest, { length }: Buffer): Encoding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || length < MIN_COMPRESSED_BYTES || length > MAX_COMPRESSED_BYTES) return undefined
  return headers['x-no-compression'] === undefined ? chosenEncoding(String(accepted)) : undefined
}
