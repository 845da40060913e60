import { sharpImages } from '@eep/core/files'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { fileOf } from '../support/files.ts'
import { sellOnly, sent } from '../support/pictures.ts'
import { createCashApp, header } from '../support/shop.ts'
import { openUploads } from '../support/uploads.ts'

const HTML = { accept: 'text/html' }

const photo = (width: number, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: '#aa5500' } })
    .jpeg()
    .toBuffer()

let test: Awaited<ReturnType<typeof createCashApp>>
let ada: Writer
let wide: number
let narrow: number

beforeAll(async () => {
  test = await createCashApp({ files: { imageProcessor: sharpImages() }, ...OPEN_FEED })
  ada = await createWriter(test.app)
  wide = await sent(test.app, ada, await photo(2_000), 'wide.jpg')
  narrow = await sent(test.app, ada, await photo(300), 'narrow.jpg')
})
afterAll(() => test.close())

const read = (path: string, headers = {}) => client(test.app).get(path, headers)
const widthOf = async (bytes: Buffer) => (await sharp(bytes).metadata()).width

describe('the sizes of an image', () => {
  it('are WebP of 400 and 1,600 pixels, at most as wide as the image', async () => {
    for (const [path, width, type] of [
      [`/files/${wide}`, 2_000, 'image/jpeg'],
      [`/files/${wide}/large`, 1_600, 'image/webp'],
      [`/files/${wide}/small`, 400, 'image/webp'],
      [`/files/${narrow}/large`, 300, 'image/jpeg'],
      [`/files/${narrow}/small`, 300, 'image/jpeg'],
    ] as const) {
      const { statusCode, headers, rawPayload } = await read(path)
      expect([path, statusCode, headers['content-type'], await widthOf(rawPayload)]).toEqual([path, 200, type, width])
      expect(headers['cache-control']).toBe('public, max-age=60')
    }
  })

  it('have an ETag each, answer conditional requests and HEAD, and have no ranges', async () => {
    const [whole, small] = [await read(`/files/${wide}`), await read(`/files/${wide}/small`)]
    const { etag } = small.headers
    expect(etag).not.toBe(whole.headers.etag)
    expect((await read(`/files/${wide}/small`, { 'if-none-match': String(etag) })).statusCode).toBe(304)
    const part = await read(`/files/${wide}/small`, { range: 'bytes=0-1' })
    expect([part.statusCode, part.headers['accept-ranges']]).toEqual([200, 'none'])
    const head = await test.app.inject({ method: 'HEAD', url: `/files/${wide}/small` })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
      200,
      String(small.rawPayload.length),
      '',
    ])
  })

  it('do not exist for other files', async () => {
    const text = await sent(test.app, ada, 'Words', 'words.txt')
    expect((await read(`/files/${text}/small`)).statusCode).toBe(404)
  })

  it('are loaded by pages: by their place, and lazily below the beginning', async () => {
    const { username } = ada.account
    const url = (id: number) => `https://profiles.example/files/${id}`
    await ada.put(`/profiles/u/${username}`, { cover_url: url(wide), avatar_url: url(wide) })
    const body = `![Wide](${url(wide)})\n\n![Narrow](${url(narrow)})`
    const page = await ada.newPage({ body })
    await ada.post('/feed', { body: 'Words' })
    const srcset = (large: number) =>
      `srcset="/files/${wide}/small 400w, /files/${wide}/large ${large}w" sizes="(min-width: `
    const profile = (await read(`/u/${username}`, HTML)).body
    expect(profile).toContain(`<img class="cover" src="/files/${wide}" ${srcset(1_600)}68rem) 65.5rem, 100vw"`)
    expect(profile).toContain(
      `<img class="face" src="/files/${wide}/small" alt="" width="112" height="112" referrerpolicy`,
    )
    expect(profile).toContain(
      `<img class="thumb" src="/files/${wide}/small" alt="" width="112" height="75" loading="lazy"`,
    )
    const article = (await read(page.path, HTML)).body
    expect(article).toContain(
      `<img src="/files/${wide}" width="2000" height="300" ${srcset(1_600)}44.5rem) 42rem, 100vw"`,
    )
    expect(article).toContain(`<img src="/files/${narrow}" width="300" height="300" alt="Narrow" loading="lazy"`)
    expect((await read('/feed', HTML)).body).toContain(
      `src="/files/${wide}/small" alt="" width="112" height="112" loading="lazy"`,
    )
  })

  it('are loaded by the page of what is for sale, for the face of its seller', async () => {
    const { path } = await ada.newPage({ slug: 'sold' })
    await sellOnly(ada, ['content.sold'])
    const { statusCode, body } = await read(path, HTML)
    expect([statusCode, body.includes(`<img class="face" src="/files/${wide}/small" alt=""`)]).toEqual([402, true])
    await sellOnly(ada, ['content.sold', 'profile.avatar_url'])
    expect((await read(path, HTML)).body).toContain('<span class="face"')
    await sellOnly(ada, ['content.sold', `files.f${wide}`])
    expect((await read(path, HTML)).body).toContain('<span class="face"')
  })

  it('are as closed as the image, and never sent in place of what was paid for', async () => {
    const id = await sent(test.app, ada, await photo(2_000, 301), 'sold.jpg')
    await sellOnly(ada, [`files.f${id}`])
    for (const path of [`/files/${id}`, `/files/${id}/small`, `/files/${id}/large`]) {
      const answer = await read(path)
      expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([path, 402, 'no-store'])
      expect((await ada.get(path)).statusCode).toBe(200)
    }
    const own = await ada.get(`/files/${id}/small`)
    expect(own.headers['cache-control']).toBe('private, no-cache')
    const paid = await read(
      `/files/${id}/small`,
      test.cashWallets.answer(header(await read(`/files/${id}/small`), 'payment-required')),
    )
    expect([paid.statusCode, paid.headers['content-type']]).toEqual([200, 'image/jpeg'])
  })
})

it('stores sizes with an image, and deletes them with it', async () => {
  const { app, headers, send, left } = await openUploads({ files: { imageProcessor: sharpImages() } })
  const [before] = await left()
  const { id } = (await send(fileOf(await photo(2_000), 'wide.jpg'))).json()
  expect((await left())[0]).toBe(before + 3)
  expect((await client(app).delete(`/files/${id}`, headers)).statusCode).toBe(200)
  await expect.poll(async () => (await left())[0]).toBe(before)
})

it('loads images in their own size where the service draws none', async () => {
  const plain = await createCashApp()
  const writer = await createWriter(plain.app)
  const id = await sent(plain.app, writer, await photo(2_000), 'wide.jpg')
  const { username } = writer.account
  await writer.put(`/profiles/u/${username}`, { cover_url: `https://profiles.example/files/${id}` })
  const { body } = await client(plain.app).get(`/u/${username}`, HTML)
  expect(body).toContain(`<img class="cover" src="/files/${id}" alt=""`)
  expect((await client(plain.app).get(`/files/${id}/small`)).headers['content-type']).toBe('image/jpeg')
  await plain.close()
})
