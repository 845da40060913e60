import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** The encodings that a scan accepts. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

/**
 * Decodes a body. Undefined when the encoding is unknown, the body is damaged, or the result is longer than `maxBytes`:
 * decoding stops there, so a small body cannot become a large one.
 */
export async function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return body
  if (!Object.hasOwn(DECODERS, name)) return undefined
  try {
    return await DECODERS[name as keyof typeof DECODERS](body, { maxOutputLength: maxBytes })
  } catch {
    return undefined
  }
}
