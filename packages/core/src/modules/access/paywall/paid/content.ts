import { createHash, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { payloadTooLarge } from '../../../../http/pipeline/error-handler.ts'
import { contentDigestMismatch } from './options.ts'

/** The length that a request names for its body: 0 without one, undefined when it names none. */
export function contentLength({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  const length = headers['content-length']
  return length === undefined ? 0 : Number(length)
}

/**
 * Reads a body whole.
 *
 * @throws `payload_too_large` above `limit` bytes
 */
export async function readContent(payload: NodeJS.ReadableStream, limit: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of payload) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > limit) throw payloadTooLarge()
    parts.push(bytes)
  }
  return Buffer.concat(parts, length)
}

/** A body that was read, for Fastify to parse. It compares the length with the one that the request names. */
export const replay = (content: Buffer): Readable =>
  Object.assign(Readable.from(content.length === 0 ? [] : [content], { objectMode: false }), {
    receivedEncodedLength: content.length,
  })

const DIGEST = /(?:^|,)\s*(sha-256|sha-512)=:([A-Za-z0-9+/]{1,88}={0,2}):/g

/**
 * Compares a body with its `Content-Digest` (RFC 9530). Algorithms other than `sha-256` and `sha-512` are ignored.
 *
 * @throws `content_digest_mismatch`
 */
export function checkDigest({ headers }: FastifyRequest, content: Buffer): void {
  const named = headers['content-digest']
  if (named === undefined) return
  for (const [, algorithm = '', value = ''] of String(named).matchAll(DIGEST)) {
    const own = createHash(algorithm.replace('-', '')).update(content).digest()
    const given = Buffer.from(value, 'base64')
    if (given.length !== own.length || !timingSafeEqual(given, own)) throw contentDigestMismatch()
  }
}

/** The bytes of an answer; undefined for a stream. */
export function answerBytes(payload: unknown): Buffer | undefined {
  if (payload === undefined || payload === null) return Buffer.alloc(0)
  if (typeof payload === 'string') return Buffer.from(payload)
  if (payload instanceof Uint8Array) return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  return undefined
}
