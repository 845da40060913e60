import { locationNotRemovable } from './errors.ts'
import type { ReadBytes } from './image-header.ts'
import { itemExtentsOf } from './iso-items.ts'

/** Bytes to write over a file, in place: `bytes`, or zeros. */
export interface Patch {
  readonly start: number
  readonly length: number
  readonly bytes?: Buffer
}

/** The type, the bounds and the bounds of the content of a box. */
export interface Box {
  readonly type: string
  readonly start: number
  readonly contentStart: number
  readonly end: number
}

const MAX_BOXES = 50_000
const MAX_DEPTH = 16
/** The limits of a file: its lists of items, and the places that these name. */
const MAX_ITEM_LISTS = 16
const MAX_EXTENTS = 10_000
/** The limit of tables that are read into memory. */
const MAX_TABLE_BYTES = 1_048_576

const FREE = Buffer.from('free')
const XMP = 'be7acfcb97a942e89c71999491e3afac'
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf', 'udta', 'ilst'])
/** Boxes with a place, or with XMP, which may have one. */
const PLACES = new Set(['\xA9xyz', '@xyz', 'loci', 'gps ', 'XMP_'])
/** Samples that are places, one after the other. */
const PLACE_SAMPLES = new Set(['gpmd', 'camm'])
const PLACE_KEY = /location|gps/i

/**
 * Finds the location in an ISO media file (HEIC, HEIF, AVIF, MP4, MOV, M4A, 3GP), as patches that keep its size and all
 * offsets: metadata items become zeros, other boxes become free space. Only the boxes are read, no media.
 *
 * @throws `location_not_removable` when the boxes cannot be walked, or a track records where it was taken
 */
export async function locationInIsoMedia(read: ReadBytes, size: number): Promise<readonly Patch[]> {
  const patches: Patch[] = []
  let count = 0
  let itemLists = 0
  let extents = 0

  const free = ({ start, contentStart, end }: Box) => {
    patches.push({ start: start + 4, length: FREE.length, bytes: FREE })
    patches.push({ start: contentStart, length: end - contentStart })
  }

  async function boxesIn(start: number, end: number): Promise<readonly Box[]> {
    const boxes: Box[] = []
    for (let at = start; at < end; ) {
      const header = await read(at, Math.min(16, end - at))
      // A list may end with zeros, which are not a box.
      if (end - at < 8 && header.every((byte) => byte === 0)) break
      const box = boxOf(header, at, end)
      count += 1
      if (!box || count > MAX_BOXES) throw locationNotRemovable()
      boxes.push(box)
      at = box.end
    }
    return boxes
  }

  async function table({ contentStart, end }: Box): Promise<Buffer> {
    if (end - contentStart > MAX_TABLE_BYTES) throw locationNotRemovable()
    const bytes = await read(contentStart, end - contentStart)
    if (bytes.length < end - contentStart) throw locationNotRemovable()
    return bytes
  }

  async function walk(start: number, end: number, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw locationNotRemovable()
    for (const box of await boxesIn(start, end)) {
      if (PLACES.has(box.type)) free(box)
      else if (box.type === 'uuid') {
        if ((await read(box.contentStart, 16)).toString('hex') === XMP) free(box)
      } else if (box.type === 'cmov') throw locationNotRemovable()
      else if (box.type === 'stsd') assertNoPlaces(await table(box))
      else if (box.type === 'meta') await walkMeta(box, depth)
      else if (CONTAINERS.has(box.type)) await walk(box.contentStart, box.end, depth + 1)
    }
  }

  async function walkMeta(meta: Box, depth: number): Promise<void> {
    // QuickTime has no version before the boxes.
    const isPlain = (await read(meta.contentStart + 4, 4)).toString('latin1') === 'hdlr'
    const start = meta.contentStart + (isPlain ? 0 : 4)
    if (start >= meta.end) return
    const boxes = await boxesIn(start, meta.end)
    const find = (type: string) => boxes.find((box) => box.type === type)
    const handler = find('hdlr')
    const kind = handler && (await read(handler.contentStart + 8, 4)).toString('latin1')
    if (kind === 'mdta') return free(meta)
    const items = find('iinf')
    const places = find('iloc')
    if (items && places) {
      itemLists += 1
      if (itemLists > MAX_ITEM_LISTS) throw locationNotRemovable()
      const found = itemExtentsOf(await table(items), await table(places))
      extents += found.length
      if (extents > MAX_EXTENTS) throw locationNotRemovable()
      const data = find('idat')
      for (const { isInData, offset, length } of found) {
        if (isInData && !data) throw locationNotRemovable()
        const first = (isInData && data ? data.contentStart : 0) + offset
        if (first + length > (isInData && data ? data.end : size)) throw locationNotRemovable()
        patches.push({ start: first, length })
      }
    }
    await walk(start, meta.end, depth + 1)
  }

  await walk(0, size, 0)
  return patches
}

/** Undefined when these bytes are not the header of a box that ends before `limit`. */
function boxOf(header: Buffer, start: number, limit: number): Box | undefined {
  if (header.length < 8) return undefined
  const type = header.toString('latin1', 4, 8)
  let size = header.readUInt32BE(0)
  let length = 8
  if (size === 1) {
    if (header.length < 16) return undefined
    size = Number(header.readBigUInt64BE(8))
    length = 16
  } else if (size === 0) size = limit - start
  if (size < length || start + size > limit) return undefined
  return { type, start, contentStart: start + length, end: start + size }
}

/** Refuses descriptions of samples (the content of `stsd`) that are places. */
function assertNoPlaces(descriptions: Buffer): void {
  for (let at = 8; at < descriptions.length; ) {
    const entry = boxOf(descriptions.subarray(at, at + 16), at, descriptions.length)
    if (!entry) {
      // Some writers end the list with zeros.
      if (descriptions.subarray(at).every((byte) => byte === 0)) return
      throw locationNotRemovable()
    }
    const isPlace =
      PLACE_SAMPLES.has(entry.type) ||
      // The keys of timed metadata.
      (entry.type === 'mebx' && PLACE_KEY.test(descriptions.toString('latin1', entry.contentStart, entry.end)))
    if (isPlace) {
      throw locationNotRemovable({
        message: 'A track of this file records its location over time; remove the track or share a copy without it',
      })
    }
    at = entry.end
  }
}
