import { crc32 } from 'node:zlib'
import { locationNotRemovable } from './errors.ts'
import { readOrientation, uprightExif } from './exif.ts'
import type { ReadBytes } from './image-header.ts'
import type { Patch } from './iso-media.ts'

/** The limit of segments, chunks and blocks of an image. */
const MAX_SEGMENTS = 100_000
const MAX_EXIF_BYTES = 1_048_576
const SCAN_BYTES = 65_536
const ZEROS = Buffer.alloc(SCAN_BYTES)

/** The parts that images of these types need to be drawn; all other parts become zeros. */
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI bKGD pHYs sBIT sPLT hIST acTL fcTL fdAT'.split(' '),
)
const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ICCP'])
const GIF_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

type Finder = (read: ReadBytes, size: number) => Promise<readonly Patch[]>

/**
 * Finders of what is neither the picture nor its colors in JPEG, PNG, WebP and GIF images: Exif, XMP, comments, previews and
 * appended data. They return patches that keep the size; the orientation stays, in Exif data without other entries.
 *
 * @throws `location_not_removable` when the segments cannot be walked
 */
export const metadataFinders: Readonly<Record<string, Finder>> = {
  'image/jpeg': metadataInJpeg,
  'image/png': metadataInPng,
  'image/apng': metadataInPng,
  'image/webp': metadataInWebp,
  'image/gif': metadataInGif,
}

