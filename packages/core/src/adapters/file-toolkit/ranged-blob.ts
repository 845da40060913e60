import type { ReadRange } from '../../ports/file-toolkit.ts'

const BLOCK_BYTES = 262_144
const MAX_BLOCKS = 8

/**
 * The part of a `Blob` that the parser uses, for bytes that are read in blocks from elsewhere. Some blocks are cached.
 */
export function rangedBlob(size: number, read: ReadRange): Blob {
  const blocks = new Map<number, Promise<Uint8Array>>()

  const block = (index: number): Promise<Uint8Array> => {
    const known = blocks.get(index)
    if (known) return known
    const start = index * BLOCK_BYTES
    const bytes = read(start, Math.min(start + BLOCK_BYTES, size))
    blocks.set(index, bytes)
    const [oldest] = blocks.keys()
    if (blocks.size > MAX_BLOCKS && oldest !== undefined) blocks.delete(oldest)
    return bytes
  }

  async function bytesOf(start: number, end: number): Promise<ArrayBuffer> {
    const wanted = new Uint8Array(end - start)
    for (let at = start; at < end; ) {
      const index = Math.floor(at / BLOCK_BYTES)
      const from = at - index * BLOCK_BYTES
      const part = (await block(index)).subarray(from, from + end - at)
      if (part.length === 0) throw new RangeError('Unexpected end of data')
      wanted.set(part, at - start)
      at += part.length
    }
    return wanted.buffer
  }

  const slice = (start = 0, end = size) => ({ arrayBuffer: () => bytesOf(start, Math.max(start, Math.min(end, size))) })
  // The parser uses these three members of a Blob only.
  return { size, type: '', slice } as unknown as Blob
}
