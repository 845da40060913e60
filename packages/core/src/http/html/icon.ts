/** The color of the icon of the service, as red, green and blue. */
const COLOR = [0x1f, 0x5f, 0x4f] as const

const hex = COLOR.map((part) => part.toString(16).padStart(2, '0')).join('')

/** The icon as an image in an address: a filled circle. */
export const ICON_URL: string = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='3' fill='%23${hex}'/%3E%3C/svg%3E`

const SIZE = 32
const DIRECTORY_BYTES = 22
const HEADER_BYTES = 40
/** A transparency mask of one bit for each pixel, which readers of 32-bit images ignore. */
const MASK_BYTES = (SIZE * SIZE) / 8

/** The share of a pixel that is inside the circle, from 0 to 1. */
function coverage(x: number, y: number): number {
  const [center, radius] = [SIZE / 2, (SIZE * 3) / 8]
  const distance = Math.hypot(x + 0.5 - center, y + 0.5 - center)
  return Math.min(1, Math.max(0, radius - distance + 0.5))
}

/** Writes the icon in the format of `/favicon.ico`, which browsers request without a link: a bitmap of 32 bits a pixel. */
export function icoFile(): Buffer {
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
  const [red, green, blue] = COLOR
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const pixel = [blue, green, red, Math.round(coverage(x, y) * 255)]
      file.set(pixel, DIRECTORY_BYTES + HEADER_BYTES + (y * SIZE + x) * 4)
    }
  }
  return file
}
