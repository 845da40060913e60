import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import * as vitest from 'vitest'
import { describe, expect, it } from 'vitest'
import { type ImageSample, imageProcessorContract } from '../../testing/image-processor-contract.ts'
import { hiddenPng, pngOf } from '../../testing/pictures.ts'
import { sharpImages } from './sharp-images.ts'

const signal = new AbortController().signal
const images = sharpImages()
const clean = async (bytes: Buffer, contentType: string, processor = images) => {
  const { body, contentType: becomes } = await processor.clean(Readable.from([bytes]), { contentType, signal })
  return { bytes: await buffer(body), contentType: becomes }
}
const codeOf = (bytes: Buffer, contentType: string, processor = images) =>
  clean(bytes, contentType, processor).then(
    () => 'clean',
    (error) => error.code,
  )
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'red' } })

const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'
const noted = (format: Parameters<Sharp['toFormat']>[0]) =>
  blank(40, 20)
    .withExif({ IFD0: { Artist: 'Ada Lovelace' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .withXmp(XMP)
    .withIccProfile('p3')
    .toFormat(format)
    .toBuffer()

/** A GIF of so many frames, each of one pixel on a large screen. */
function gifOf(width: number, height: number, frames: number) {
  const header = Buffer.from('474946383961000000008000000000ffffff', 'hex')
  header.writeUInt16LE(width, 6)
  header.writeUInt16LE(height, 8)
  const frame = Buffer.from('21f904000a0000002c000000000100010000020244010' + '0', 'hex')
  return Buffer.concat([
    header.subarray(0, 13),
    Buffer.from('000000ffffff', 'hex'),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from(';'),
  ])
}

const samples: ImageSample[] = [
  hiddenPng(),
  ...(await Promise.all(
    (['jpeg', 'webp', 'avif'] as const).map(async (format) => ({
      bytes: await noted(format),
      contentType: `image/${format}`,
      hidden: 'Ada Lovelace',
    })),
  )),
]

imageProcessorContract(vitest, () => sharpImages(), { images: samples })

describe('sharpImages', () => {
  it.each([
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
  ] as const)('leaves of a %s only the picture, in sRGB', async (format, type) => {
    const sent = await noted(format)
    expect((await sharp(sent).metadata()).exif?.includes('Ada Lovelace')).toBe(true)
    const cleaned = await clean(sent, type)
    const { exif, xmp, iptc, icc, comments, width, height } = await sharp(cleaned.bytes).metadata()
    expect([cleaned.contentType, width, height, exif, xmp, iptc, comments]).toEqual([
      type,
      40,
      20,
      ...Array(4).fill(undefined),
    ])
    expect(icc?.includes('s\0R\0G\0B')).toBe(true)
    expect(cleaned.bytes.includes('Lovelace')).toBe(false)
  })

  it('removes comments of a JPEG, text of a PNG and data appended to either', async () => {
    const [jpeg, png] = [await blank(8, 8).jpeg().toBuffer(), await blank(8, 8).png().toBuffer()]
    const secret = Buffer.from('secret words')
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, secret.length + 2]), secret])
    const archive = Buffer.from('PK\u0003\u0004 an archive PK\u0005\u0006')
    for (const [sent, type] of [
      [Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), archive]), 'image/jpeg'],
      [Buffer.concat([png, secret, archive]), 'image/png'],
    ] as const) {
      const { bytes } = await clean(sent, type)
      expect([bytes.includes('secret'), bytes.includes('archive')]).toEqual([false, false])
    }
  })

  it('turns a picture upright as its notes say, before they go', async () => {
    const sent = await blank(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { width, height, orientation } = await sharp((await clean(sent, 'image/jpeg')).bytes).metadata()
    expect([width, height, orientation]).toEqual([20, 40, undefined])
  })

  it('keeps the animation of GIF and WebP, and what can be seen through', async () => {
    const frames = [0, 120, 240].map((value) =>
      sharp({
        create: { width: 4, height: 4, channels: 4, background: { r: value, g: 0, b: 0, alpha: value ? 1 : 0 } },
      })
        .png()
        .toBuffer(),
    )
    const joined = sharp(await Promise.all(frames), { join: { animated: true } })
    for (const [format, type] of [
      ['gif', 'image/gif'],
      ['webp', 'image/webp'],
    ] as const) {
      const sent = await joined
        .clone()
        .toFormat(format, { delay: [50, 60, 70], loop: 2 })
        .toBuffer()
      const metadata = await sharp((await clean(sent, type)).bytes, { animated: true }).metadata()
      expect(metadata).toMatchObject({ pages: 3, delay: [50, 60, 70], loop: 2, hasAlpha: true })
    }
  })

  it('limits the pixels of all frames together', async () => {
    const bomb = pngOf(10_000, 10_000)
    expect(bomb.length).toBeLessThan(20_000)
    expect(await codeOf(bomb, 'image/png')).toBe('image_too_large')
    expect(await codeOf(gifOf(100, 100, 10_000), 'image/gif')).toBe('image_too_large')
    const few = sharpImages({ maxPixels: 1_000 })
    expect(await codeOf(await blank(40, 25).png().toBuffer(), 'image/png', few)).toBe('clean')
    expect(await codeOf(await blank(40, 26).png().toBuffer(), 'image/png', few)).toBe('image_too_large')
  })

  it('rejects other files, truncated images and wrong types', async () => {
    const jpeg = await blank(200, 200).jpeg().toBuffer()
    const png = await blank(200, 200).png().toBuffer()
    for (const [bytes, type] of [
      [Buffer.alloc(0), 'image/png'],
      [Buffer.from('no picture'), 'image/jpeg'],
      [jpeg.subarray(0, jpeg.length / 2), 'image/jpeg'],
      [png.subarray(0, png.length / 2), 'image/png'],
      [jpeg, 'image/png'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'image/png'],
    ] as const) {
      expect(await codeOf(bytes, type), type).toBe('image_broken')
    }
  })

  it('gives up with the reason of the signal', async () => {
    const stopping = new AbortController()
    stopping.abort(new Error('enough'))
    const work = images.clean(Readable.from([await blank(8, 8).png().toBuffer()]), {
      contentType: 'image/png',
      signal: stopping.signal,
    })
    await expect(work).rejects.toThrow('enough')
  })
})
