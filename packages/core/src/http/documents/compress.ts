import { pipeline, type Readable, type Transform } from 'node:stream'
import { brotliCompress, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { acceptedEncoding, BROTLI_OPTIONS, ENCODERS, type Encoding, MIN_COMPRESSED_BYTES } from './encodings.ts'

/** Longer bodies are compressed in a thread, because compressing them here would block the event loop. */
const MAX_SYNC_BYTES = 8_192

/** Media types that compression makes smaller: images, media and archives are compressed already. */
const COMPRESSIBLE =
  /^text\/(?!event-stream)|[+/](?:json|text|toml|xml)(?:;|$)|octet-stream(?:;|$)|^image\/(?:bmp|x-icon)/

type Done = (error: Error | null, bytes: Buffer) => void

const IN_THREAD: Readonly<Record<Encoding, (bytes: Buffer, done: Done) => void>> = {
  br: (bytes, done) => brotliCompress(bytes, BROTLI_OPTIONS, done),
  gzip: (bytes, done) => gzip(bytes, done),
}

const STREAMS: Readonly<Record<Encoding, () => Transform>> = {
  br: () => createBrotliCompress(BROTLI_OPTIONS),
  gzip: () => createGzip(),
}

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Partial<Readable> | null)?.pipe === 'function'

/** Whether a response of this type and length is compressed for clients that accept it. */
export const isCompressible = (type: string, length: number): boolean =>
  length >= MIN_COMPRESSED_BYTES && COMPRESSIBLE.test(type)

/**
 * Adds `accept-encoding` to the `Vary` of a response. Compressed and uncompressed responses and 304 have it, so that caches select
 * between them.
 */
export function varyByEncoding(reply: FastifyReply): void {
  const vary = [reply.getHeader('vary') ?? []].flat().join(', ')
  if (!/accept-encoding/i.test(vary)) reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`)
}

/** The length of a response that may be compressed; undefined for those that are not. */
function lengthOf(reply: FastifyReply, payload: unknown): number | undefined {
  if ((reply.getHeader('content-encoding') ?? 'identity') !== 'identity') return undefined
  // `Content-Range` counts bytes that are not encoded.
  if (reply.statusCode === 206 || reply.hasHeader('content-range')) return undefined
  if (isStream(payload)) return Number.POSITIVE_INFINITY
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : undefined
}

/**
 * Compresses a response for clients that accept it. The hook of @fastify/compress cannot be used: it adds itself after all hooks of
 * a route, so that none could give HEAD the headers of the compressed response.
 */
export const compress: onSendHookHandler = (request, reply, payload, done) => {
  const length = lengthOf(reply, payload)
  const type = String(reply.getHeader('content-type') ?? 'application/json')
  if (length === undefined || !isCompressible(type, length)) {
    done(null, payload)
    return
  }
  const encoding = acceptedEncoding(request)
  const isStored = !String(reply.getHeader('cache-control') ?? '').includes('no-store')
  if (isStored || encoding !== undefined) varyByEncoding(reply)
  if (encoding === undefined) {
    done(null, payload)
    return
  }
  reply.header('content-encoding', encoding).removeHeader('content-length')
  if (isStream(payload)) {
    const compressed = STREAMS[encoding]()
    pipeline(payload, compressed, (error) => {
      // A client may leave before the end.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') request.log.error({ err: error }, 'a response failed')
    })
    done(null, compressed)
    return
  }
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload))
  if (bytes.length <= MAX_SYNC_BYTES) done(null, ENCODERS[encoding](bytes))
  else IN_THREAD[encoding](bytes, (error, compressed) => done(error as null, compressed))
}