async function metadataInJpeg(read: ReadBytes, size: number): Promise<readonly Patch[]> {
  const patches: Patch[] = []
  let hasExif = false
  let at = 2
  for (let segments = 0; at < size; segments++) {
    const head = await read(at, 4)
    const marker = head[1]
    if (head[0] !== 0xff || segments > MAX_SEGMENTS) throw locationNotRemovable()
    if (marker === undefined) break
    if (marker === 0xff) at += 1
    else if (marker === 0xd9) {
      patches.push(...blank(at + 2, size))
      break
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else {
      if (head.length < 4) break
      const end = Math.min(at + 2 + head.readUInt16BE(2), size)
      if (end < at + 4) throw locationNotRemovable()
      const name = (await read(at + 4, Math.min(14, end - at - 4))).toString('latin1')
      if (!isKeptInJpeg(marker, name)) {
        patches.push(...blank(at + 4, end))
        // The first Exif segment counts.
        if (!hasExif && name.startsWith('Exif\0\0')) {
          hasExif = true
          patches.push(...(await orientationIn(read, at + 4, end, 6)))
        }
      }
      at = marker === 0xda ? await endOfScan(read, end, size) : end
    }
  }
  return patches
}

function isKeptInJpeg(marker: number, name: string): boolean {
  if (marker === 0xfe) return false
  if (marker < 0xe0 || marker > 0xef) return true
  return (
    (marker === 0xe0 && name.startsWith('JFIF\0')) ||
    (marker === 0xe2 && name.startsWith('ICC_PROFILE\0')) ||
    (marker === 0xee && name.startsWith('Adobe'))
  )
}

/** Where the first marker after compressed data is. */
async function endOfScan(read: ReadBytes, start: number, size: number): Promise<number> {
  for (let at = start; at < size; ) {
    const bytes = await read(at, SCAN_BYTES)
    let found = bytes.indexOf(0xff)
    for (; found >= 0 && found + 1 < bytes.length; found = bytes.indexOf(0xff, found + 1)) {
      const next = bytes[found + 1] as number
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at + found
    }
    if (bytes.length === 0 || (found >= 0 && bytes.length === 1)) break
    // The byte after the last one decides.
    at += found >= 0 ? found : bytes.length
  }
  return size
}

async function metadataInPng(read: ReadBytes, size: number): Promise<readonly Patch[]> {
  const patches: Patch[] = []
  let hasExif = false
  for (let at = 8, chunks = 0; at < size; chunks++) {
    const head = await read(at, 8)
    if (chunks > MAX_SEGMENTS || !/^[a-zA-Z]{4}$/.test(head.toString('latin1', 4))) throw locationNotRemovable()
    const type = head.toString('latin1', 4)
    const start = at + 8
    const end = start + head.readUInt32BE(0)
    if (!PNG_CHUNKS.has(type)) {
      const isFirstExif: boolean = type === 'eXIf' && !hasExif
      hasExif ||= isFirstExif
      const content = isFirstExif ? await orientationIn(read, start, Math.min(end, size), 0) : []
      patches.push(...blankChunk(content, { at, start, end, size }))
    }
    at = end + 4
    if (type === 'IEND') {
      patches.push(...blank(at, size))
      break
    }
  }
  return patches
}

/** A chunk keeps its size, and gets the checksum of its new content; one without content is private. */
function blankChunk(
  content: readonly Patch[],
  {
    at,
    start,
    end,
    size,
  }: { readonly at: number; readonly start: number; readonly end: number; readonly size: number },
): readonly Patch[] {
  const name = Buffer.from(content.length > 0 ? 'eXIf' : 'frEe')
  let checksum = crc32(name)
  for (const { bytes } of content) if (bytes) checksum = crc32(bytes, checksum)
  const written = content.reduce((sum, { length }) => sum + length, 0)
  const length = Math.min(end, size) - start
  for (let left = length - written; left > 0; left -= SCAN_BYTES) {
    checksum = crc32(ZEROS.subarray(0, Math.min(left, SCAN_BYTES)), checksum)
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(checksum)
  return [
    { start: at + 4, length: 4, bytes: name },
    ...blank(start, Math.min(end, size)),
    ...content,
    ...(end + 4 <= size ? [{ start: end, length: 4, bytes: sum }] : []),
  ]
}

const HAS_XMP = 0x04
const HAS_EXIF = 0x08

async function metadataInWebp(read: ReadBytes, size: number): Promise<readonly Patch[]> {
  const patches: Patch[] = []
  const riff = await read(0, 12)
  if (riff.length < 12) throw locationNotRemovable()
  const limit = Math.min(8 + riff.readUInt32LE(4), size)
  let chunks = 0
  let flags: { readonly at: number; readonly value: number } | undefined
  let hasExif = false
  let isTurned = false

  async function walk(from: number, to: number, isFrame: boolean): Promise<void> {
    for (let at = from; at < to; ) {
      const head = await read(at, 9)
      chunks += 1
      if (head.length < 8 || chunks > MAX_SEGMENTS) throw locationNotRemovable()
      const type = head.toString('latin1', 0, 4)
      const length = head.readUInt32LE(4)
      const start = at + 8
      const end = Math.min(start + length, to)
      if (type === 'VP8X') flags = { at: start, value: head[8] ?? 0 }
      if (type === 'ANMF' && !isFrame) await walk(start + 16, end, true)
      else if (!WEBP_CHUNKS.has(type)) {
        patches.push(...blank(start, end))
        if (type === 'EXIF' && !hasExif) {
          hasExif = true
          const isNamed = (await read(start, 6)).toString('latin1') === 'Exif\0\0'
          const kept = await orientationIn(read, start, end, isNamed ? 6 : 0)
          isTurned = kept.length > 0
          patches.push(...kept)
        }
      }
      at = start + length + (length % 2)
    }
  }

  await walk(12, limit, false)
  if (flags) {
    const value = flags.value & ~HAS_XMP & ~(isTurned ? 0 : HAS_EXIF)
    if (value !== flags.value) patches.push({ start: flags.at, length: 1, bytes: Buffer.from([value]) })
  }
  patches.push(...blank(limit, size))
  return patches
}

async function metadataInGif(read: ReadBytes, size: number): Promise<readonly Patch[]> {
  const patches: Patch[] = []
  const tableBytes = (flags = 0) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  const screen = await read(0, 13)
  let blocks = 0

  /** Where data in blocks of up to 255 bytes ends. */
  async function endOfBlocks(start: number): Promise<number> {
    for (let at = start; at < size; ) {
      const bytes = await read(at, SCAN_BYTES)
      if (bytes.length === 0) break
      let next = 0
      while (next < bytes.length) {
        const length = bytes[next] as number
        next += 1 + length
        if (length === 0) return at + next
      }
      at += next
    }
    return size
  }

  let at = 13 + tableBytes(screen[10])
  while (at < size) {
    const head = await read(at, 14)
    blocks += 1
    if (blocks > MAX_SEGMENTS) throw locationNotRemovable()
    if (head[0] === 0x3b) {
      patches.push(...blank(at + 1, size))
      break
    }
    if (head[0] === 0x2c) at = await endOfBlocks(at + 10 + tableBytes(head[9]) + 1)
    else if (head[0] === 0x21) {
      const end = await endOfBlocks(at + 2)
      const isKept = head[1] === 0xf9 || (head[1] === 0xff && GIF_APPLICATIONS.has(head.toString('latin1', 3, 14)))
      if (!isKept) patches.push({ start: at + 1, length: end - at - 1, bytes: emptyComment(end - at - 1) })
      at = end
    } else throw locationNotRemovable()
  }
  return patches
}

/** The label of a comment and blocks of zeros, as long as the extension that they replace, with the empty block at the end. */
function emptyComment(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes[0] = 0xfe
  for (let at = 1; at < length - 1; ) {
    const left = length - 1 - at
    // A block that is followed by one byte would leave no room for another.
    const block = left > 256 ? 255 - (left === 257 ? 1 : 0) : left - 1
    bytes[at] = block
    at += 1 + block
  }
  return bytes
}

/** Exif data with the orientation that the Exif data after `skipped` bytes has, when it is not upright. */
async function orientationIn(read: ReadBytes, start: number, end: number, skipped: number): Promise<readonly Patch[]> {
  if (end - start > MAX_EXIF_BYTES) return []
  const orientation = await readOrientation((at, length) =>
    read(start + skipped + at, Math.max(0, Math.min(length, end - start - skipped - at))),
  )
  const exif = uprightExif(orientation)
  if (!exif || exif.length + skipped > end - start) return []
  const name = Buffer.from('Exif\0\0').subarray(0, skipped)
  return [{ start, length: skipped + exif.length, bytes: Buffer.concat([name, exif]) }]
}

const blank = (start: number, end: number): readonly Patch[] => (end > start ? [{ start, length: end - start }] : [])
