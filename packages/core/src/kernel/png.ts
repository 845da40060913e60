import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const SIZE_AT = 16

/** Whether bytes begin like a PNG image. */
export const isPng = (bytes: Buffer): boolean =>
  bytes.length > SIZE_AT + 8 && bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)

/** The width and height of a PNG image, in pixels. */
export const pngSize = (bytes: Buffer): { readonly width: number; readonly height: number } => ({
  width: bytes.readUInt32BE(SIZE_AT),
  height: bytes.readUInt32BE(SIZE_AT + 4),
})

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** Red, green and blue of `#rrggbb`. */
const partsOf = (color: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** A picture of one shape on a ground. */
export interface Shape {
  readonly width: number
  readonly height: number
  /** `#rrggbb`. */
  readonly ground: string
  readonly color: string
  /** The share of a pixel that the shape covers, from 0 to 1. */
  coverage(x: number, y: number): number
}

const SHADES = 256

/** Writes a picture of one shape as PNG: with a palette from the ground to the color of the shape. */
export function shapePng({ width, height, ground, color, coverage }: Shape): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, as places in a palette.
  header.writeUInt8(8, 8)
  header.writeUInt8(3, 9)
  const [from, to] = [partsOf(ground), partsOf(color)]
  const palette = Buffer.alloc(SHADES * 3)
  for (let shade = 0; shade < SHADES; shade += 1) {
    const share = shade / (SHADES - 1)
    palette.set(
      from.map((part, at) => Math.round(part + ((to[at] ?? 0) - part) * share)),
      shade * 3,
    )
  }
  // Each line begins with its filter: none.
  const pixels = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pixels[y * (width + 1) + 1 + x] = Math.round(Math.min(1, Math.max(0, coverage(x, y))) * (SHADES - 1))
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
