import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sharpImages } from '@eep/core/files'
import { storageUnavailable } from '@eep/core/ports'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { openStorage, type TestStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, formOf, type Part, PNG } from '../support/files.ts'
import { sellOnly } from '../support/pictures.ts'
import { createCashApp } from '../support/shop.ts'
import { newMember, newOrganization } from '../support/teams.ts'
import { openUploads } from '../support/uploads.ts'

const uploads = await openUploads({ files: { imageProcessor: sharpImages() }, auth: { purgeIntervalMs: 100 } })
const { app, headers: own } = uploads
const http = client(app)

/** The numbers of blobs and rows, once replaced blobs are swept. */
async function left(): Promise<readonly [number, number]> {
  await expect.poll(async () => (await uploads.database.dump?.(['dropped_blobs']))?.length ?? 0).toBe(0)
  return uploads.left()
}

async function sent(content: string | Buffer = 'Hello.', filename?: string): Promise<number> {
  const response = await uploads.send(fileOf(content, filename))
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().id
}
const photo = (width: number, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
const rename = (id: number, body: object, headers = own) => http.patch(`/manage/files/${id}`, body, headers)
const replace = (id: number, parts: readonly Part[], headers = own) => {
  const form = formOf(parts)
  return http.put(`/manage/files/${id}/content`, form.payload, { ...form.headers, ...headers })
}
const read = (id: number, more = {}) => http.get(`/files/${id}`, more)

describe('PATCH /manage/files/{id}', () => {
  it('changes the name and the alternative text, each by itself', async () => {
    const id = await sent()
    const { filename, alt } = (await rename(id, { alt: ' A harbour ' })).json()
    expect([filename, alt]).toEqual(['notes.txt', 'A harbour'])
    const renamed = await rename(id, { filename: 'plan.txt' })
    expect(renamed.json()).toMatchObject({ id, filename: 'plan.txt', alt: 'A harbour', replaced_at: null, size: 6 })
    expect((await read(id)).headers['content-disposition']).toBe('inline; filename=plan.txt')
    const { data } = (await http.get(`/files/list/u/${uploads.account.username}`, own)).json()
    expect(data.find((file: { id: number }) => file.id === id)).toEqual(renamed.json())
    for (const none of [null, '', ' ']) expect((await rename(id, { alt: none })).json().alt).toBeNull()
  })

  it('accepts another extension for the same type, and no other type', async () => {
    const [image, text] = [await sent(await photo(20), 'a.jpg'), await sent('Hello', 'a.txt')]
    expect((await rename(image, { filename: 'b.jpeg' })).json().filename).toBe('b.jpeg')
    expect((await rename(image, { filename: '../../c.jpg' })).json().filename).toBe('c.jpg')
    for (const [id, filename] of [
      [image, 'a.png'],
      [image, 'a.pdf'],
      [text, 'a.html'],
      [text, 'a.md'],
      [text, 'a.pdf'],
    ] as const) {
      expect(codeOf(await rename(id, { filename })), filename).toBe('file_type_mismatch')
    }
  })

  it.each([
    ['nothing', {}],
    ['an empty name', { filename: '' }],
    ['a blank name', { filename: ' ' }],
    ['a number as the name', { filename: 7 }],
    ['a name with a line break', { filename: 'a\n.txt' }],
    ['a name that reverses its text', { filename: 'a\u202etxt.exe' }],
    ['a long name', { filename: 'x'.repeat(256) }],
    ['a long text', { alt: 'x'.repeat(1_001) }],
    ['a list as the text', { alt: ['x'] }],
    ['a text with a NUL', { alt: '\0' }],
    ['another field', { alt: 'x', size: 1 }],
  ])('rejects %s', async (_, body) => {
    const response = await rename(await sent(), body)
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'validation_failed'])
  })

  it('is for the team that may change files, and finds no file that was deleted', async () => {
    const [id, stranger] = [await sent(), await signUp(app)]
    for (const change of [rename(id, { alt: 'x' }, stranger.headers), replace(id, [fileOf('x')], stranger.headers)]) {
      expect(codeOf(await change)).toBe('not_profile_owner')
    }
    const org = await newOrganization(app, { ...stranger })
    const viewer = await newMember(app, org, 'viewer')
    const form = formOf([field('username', org.username), fileOf('x')])
    const theirs = (await http.post('/files', form.payload, { ...form.headers, ...stranger.headers })).json().id
    for (const change of [
      rename(theirs, { alt: 'x' }, viewer.headers),
      replace(theirs, [fileOf('x')], viewer.headers),
    ]) {
      expect(codeOf(await change)).toBe('not_profile_owner')
    }
    await http.delete(`/files/${id}`, own)
    for (const change of [rename(id, { alt: 'x' }), replace(id, [fileOf('x')])]) {
      expect(codeOf(await change)).toBe('file_not_found')
    }
  })
})

