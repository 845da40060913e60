import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { locationNotRemovable } from './errors.ts'
import { containsLocation, hasPlace } from './exif.ts'
import type { ReadBytes } from './image-header.ts'

/** The limits of a file. */
const MAX_BOXES = 10_000
const MAX_DEPTH = 8
const MAX_BYTES = 16_777_216
/** A read or an unpacked box counts as at least this many bytes. */
const MIN_BYTES = 16_384
/** The limit of one part. */
const MAX_METADATA_BYTES = 4_194_304
const unpackBrotli = promisify(brotliDecompress)

/** The metadata boxes of Canon's raw images. */
const CANON = '85c0b687820f11e08111f4ce462b6a48'
const CANON_TIFF = /^CMT\d$/

/**
 * Refuses a TIFF, raw or JPEG XL image that has a location: it is stored as it is, and nothing can be removed in place. Other
 * types are not looked at.
 *
 * @throws `location_not_removable` also when its metadata cannot be read, or takes too many reads or unpacked bytes
 */
export async function assertWithoutLocation(read: ReadBytes, size: number, contentType: string): Promise<void> {
  const budget = createBudget()
  switch (contentType) {
    case 'image/tiff':
    case 'image/x-adobe-dng':
    case 'image/x-canon-cr2':
    case 'image/x-nikon-nef':
    case 'image/x-sony-arw':
    case 'image/x-panasonic-rw2':
    case 'image/x-olympus-orf':
      return assertTiff(read, { start: 0, end: size }, budget)
    case 'image/x-fujifilm-raf':
      return assertFujifilm(read, size, budget)
    case 'image/x-canon-cr3':
    case 'image/jxl':
      // JPEG XL without a container has no metadata.
      if ((await read(0, 2)).toString('hex') === 'ff0a') return
      return assertBoxes(read, { start: 0, end: size, depth: 0 }, budget)
  }
}

interface Part {
  readonly start: number
  readonly end: number
}

type Budget = ReturnType<typeof createBudget>

/** Limits the work for one file, so that it does not grow with how often its parts refer to the same bytes. */
function createBudget() {
  let bytesLeft = MAX_BYTES
  let boxes = 0
  return {
    bytesLeft: () => bytesLeft,
    spend(bytes: number): void {
      bytesLeft -= Math.max(bytes, MIN_BYTES)
      if (bytesLeft < 0) throw locationNotRemovable()
    },
    countBox(): void {
      boxes += 1
      if (boxes > MAX_BOXES) throw locationNotRemovable()
    },
  }
}

async function assertTiff(read: ReadBytes, { start, end }: Part, budget: Budget): Promise<void> {
  const hasLocation = await containsLocation((at, wanted) => {
    const length = Math.max(0, Math.min(wanted, end - start - at))
    if (length > MAX_METADATA_BYTES) throw locationNotRemovable()
    budget.spend(length)
    return read(start + at, length)
  })
  if (hasLocation !== false) throw locationNotRemovable()
}

/** The Exif data of these images is in their JPEG preview, as its first segment. */
async function assertFujifilm(read: ReadBytes, size: number, budget: Budget): Promise<void> {
  const header = await read(84, 4)
  const jpeg = header.length < 4 ? 0 : header.readUInt32BE(0)
  const head = await read(jpeg + 2, 10)
  if (jpeg === 0 || head.toString('latin1', 4) !== 'Exif\0\0') throw locationNotRemovable()
  await assertTiff(read, { start: jpeg + 12, end: Math.min(size, jpeg + 4 + head.readUInt16BE(2)) }, budget)
}

async function assertBoxes(
  read: ReadBytes,
  { start: from, end: to, depth }: Part & { readonly depth: number },
  budget: Budget,
): Promise<void> {
  if (depth > MAX_DEPTH) throw locationNotRemovable()
  for (let at = from; at < to; ) {
    budget.countBox()
    const head = await read(at, 32)
    if (head.length < 8) throw locationNotRemovable()
    const [short, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    const isLong = short === 1 && head.length >= 16
    const start = at + (isLong ? 16 : 8)
    const end = short === 0 ? to : at + (isLong ? Number(head.readBigUInt64BE(8)) : short)
    if (end < start || end > to) throw locationNotRemovable()
    if (type === 'moov') await assertBoxes(read, { start, end, depth: depth + 1 }, budget)
    else if (type === 'uuid' && head.toString('hex', start - at, start - at + 16) === CANON) {
      await assertBoxes(read, { start: start + 16, end, depth: depth + 1 }, budget)
    } else if (CANON_TIFF.test(type)) await assertTiff(read, { start, end }, budget)
    else await assertMetadata(read, { type, start, end }, budget)
    at = end
  }
}

async function assertMetadata(
  read: ReadBytes,
  { type, start, end }: Part & { readonly type: string },
  budget: Budget,
): Promise<void> {
  if (!['Exif', 'xml ', 'brob', 'uuid'].includes(type)) return
  if (end - start > MAX_METADATA_BYTES) {
    // Previews of raw images are in boxes of this kind.
    if (type === 'uuid') return
    throw locationNotRemovable()
  }
  budget.spend(end - start)
  const bytes = await read(start, end - start)
  const isPacked = type === 'brob'
  const content = isPacked ? await unpack(bytes.subarray(4), budget) : bytes
  const kind = isPacked ? bytes.toString('latin1', 0, 4) : type
  if (kind === 'Exif') {
    const tiff = content.subarray(4 + (content.length < 4 ? 0 : content.readUInt32BE(0)))
    const readTiff: ReadBytes = (at, length) => Promise.resolve(tiff.subarray(at, at + length))
    return assertTiff(readTiff, { start: 0, end: tiff.length }, budget)
  }
  if (await hasPlace(content)) throw locationNotRemovable()
}

async function unpack(packed: Buffer, budget: Budget): Promise<Buffer> {
  const maxOutputLength = Math.max(1, Math.min(MAX_METADATA_BYTES, budget.bytesLeft()))
  const unpacked = await unpackBrotli(packed, { maxOutputLength }).catch((cause) => {
    throw locationNotRemovable({ cause })
  })
  budget.spend(unpacked.length)
  return unpacked
}
