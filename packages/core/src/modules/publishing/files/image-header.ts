import { readOrientation } from './exif.ts'

/** Reads some bytes of a file; fewer at its end. */
export type ReadBytes = (start: number, length: number) => Promise<Buffer>

interface Size {
  readonly width: number
  readonly height: number
}

const HEAD_BYTES = 4_096
/** The limit of segments before the image data of a JPEG: profiles, previews, comments. */
const MAX_SEGMENTS = 256

/**
 * The width and height of an image according to its header, without decoding it; of a JPEG in its upright orientation.
 *
 * Undefined when the header does not contain them; `unknown` for a type that is not read here.
 */
export async function imageSizeOf(read: ReadBytes, contentType: string): Promise<Size | undefined | 'unknown'> {
  if (contentType === 'image/jpeg') return sizeOfJpeg(read)
  const head = await read(0, HEAD_BYTES)
  try {
    switch (contentType) {
      case 'image/png':
      case 'image/apng':
        return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
      case 'image/gif':
        return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
      case 'image/webp':
        return sizeOfWebp(head)
      case 'image/bmp':
        return { width: Math.abs(head.readInt32LE(18)), height: Math.abs(head.readInt32LE(22)) }
      case 'image/avif':
        return sizeOfAvif(head)
      default:
        return 'unknown'
    }
  } catch (error) {
    // The header is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function sizeOfWebp(head: Buffer): Size | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

/** The largest of all sizes, because previews and tiles also have one. */
function sizeOfAvif(head: Buffer): Size | undefined {
  let largest: Size | undefined
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}

/** Skips from segment to segment without reading their content. */
async function sizeOfJpeg(read: ReadBytes): Promise<Size | undefined> {
  let orientation: number | undefined
  for (let at = 2, segments = 0; segments < MAX_SEGMENTS; segments++) {
    const head = await read(at, 10)
    if (head.length < 9 || head[0] !== 0xff) return undefined
    const marker = head[1] as number
    // Any number of these may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const [height, width] = [head.readUInt16BE(5), head.readUInt16BE(7)]
      return (orientation ?? 1) >= 5 ? { width: height, height: width } : { width, height }
    }
    // The first Exif segment counts.
    if (orientation === undefined && marker === 0xe1 && head.toString('latin1', 4, 10) === 'Exif\0\0') {
      const [start, end] = [at + 10, at + 2 + head.readUInt16BE(2)]
      orientation = await readOrientation((offset, length) =>
        read(start + offset, Math.max(0, Math.min(length, end - start - offset))),
      )
    }
    if (marker === 0xda || marker === 0xd9) return undefined
    at += 2 + head.readUInt16BE(2)
  }
  return undefined
}
