import sharp from 'sharp'
import { expect, it } from 'vitest'
import { isPng, pngSize, shapePng } from './png.ts'

it('writes a picture that other programs read', async () => {
  const file = shapePng({
    width: 4,
    height: 2,
    ground: '#ff8000',
    color: '#0000ff',
    coverage: (x) => [0, 0.5, 1, 2][x] ?? 0,
  })
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height, info.channels]).toEqual([4, 2, 3])
  const line = [0xff, 0x80, 0, 0x7f, 0x40, 0x80, 0, 0, 0xff, 0, 0, 0xff]
  expect([...data]).toEqual([...line, ...line])
  expect(isPng(file)).toBe(true)
  expect(pngSize(file)).toEqual({ width: 4, height: 2 })
})

it('distinguishes a PNG image from other files', () => {
  expect(isPng(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe(false)
  expect(isPng(Buffer.alloc(0))).toBe(false)
})
