import { shapePng } from '../../kernel/png.ts'

/** The icon of the service in a color, as an image in an address: a filled circle. */
export const iconUrl = (color: string): string =>
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='3' fill='%23${color.slice(1)}'/%3E%3C/svg%3E`

const SIZE = 32
const DIRECTORY_BYTES = 22
const HEADER_BYTES = 40
/** A transparency mask of one bit for each pixel, which readers of 32-bit images ignore. */
const MASK_BYTES = (SIZE * SIZE) / 8

/** The share of a pixel that is inside a circle, from 0 to 1. */
const inCircle =
  (width: number, height: number, radius: number) =>
  (x: number, y: number): number =>
    Math.min(1, Math.max(0, radius - Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) + 0.5))

/** The colors of a picture of the service. */
interface IconColors {
  readonly paper: string
  readonly accent: string
}

/** Writes the icon as PNG, without transparency: phones show it on any ground. */
export const iconPng = (size: number, { paper, accent }: IconColors): Buffer =>
  shapePng({ width: size, height: size, ground: paper, color: accent, coverage: inCircle(size, size, size / 4) })

/** The size of pictures of previews. */
const CARD_SIZE = { width: 1200, height: 630 } as const

/** Writes the picture of previews without a name: the icon on a ground of its color. */
export const cardPng = ({ paper, accent }: IconColors): Buffer =>
  shapePng({ ...CARD_SIZE, ground: accent, color: paper, coverage: inCircle(CARD_SIZE.width, CARD_SIZE.height, 120) })

/** Writes the icon in the format of `/favicon.ico`, which browsers request without a link: a bitmap of 32 bits a pixel. */
export function icoFile(color: string): Buffer {
  const imageBytes = HEADER_BYTES + SIZE * SIZE * 4 + MASK_BYTES
  const file = Buffer.alloc(DIRECTORY_BYTES + imageBytes)
  // The directory: one icon, its width and height, planes, bits, size and offset.
  file.writeUInt16LE(1, 2)
  file.writeUInt16LE(1, 4)
  file.writeUInt8(SIZE, 6)
  file.writeUInt8(SIZE, 7)
  file.writeUInt16LE(1, 10)
  file.writeUInt16LE(32, 12)
  file.writeUInt32LE(imageBytes, 14)
  file.writeUInt32LE(DIRECTORY_BYTES, 18)
  // The header of the bitmap. Its height counts the mask too.
  file.writeUInt32LE(HEADER_BYTES, 22)
  file.writeInt32LE(SIZE, 26)
  file.writeInt32LE(SIZE * 2, 30)
  file.writeUInt16LE(1, 34)
  file.writeUInt16LE(32, 36)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const coverage = inCircle(SIZE, SIZE, (SIZE * 3) / 8)
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const pixel = [blue, green, red, Math.round(coverage(x, y) * 255)]
      file.set(pixel, DIRECTORY_BYTES + HEADER_BYTES + (y * SIZE + x) * 4)
    }
  }
  return file
}
