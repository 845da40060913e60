import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The encodings that a scan accepts. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

/** A decoded body. */
export interface DecodedBody {
  readonly body: Buffer
  /** Whether only its start was decoded: it is longer than the limit, or incomplete. */
  readonly isCut: boolean
}

/**
 * Decodes a body up to `maxBytes`: decoding stops there, so a small body cannot become a large one. Undefined when the
 * encoding is unknown, or nothing of the body can be decoded.
 */
export async function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<DecodedBody | undefined> {
  const name = encoding?.trim().toLowerCase() ?? ''
  // A response without a body, such as 304, may still name the encoding of the page.
  if (body.length === 0 || name === '' || name === 'identity') return { body, isCut: false }
  const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (!create) return undefined
  const decoder = create()
  const parts: Buffer[] = []
  let length = 0
  const joined = (isCut: boolean): DecodedBody => ({ body: Buffer.concat(parts).subarray(0, maxBytes), isCut })
  try {
    decoder.end(body)
    for await (const part of decoder as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length > maxBytes) return joined(true)
    }
    return joined(false)
  } catch {
    return length > 0 ? joined(true) : undefined
  }
}