describe('PUT /manage/files/{id}/content', () => {
  it('replaces the bytes under the same id and address, with another ETag and date', async () => {
    const id = await sent('Hello.')
    const before = await read(id)
    const response = await replace(id, [fileOf('Goodbye!', 'other.txt')])
    const etag = String(response.headers.etag)
    expect(response.json()).toMatchObject({
      id,
      filename: 'notes.txt',
      url: `https://profiles.example/files/${id}`,
      size: 8,
      sha256: createHash('sha256').update('Goodbye!').digest('hex'),
      replaced_at: expect.any(String),
    })
    const after = await read(id)
    expect([after.body, after.headers.etag]).toEqual(['Goodbye!', etag])
    expect(etag).not.toBe(before.headers.etag)
    const { etag: known = '' } = before.headers
    expect((await read(id, { 'if-none-match': known })).statusCode).toBe(200)
    expect((await read(id, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await read(id, { 'if-match': known })).statusCode).toBe(412)
    expect((await read(id, { range: 'bytes=0-1', 'if-range': known })).statusCode).toBe(200)
  })

  it('draws both sizes of an image again, and gives the name the extension of the new type', async () => {
    const id = await sent(await photo(2_000, 301), 'wide.jpg')
    const small = await http.get(`/files/${id}/small`)
    const wider = await sharp({ create: { width: 1_800, height: 100, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const response = await replace(id, [fileOf(wider, 'wider.png')])
    expect(response.json()).toMatchObject({ filename: 'wide.png', content_type: 'image/png' })
    const again = await http.get(`/files/${id}/small`)
    expect([again.headers['content-type'], again.headers.etag === small.headers.etag]).toEqual(['image/webp', false])
    const { width, height } = await sharp(again.rawPayload).metadata()
    expect([width, height]).toEqual([400, 22])
    expect((await http.get(`/files/${id}/large`)).headers['content-type']).toBe('image/webp')
  })

  it('removes metadata of the new image, and leaves the blob before to the sweeper', async () => {
    const id = await sent(PNG, 'a.png')
    const [blobs, rows] = await left()
    const tagged = await sharp(await photo(50))
      .withExif({ IFD0: { Artist: 'Ada Lovelace' } })
      .jpeg()
      .toBuffer()
    expect((await replace(id, [fileOf(tagged, 'b.jpg')])).statusCode).toBe(200)
    expect((await read(id)).rawPayload.includes('Lovelace')).toBe(false)
    await expect.poll(left).toEqual([blobs, rows])
  })

  it.each<[string, readonly Part[], number, string]>([
    ['a text for an image', [fileOf('Hello.')], 409, 'file_kind_differs'],
    ['HTML as an image', [fileOf('<html><script>alert(1)</script>', 'x.png')], 400, 'file_type_mismatch'],
    ['a broken image', [fileOf(PNG.subarray(0, 40), 'x.png')], 400, 'image_broken'],
    ['no file', [], 400, 'validation_failed'],
    ['two files', [fileOf(PNG, 'a.png'), fileOf(PNG, 'b.png')], 400, 'validation_failed'],
    ['a field', [field('username', 'ada'), fileOf(PNG, 'a.png')], 400, 'validation_failed'],
    ['a file in another field', [{ ...fileOf(PNG, 'a.png'), name: 'other' }], 400, 'validation_failed'],
    ['a large file', [fileOf(Buffer.concat([PNG, Buffer.alloc(5 * 1_048_576)]), 'x.png')], 413, 'file_too_large'],
  ])('rejects %s and changes nothing', async (_, parts, status, code) => {
    const id = await sent(await photo(10), 'a.jpg')
    const [before, stored] = [await read(id), await left()]
    const response = await replace(id, parts)
    expect([response.statusCode, codeOf(response)]).toEqual([status, code])
    const after = await read(id)
    expect([after.rawPayload.equals(before.rawPayload), await left()]).toEqual([true, stored])
  })

  it('rejects bodies that are not forms', async () => {
    const response = await http.put(`/manage/files/${await sent()}/content`, { file: 'x' }, own)
    expect([response.statusCode, codeOf(response)]).toEqual([415, 'unsupported_media_type'])
  })

  it('changes nothing when the form is cut', async () => {
    const id = await sent('x'.repeat(90_000))
    const [before, stored] = [await read(id), await left()]
    const form = formOf([fileOf('y'.repeat(100_000))])
    for (const length of [60, 300, 50_000, form.payload.length - 8]) {
      const cut = form.payload.subarray(0, length)
      const response = await http.put(`/manage/files/${id}/content`, cut, { ...form.headers, ...own })
      expect([response.statusCode, codeOf(response)], `cut at ${length}`).toEqual([400, 'incomplete_upload'])
    }
    expect([(await read(id)).body === before.body, await left()]).toEqual([true, stored])
  })

  it('changes nothing when the client disconnects', async () => {
    const id = await sent('Hello.')
    const stored = await left()
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const form = formOf([fileOf(Buffer.alloc(2_000_000, 'y'))])
    const path = `/manage/files/${id}/content`
    const request = httpRequest({ port, method: 'PUT', path, headers: { ...form.headers, ...own } })
    request.on('error', () => {})
    request.write(form.payload.subarray(0, 1_000_000))
    await expect.poll(async () => (await uploads.left())[1]).toBe(stored[1] + 1)
    request.destroy()
    await expect.poll(left).toEqual(stored)
    expect((await read(id)).body).toBe('Hello.')
  })

  it('replaces only the content that If-Match names, and of two requests that name it exactly one', async () => {
    const id = await sent('Hello.')
    const etag = String((await read(id)).headers.etag)
    const attempts = ['First', 'Second'].map((text) => replace(id, [fileOf(text)], { ...own, 'if-match': etag }))
    const codes = (await Promise.all(attempts)).map(({ statusCode }) => statusCode)
    expect(codes.toSorted()).toEqual([200, 412])
    expect((await read(id)).body).toBe(['First', 'Second'][codes.indexOf(200)])
    const late = await replace(id, [fileOf('Third')], { ...own, 'if-match': etag })
    expect([late.statusCode, codeOf(late)]).toEqual([412, 'file_changed'])
    expect((await replace(id, [fileOf('Fourth')], { ...own, 'if-match': '*' })).statusCode).toBe(200)
  })

  it('stores one of two concurrent contents whole, and deletes all other blobs', async () => {
    const id = await sent('Hello.')
    const stored = await left()
    const texts = ['a'.repeat(70_000), 'b'.repeat(80_000)]
    const answers = await Promise.all(texts.map((text) => replace(id, [fileOf(text)])))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(texts).toContain((await read(id)).body)
    await expect.poll(left).toEqual(stored)
  })

  it('counts the difference in the storage of the owner, and admits a smaller file above the quota', async () => {
    const small = await openUploads({ limits: { plans: { community: { limits: { maxStorageMb: 3 } } } } })
    const { id } = (await small.send(fileOf('x'.repeat(2_000_000)))).json()
    const put = async (bytes: number) => {
      const form = formOf([fileOf('y'.repeat(bytes))])
      return client(small.app).put(`/manage/files/${id}/content`, form.payload, { ...form.headers, ...small.headers })
    }
    expect((await put(2_900_000)).statusCode).toBe(200)
    const refused = await put(3_500_000)
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'file_quota_reached'])
    expect((await put(100)).statusCode).toBe(200)
  })

  it('scans the new content as an upload', async () => {
    const scanner = {
      scan: async (body: AsyncIterable<Buffer>) => {
        let text = ''
        for await (const part of body) text += part
        return text.includes('VIRUS')
          ? { verdict: 'infected' as const, signature: 'Test' }
          : { verdict: 'clean' as const }
      },
    }
    const scanned = await openUploads({ files: { scanner } })
    const { id } = (await scanned.send(fileOf('Hello.'))).json()
    const form = formOf([fileOf('a VIRUS')])
    const path = `/manage/files/${id}/content`
    const response = await client(scanned.app).put(path, form.payload, { ...form.headers, ...scanned.headers })
    expect([response.statusCode, codeOf(response)]).toEqual([422, 'file_infected'])
    expect((await scanned.get(`/files/${id}`)).body).toBe('Hello.')
  })

  it('keeps the gate of the file', async () => {
    const shop = await createCashApp()
    const ada = await signUp(shop.app)
    const as = client(shop.app).as(ada)
    const form = formOf([field('username', ada.account.username), fileOf('Before')])
    const { id } = (await as.post('/files', form.payload, form.headers)).json()
    await sellOnly(ada, [`files.f${id}`])
    const next = formOf([fileOf('After')])
    expect((await as.put(`/manage/files/${id}/content`, next.payload, next.headers)).statusCode).toBe(200)
    const challenge = await client(shop.app).get(`/files/${id}`)
    expect([challenge.statusCode, challenge.body.includes('After')]).toEqual([402, false])
    const paid = await client(shop.app).get(
      `/files/${id}`,
      shop.cashWallets.answer(String(challenge.headers['payment-required'])),
    )
    expect([paid.statusCode, paid.body]).toEqual([200, 'After'])
    await shop.close()
  })
})

it('keeps the bytes of new content when the answer to its commit is lost', async () => {
  const database = await openStorage()
  let lostFor: number | undefined
  const storage: TestStorage['storage'] = {
    ...database.storage,
    async transaction(work) {
      const result = await database.storage.transaction(work)
      const file = lostFor === undefined ? undefined : await database.storage.read.files.get(lostFor)
      if (file?.replacedAt) {
        lostFor = undefined
        throw storageUnavailable()
      }
      return result
    },
  }
  const opened = await openUploads({ storage })
  const { id } = (await opened.send(fileOf('Hello.'))).json()
  lostFor = id
  const form = formOf([fileOf('Goodbye!')])
  const path = `/manage/files/${id}/content`
  const response = await client(opened.app).put(path, form.payload, { ...form.headers, ...opened.headers })
  expect(response.statusCode).toBe(503)
  await expect.poll(async () => (await opened.get(`/files/${id}`)).body).toBe('Goodbye!')
  await database.close()
})
