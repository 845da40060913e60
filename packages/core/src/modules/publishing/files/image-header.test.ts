import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { imageSizeOf } from './image-header.ts'

const reader = (bytes: Buffer) => async (start: number, length: number) => bytes.subarray(start, start + length)
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'red' } })

describe('the size of an image by its header', () => {
  it.each([
    ['image/png', 'png', {}],
    ['image/jpeg', 'jpeg', {}],
    ['image/gif', 'gif', {}],
    ['image/webp', 'webp', {}],
    ['image/webp', 'webp', { lossless: true }],
    ['image/avif', 'avif', {}],
  ] as const)('is read from %s (%s, %j)', async (type, format, options) => {
    const bytes = await blank(300, 20).toFormat(format, options).toBuffer()
    expect(await imageSizeOf(reader(bytes), type)).toEqual({ width: 300, height: 20 })
  })

  it('is found after profiles and comments of any length', async () => {
    const jpeg = await blank(64, 48).withIccProfile('p3').jpeg().toBuffer()
    const note = Buffer.alloc(65_537, 0x20)
    note.set([0xff, 0xed, 0xff, 0xff])
    const long = Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: 20 }, () => note), jpeg.subarray(2)])
    expect(await imageSizeOf(reader(long), 'image/jpeg')).toEqual({ width: 64, height: 48 })
    const extended = await blank(64, 48)
      .withExif({ IFD0: { Artist: 'A' } })
      .webp()
      .toBuffer()
    expect(await imageSizeOf(reader(extended), 'image/webp')).toEqual({ width: 64, height: 48 })
  })

  it('is not known where there is none', async () => {
    const types = ['image/png', 'image/gif', 'image/webp', 'image/avif', 'image/jpeg', 'image/bmp']
    for (const type of types) {
      expect(await imageSizeOf(reader(Buffer.from([0xff, 0xd8, 0xff])), type), type).toBeUndefined()
    }
    expect(await imageSizeOf(reader(Buffer.alloc(20_000, 0xff)), 'image/jpeg')).toBeUndefined()
    expect(await imageSizeOf(reader(Buffer.alloc(100)), 'image/heic')).toBe('unknown')
  })
})
