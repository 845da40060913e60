import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sharpImages } from '@eep/core/files'
import { type ImageProcessor, imageTooLarge } from '@eep/core/ports'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openUploads } from '../support/uploads.ts'

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } })
const photo = () =>
  blank(60, 40)
    .withExif({ IFD0: { Artist: 'Ada Lovelace' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()
const archive = Buffer.from('PK\u0003\u0004 an archive after it PK\u0005\u0006')

describe('re-encoded images', async () => {
  const uploads = await openUploads({ files: { imageProcessor: sharpImages({ maxPixels: 1_000_000 }) } })
  const { send, get, left } = uploads

  it('removes metadata and appended data from images', async () => {
    const sent = Buffer.concat([await photo(), archive])
    expect(sent.includes('Lovelace')).toBe(true)
    const { id } = (await send(fileOf(sent, 'me.jpg'))).json()
    const { rawPayload, headers } = await get(`/files/${id}`)
    expect([headers['content-type'], headers['content-length']]).toEqual(['image/jpeg', String(rawPayload.length)])
    expect([rawPayload.includes('Lovelace'), rawPayload.includes('archive')]).toEqual([false, false])
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
    const { data } = (await get(`/files/list/u/${uploads.account.username}`)).json()
    expect(data[0]).toMatchObject({
      id,
      size: rawPayload.length,
      sha256: createHash('sha256').update(rawPayload).digest('hex'),
      content_type: 'image/jpeg',
    })
  })

  it('stores the content type of the re-encoded image', async () => {
    const still = await blank(4, 4).png().toBuffer()
    const control = Buffer.from('000000086163544c000000010000000000000000', 'hex')
    const moving = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)])
    moving.writeUInt32BE(0xb92d_9ab4, 33 + 16)
    const { id } = (await send(fileOf(moving, 'cat.png'))).json()
    expect((await get(`/files/${id}`)).headers['content-type']).toBe('image/png')
  })

  it('leaves files of other types unchanged', async () => {
    const { id } = (await send(fileOf('Hello.'))).json()
    expect((await get(`/files/${id}`)).body).toBe('Hello.')
  })

  it('rejects the whole upload when one image is broken or too large', async () => {
    const before = await left()
    const good = await photo()
    for (const [bytes, status, code] of [
      [good.subarray(0, good.length / 2), 400, 'image_broken'],
      [await blank(1_001, 1_000).png().toBuffer(), 422, 'image_too_large'],
    ] as const) {
      const response = await send(fileOf(good, 'good.jpg'), fileOf(bytes, 'bad'), fileOf('x'))
      expect([response.statusCode, codeOf(response)]).toEqual([status, code])
      expect(await left()).toEqual(before)
    }
  })
})

describe('an image processor', async () => {
  let draw: ImageProcessor['clean'] = () => Promise.reject(imageTooLarge())
  const images: ImageProcessor = { contentTypes: ['image/jpeg'], clean: (...args) => draw(...args) }
  const { send, left } = await openUploads({ files: { imageProcessor: images } })

  it.each<[string, ImageProcessor['clean'], number, string]>([
    ['refuses', () => Promise.reject(imageTooLarge()), 422, 'image_too_large'],
    ['fails', () => Promise.reject(new Error('out of memory')), 500, 'internal_error'],
    [
      'breaks off',
      async () => ({
        contentType: 'image/jpeg',
        body: Readable.from(
          (function* () {
            yield Buffer.alloc(1_000)
            throw imageTooLarge()
          })(),
        ),
      }),
      422,
      'image_too_large',
    ],
    [
      'makes more of it than the tier allows',
      async () => ({ contentType: 'image/jpeg', body: Readable.from([Buffer.alloc(5 * 1_048_576 + 1)]) }),
      413,
      'file_too_large',
    ],
  ])('stores nothing when the image processor %s', async (_, clean, status, code) => {
    draw = clean
    const before = await left()
    const response = await send(fileOf(await photo(), 'me.jpg'))
    expect([response.statusCode, codeOf(response)]).toEqual([status, code])
    expect(await left()).toEqual(before)
  })
})

describe('images of an account that uploads many', async () => {
  const held: { readonly ends: (() => void)[]; hold: boolean } = { ends: [], hold: true }
  const images: ImageProcessor = {
    contentTypes: ['image/png'],
    async clean(body, { contentType }) {
      if (held.hold) await new Promise<void>((resolve) => held.ends.push(resolve))
      return { body: Readable.from([await buffer(body)]), contentType }
    },
  }
  const { app, send } = await openUploads({ files: { imageProcessor: images } })

  it('re-encodes images of one account in sequence without delaying other accounts', async () => {
    const png = await blank(4, 4).png().toBuffer()
    const many = [send(fileOf(png, 'a.png'), fileOf(png, 'b.png')), send(fileOf(png, 'c.png'))]
    await expect.poll(() => held.ends.length).toBe(1)
    held.hold = false
    const other = await signUp(app)
    const sent = await upload(app, [field('username', other.account.username), fileOf(png, 'd.png')], other.headers)
    expect([sent.statusCode, held.ends.length]).toEqual([200, 1])
    held.ends[0]?.()
    expect((await Promise.all(many)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })
})
