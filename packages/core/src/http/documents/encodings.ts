import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { memoized } from '../../kernel/memoized.ts'

/** The encodings of compressed responses, in order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** Shorter responses are not compressed. */
export const MIN_COMPRESSED_BYTES = 1_024

/** Longer responses are compressed for each request: keeping them would use too much memory. */
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
  // RFC 9110, 8.4.1.3: `x-gzip` is another name of gzip.
  const headers = { 'accept-encoding': accepted.replaceAll(/x-gzip/gi, 'gzip') }
  const negotiator: EncodingNegotiator = new Negotiator({ headers })
  const [best] = negotiator.encodings([...ENCODINGS, 'identity'], { preferred: ENCODINGS })
  return ENCODINGS.find((each) => each === best)
}

/** Returns the encoding that an `Accept-Encoding` header asks for. Memoized, because clients send the same few headers. */
const chosenEncoding = memoized(choose)

/** Returns the encoding that a client accepts; undefined for none. */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || headers['x-no-compression'] !== undefined) return undefined
  return chosenEncoding(String(accepted))
}

/** Returns the encoding for these bytes; undefined when they are not kept compressed. */
export const encodingFor = (request: FastifyRequest, { length }: Buffer): Encoding | undefined =>
  length < MIN_COMPRESSED_BYTES || length > MAX_COMPRESSED_BYTES ? undefined : acceptedEncoding(request)
