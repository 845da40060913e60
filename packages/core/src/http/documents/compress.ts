import { pipeline, type Readable, type Transform } from 'node:stream'
import { brotliCompress, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
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

/** The encoding for a response that is not encoded yet; undefined when it is sent as it is. */
function encodingOf(request: FastifyRequest, reply: FastifyReply): Encoding | undefined {
  const encoding = acceptedEncoding(request)
  if (encoding === undefined || (reply.getHeader('content-encoding') ?? 'identity') !== 'identity') return undefined
  // `Content-Range` counts bytes that are not encoded.
  if (reply.statusCode === 206 || reply.hasHeader('content-range')) return undefined
  return COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? 'application/json')) ? encoding : undefined
}

function setHeaders(reply: FastifyReply, encoding: Encoding): void {
  reply.header('content-encoding', encoding).removeHeader('content-length')
  const vary = [reply.getHeader('vary') ?? []].flat().join(', ')
  if (!/accept-encoding/i.test(vary)) reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`)
}

/**
 * Compresses a response for clients that accept it. The hook of @fastify/compress cannot be used: it adds itself after all hooks of
 * a route, so that none could give HEAD the headers of the compressed response.
 */
export const compress: onSendHookHandler = (request, reply, payload, done) => {
  const encoding = payload === null || payload === undefined ? undefined : encodingOf(request, reply)
  if (encoding === undefined) {
    done(null, payload)
    return
  }
  if (isStream(payload)) {
    setHeaders(reply, encoding)
    const compressed = STREAMS[encoding]()
    pipeline(payload, compressed, (error) => {
      // A client may leave before the end.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') request.log.error({ err: error }, 'a response failed')
    })
    done(null, compressed)
    return
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    done(null, payload)
    return
  }
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (bytes.length < MIN_COMPRESSED_BYTES) {
    done(null, payload)
    return
  }
  setHeaders(reply, encoding)
  if (bytes.length <= MAX_SYNC_BYTES) done(null, ENCODERS[encoding](bytes))
  else IN_THREAD[encoding](bytes, (error, compressed) => done(error as null, compressed))
}
