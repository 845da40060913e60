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

/** Whether Exif data has a location, and how to turn the image upright. */
export interface ExifFacts {
  readonly hasLocation: boolean
  /** 1 (upright) to 8. */
  readonly orientation: number
}

/**
 * Reads the directories of Exif data, of a TIFF file, or of a raw image that is based on TIFF. Undefined when they cannot be
 * walked.
 */
export async function exifFactsOf(read: ReadTiff): Promise<ExifFacts | undefined> {
  const header = await read(0, 8)
  const order = header.toString('latin1', 0, 2)
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const isLittle = order === 'II'
  const u16 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  // BigTIFF has offsets of 64 bits.
  if (u16(header, 2) === 43) return undefined

  const seen = new Set<number>()
  const waiting = [{ at: u32(header, 4), isGps: false }]
  let entries = 0
  let orientation = 1
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { at, isGps } = next
    if (at === 0 || seen.has(at)) continue
    seen.add(at)
    const head = await read(at, 2)
    if (head.length < 2 || seen.size > MAX_DIRECTORIES) return undefined
    const count = u16(head, 0)
    entries += count
    const bytes = await read(at + 2, count * 12 + 4)
    if (bytes.length < count * 12 || entries > MAX_ENTRIES) return undefined
    for (let index = 0; index < count; index++) {
      const entry = bytes.subarray(index * 12, index * 12 + 12)
      const tag = u16(entry, 0)
      const values = u32(entry, 4)
      if (isGps) {
        if (tag !== GPS_VERSION) return { hasLocation: true, orientation }
      } else if (tag === GPS_DIRECTORY) waiting.push({ at: u32(entry, 8), isGps: true })
      else if (tag === XMP) {
        const xmp = await read(values > 4 ? u32(entry, 8) : at, values)
        if (hasPlace(xmp)) return { hasLocation: true, orientation }
      } else if (tag === ORIENTATION && at === u32(header, 4)) orientation = u16(entry, 8)
      else if (SUB_DIRECTORIES.has(tag) && POINTER_TYPES.has(u16(entry, 2))) {
        if (values > MAX_DIRECTORIES) return undefined
        const list = values === 1 ? entry.subarray(8) : await read(u32(entry, 8), values * 4)
        if (list.length < values * 4) return undefined
        for (let each = 0; each < values; each++) waiting.push({ at: u32(list, each * 4), isGps: false })
      }
    }
    // The last directory of a file may end without the offset of a next one.
    if (!isGps && bytes.length === count * 12 + 4) waiting.push({ at: u32(bytes, count * 12), isGps: false })
  }
  return { hasLocation: false, orientation }
}

/** Whether XMP text has coordinates. */
export const hasPlace = (xmp: Buffer): boolean =>
  /GPSL(at|ong)itude|Location(Created|Shown)/i.test(xmp.toString('latin1'))

/** Exif data with the orientation alone; undefined for an upright image, which needs none. */
export function uprightExif(orientation: number): Buffer | undefined {
  if (!(orientation > 1 && orientation <= 8)) return undefined
  const bytes = Buffer.from('49492a000800000001001201030001000000000000000000000000', 'hex').subarray(0, 26)
  bytes.writeUInt16LE(orientation, 18)
  return bytes
}
