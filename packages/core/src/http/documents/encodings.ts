import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { memoized } from '../../kernel/memoized.ts'

/** The encodings of compressed responses, in order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** Shorter responses are not compressed. */
export const MIN_COMPRESSED_BYTES = 1_024

/** Longer responses are compressed as a stream, because compressing them in one step would block the event loop. */
const MAX_COMPRESSED_BYTES = 65_536

export const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compress a response that is sent many times. */
export const ENCODERS: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, BROTLI_OPTIONS),
  gzip: (bytes) => gzipSync(bytes),
}

/** Missing from the types of negotiator. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): readonly string[]
}

function choose(accepted: string): Encoding | undefined {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } })
  const [best] = negotiator.encodings([...ENCODINGS, 'identity'], { preferred: ENCODINGS })
  return ENCODINGS.find((each) => each === best)
}

/** Returns the encoding that an `Accept-Encoding` header asks for. Memoized, because clients send the same few headers. */
const chosenEncoding = memoized(choose)

/** Returns the encoding for these bytes; undefined when they are sent uncompressed or compressed as a stream. */
export function encodingFor({ headers }: FastifyRequest, { length }: Buffer): Encoding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || length < MIN_COMPRESSED_BYTES || length > MAX_COMPRESSED_BYTES) return undefined
  return headers['x-no-compression'] === undefined ? chosenEncoding(String(accepted)) : undefined
}
