import { setImmediate } from 'node:timers/promises'

/** Reads some bytes of Exif data, from its TIFF header on; fewer at its end. */
export type ReadTiff = (start: number, length: number) => Promise<Buffer>

/** The limit of entries of all directories that are read. */
const MAX_ENTRIES = 20_000
const MAX_DIRECTORIES = 64

const ORIENTATION = 0x0112
const GPS_DIRECTORY = 0x8825
const XMP = 700
/** Directories of further images and of Exif: `SubIFDs` and `ExifIFD`. */
const SUB_DIRECTORIES = new Set([0x014a, 0x8769])
const GPS_VERSION = 0
/** The size of a 32-bit value: `LONG` or `IFD`. */
const POINTER_TYPES = new Set([4, 13])

/** Searched without a pause; XMP is searched in pieces of this size. */
const SEARCHED_BYTES = 262_144
const PLACE = /GPSL(at|ong)itude|Location(Created|Shown)/i
const LONGEST_PLACE_BYTES = 16

/** How to turn an image upright according to its Exif data: 1 (upright) to 8; 1 also when the data cannot be read. */
export async function readOrientation(read: ReadTiff): Promise<number> {
  const tiff = await openTiff(read)
  const first = tiff && (await tiff.readDirectory(tiff.first))
  const entry = first?.entries.find((each) => tiff?.u16(each, 0) === ORIENTATION)
  return (entry && tiff?.u16(entry, 8)) ?? 1
}

/**
 * Whether Exif data, a TIFF file, or a raw image that is based on TIFF has a location. Undefined when its directories cannot be
 * walked. The number of reads is limited, whatever its entries refer to.
 */
export async function containsLocation(read: ReadTiff): Promise<boolean | undefined> {
  const tiff = await openTiff(read)
  if (!tiff) return undefined
  const { u16, u32, readDirectory } = tiff
  const seen = new Set<string>()
  const waiting: { readonly at: number; readonly isGps: boolean }[] = []
  const enqueue = (at: number, isGps: boolean) => {
    const id = `${at} ${isGps}`
    if (at === 0 || seen.has(id)) return
    seen.add(id)
    waiting.push({ at, isGps })
  }

  let left = MAX_ENTRIES
  enqueue(tiff.first, false)
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { at, isGps } = next
    const directory = seen.size > MAX_DIRECTORIES ? undefined : await readDirectory(at, left)
    if (!directory) return undefined
    left -= directory.entries.length
    if (isGps) {
      if (directory.entries.some((entry) => u16(entry, 0) !== GPS_VERSION)) return true
      continue
    }
    const followed = new Set<number>()
    for (const entry of directory.entries) {
      const tag = u16(entry, 0)
      if (tag !== GPS_DIRECTORY && tag !== XMP && !SUB_DIRECTORIES.has(tag)) continue
      // A directory has each tag once. Of more, readers differ in which one counts, and each would be a read.
      if (followed.has(tag)) return undefined
      followed.add(tag)
      const values = u32(entry, 4)
      if (tag === GPS_DIRECTORY) enqueue(u32(entry, 8), true)
      else if (tag === XMP) {
        // Up to four bytes are in the entry itself, which is too short for a location.
        if (values > 4 && (await hasPlace(await read(u32(entry, 8), values)))) return true
      } else if (POINTER_TYPES.has(u16(entry, 2))) {
        if (values > MAX_DIRECTORIES) return undefined
        const list = values === 1 ? entry.subarray(8) : await read(u32(entry, 8), values * 4)
        if (list.length < values * 4) return undefined
        for (let each = 0; each < values; each++) enqueue(u32(list, each * 4), false)
      }
    }
    enqueue(directory.next, false)
  }
  return false
}

interface Directory {
  /** Of 12 bytes each. */
  readonly entries: readonly Buffer[]
  /** Where the next directory is; 0 after the last. */
  readonly next: number
}

async function openTiff(read: ReadTiff) {
  const header = await read(0, 8)
  const order = header.toString('latin1', 0, 2)
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const isLittle = order === 'II'
  const u16 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  // BigTIFF has offsets of 64 bits.
  if (u16(header, 2) === 43) return undefined

  async function readDirectory(at: number, maxEntries = MAX_ENTRIES): Promise<Directory | undefined> {
    const head = await read(at, 2)
    const count = head.length < 2 ? undefined : u16(head, 0)
    if (count === undefined || count > maxEntries) return undefined
    const length = count * 12
    const bytes = await read(at + 2, length + 4)
    if (bytes.length < length) return undefined
    const entries = Array.from({ length: count }, (_, index) => bytes.subarray(index * 12, index * 12 + 12))
    // The last directory of a file may end without the offset of a next one.
    return { entries, next: bytes.length === length + 4 ? u32(bytes, length) : 0 }
  }

  return { first: u32(header, 4), u16, u32, readDirectory }
}

/** Whether XMP text has coordinates. Lets other work run between its pieces. */
export async function hasPlace(xmp: Buffer): Promise<boolean> {
  for (let at = 0; at < xmp.length; at += SEARCHED_BYTES) {
    if (at > 0) await setImmediate()
    if (PLACE.test(xmp.toString('latin1', at, at + SEARCHED_BYTES + LONGEST_PLACE_BYTES))) return true
  }
  return false
}

/** Exif data with the orientation alone; undefined for an upright image, which needs none. */
export function uprightExif(orientation: number): Buffer | undefined {
  if (!(orientation > 1 && orientation <= 8)) return undefined
  const bytes = Buffer.from('49492a000800000001001201030001000000000000000000000000', 'hex').subarray(0, 26)
  bytes.writeUInt16LE(orientation, 18)
  return bytes
}
