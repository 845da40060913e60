import { brotliDecompressSync } from 'node:zlib'
import { locationNotRemovable } from './errors.ts'
import { exifFactsOf, hasPlace } from './exif.ts'
import type { ReadBytes } from './image-header.ts'

const MAX_BOXES = 10_000
const MAX_METADATA_BYTES = 4_194_304

/** The metadata boxes of Canon's raw images. */
const CANON = '85c0b687820f11e08111f4ce462b6a48'
const CANON_TIFF = /^CMT\d$/

/**
 * Refuses a TIFF, raw or JPEG XL image that has a location: it is stored as it is, and nothing can be removed in place. Other
 * types are not looked at.
 *
 * @throws `location_not_removable` also when its metadata cannot be read
 */
export async function assertWithoutLocation(read: ReadBytes, size: number, contentType: string): Promise<void> {
  switch (contentType) {
    case 'image/tiff':
    case 'image/x-adobe-dng':
    case 'image/x-canon-cr2':
    case 'image/x-nikon-nef':
    case 'image/x-sony-arw':
    case 'image/x-panasonic-rw2':
    case 'image/x-olympus-orf':
      return assertTiff(read, 0, size)
    case 'image/x-fujifilm-raf':
      return assertFujifilm(read, size)
    case 'image/x-canon-cr3':
    case 'image/jxl':
      return assertBoxes(read, 0, size)
  }
}

async function assertTiff(read: ReadBytes, start: number, end: number): Promise<void> {
  const facts = await exifFactsOf((at, length) => {
    if (length > MAX_METADATA_BYTES) throw locationNotRemovable()
    return read(start + at, Math.max(0, Math.min(length, end - start - at)))
  })
  if (!facts || facts.hasLocation) throw locationNotRemovable()
}

/** The Exif data of these images is in their JPEG preview, as its first segment. */
async function assertFujifilm(read: ReadBytes, size: number): Promise<void> {
  const header = await read(84, 4)
  const jpeg = header.length < 4 ? 0 : header.readUInt32BE(0)
  const head = await read(jpeg + 2, 10)
  if (jpeg === 0 || head.toString('latin1', 4) !== 'Exif\0\0') throw locationNotRemovable()
  await assertTiff(read, jpeg + 12, Math.min(size, jpeg + 4 + head.readUInt16BE(2)))
}

async function assertBoxes(read: ReadBytes, from: number, to: number): Promise<void> {
  // JPEG XL without a container has no metadata.
  if (from === 0 && (await read(0, 2)).readUInt16BE(0) === 0xff0a) return
  let boxes = 0
  for (let at = from; at < to; boxes++) {
    const head = await read(at, 32)
    if (head.length < 8 || boxes > MAX_BOXES) throw locationNotRemovable()
    const [short, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    const isLong = short === 1 && head.length >= 16
    const start = at + (isLong ? 16 : 8)
    const end = short === 0 ? to : at + (isLong ? Number(head.readBigUInt64BE(8)) : short)
    if (end < start || end > to) throw locationNotRemovable()
    if (type === 'moov') await assertBoxes(read, start, end)
    else if (type === 'uuid' && head.toString('hex', start - at, start - at + 16) === CANON) {
      await assertBoxes(read, start + 16, end)
    } else if (CANON_TIFF.test(type)) await assertTiff(read, start, end)
    else await assertMetadata(read, type, start, end)
    at = end
  }
}

async function assertMetadata(read: ReadBytes, type: string, start: number, end: number): Promise<void> {
  if (!['Exif', 'xml ', 'brob', 'uuid'].includes(type)) return
  if (end - start > MAX_METADATA_BYTES) {
    // Previews of raw images are in boxes of this kind.
    if (type === 'uuid') return
    throw locationNotRemovable()
  }
  const bytes = await read(start, end - start)
  const isPacked = type === 'brob'
  const content = isPacked ? unpacked(bytes.subarray(4)) : bytes
  const kind = isPacked ? bytes.toString('latin1', 0, 4) : type
  if (kind === 'Exif') {
    const tiff = content.subarray(4 + (content.length < 4 ? 0 : content.readUInt32BE(0)))
    return assertTiff((at, length) => Promise.resolve(tiff.subarray(at, at + length)), 0, tiff.length)
  }
  if (hasPlace(content)) throw locationNotRemovable()
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: MAX_METADATA_BYTES })
  } catch (error) {
    throw locationNotRemovable({ cause: error })
  }
}
