import { readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { directoryBlobs } from '@eep/core/files'
import { type BlobStore, storageError } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, formOf, type Part, PNG, upload } from '../support/files.ts'
import { createCashApp, shopGate } from '../support/shop.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let owner: Person
let org: OwnedProfile

beforeAll(async () => {
  test = await createCashApp()
  owner = await signUp(test.app)
  org = await newOrganization(test.app, owner)
})
afterAll(async () => {
  await test.close()
  for (const what of ['failing', 'unpaid']) await rm(`${test.directory}-${what}`, { recursive: true, force: true })
})

const send = (parts: readonly Part[], as = owner.headers) => upload(test.app, parts, as)
const sendFile = (content: string | Buffer, filename?: string, username = org.username) =>
  send([field('username', username), fileOf(content, filename)])
async function newFile(content: string | Buffer = 'Hello.', filename?: string, username?: string) {
  const response = await sendFile(content, filename, username)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json<{ id: number; filename: string; url: string }>()
}
const { get } = client(() => test.app)

/** How many blobs there are, and how many uploads that never ended. */
async function leftovers(directory = test.directory) {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  return names.filter((name) => /[0-9a-f]{8}-/.test(name)).length
}

describe('POST /files', () => {
  it('stores a file and returns its id, name and URL', async () => {
    const response = await sendFile('Hello.', 'notes.txt')
    expect(response.statusCode).toBe(200)
    const { id } = response.json()
    expect(response.json()).toEqual({
      id: expect.any(Number),
      filename: 'notes.txt',
      url: `https://profiles.example/files/${id}`,
    })
    const read = await get(`/files/${id}`)
    expect([read.statusCode, read.body, read.headers['content-type']]).toEqual([
      200,
      'Hello.',
      'text/plain; charset=utf-8',
    ])
  })

  it('accepts the username after the file', async () => {
    const response = await send([fileOf('First'), field('username', org.username)])
    expect(response.statusCode).toBe(200)
  })

  it('stores several files of one request', async () => {
    const response = await send([field('username', org.username), fileOf('One', 'a.txt'), fileOf('Two', 'b.txt')])
    expect(response.json().files.map(({ filename }: { filename: string }) => filename)).toEqual(['a.txt', 'b.txt'])
  })

  it('finds the only profile of a username that the caller may change, and rejects an ambiguous one', async () => {
    const name = org.username
    await owner.post('/profiles', { profile_type: 'place', username: name })
    const both = await send([field('username', name), fileOf('x')])
    expect([both.statusCode, codeOf(both)]).toEqual([400, 'ambiguous_username'])
    const named = await send([field('username', name), field('profile_type', 'place'), fileOf('x')])
    expect(named.statusCode).toBe(200)
    await owner.delete(`/profiles/l/${name}`)
    const other = await signUp(test.app)
    await other.post('/profiles', { profile_type: 'place', username: name })
    expect((await send([field('username', name), fileOf('x')])).statusCode).toBe(200)
  })

  it('lets editors upload files, but not viewers and other users', async () => {
    const [editor, viewer] = [await newMember(test.app, org, 'editor'), await newMember(test.app, org, 'viewer')]
    const parts = [fileOf('x'), field('username', org.username)]
    expect((await send(parts, editor.headers)).statusCode).toBe(200)
    const before = await leftovers()
    for (const { headers } of [viewer, await signUp(test.app)]) {
      expect(codeOf(await send(parts, headers))).toBe('not_profile_owner')
      expect(codeOf(await send(parts.toReversed(), headers))).toBe('not_profile_owner')
    }
    expect(await leftovers()).toBe(before)
  })

  it.each<[string, readonly Part[], string]>([
    ['no username', [fileOf('x')], 'validation_failed'],
    ['no file', [field('username', 'ada')], 'profile_not_found'],
    ['an unknown username', [field('username', 'unknown-name'), fileOf('x')], 'profile_not_found'],
    ['an unknown field', [field('username', 'ada'), field('colour', 'red'), fileOf('x')], 'validation_failed'],
    ['a prototype', [field('__proto__', 'x'), field('username', 'ada'), fileOf('x')], 'validation_failed'],
    ['a field twice', [field('username', 'ada'), field('username', 'bert'), fileOf('x')], 'validation_failed'],
    ['a long field', [field('username', 'x'.repeat(10_000)), fileOf('x')], 'validation_failed'],
    ['many fields', Array.from({ length: 1_000 }, (_, index) => field(`f${index}`, 'x')), 'validation_failed'],
    ['a file in another field', [{ ...fileOf('x'), name: 'other' }], 'validation_failed'],
    ['a file without a name', [{ content: 'x' }], 'validation_failed'],
    ['thousands of files', Array.from({ length: 5_000 }, () => fileOf('x')), 'batch_too_large'],
    ['HTML as a picture', [fileOf('<html><script>alert(1)</script>', 'cat.png')], 'file_type_mismatch'],
    ['a picture as a document', [fileOf(PNG, 'report.pdf')], 'file_type_mismatch'],
  ])('rejects %s and stores nothing', async (_, parts, code) => {
    const before = await leftovers()
    const response = await send(parts)
    expect([codeOf(response), response.statusCode >= 400 && response.statusCode < 500]).toEqual([code, true])
    expect(await leftovers()).toBe(before)
  })

  it('rejects bodies that are not forms, and forms on other routes', async () => {
    const { headers } = owner
    const json = await client(test.app).post('/files', { username: 'ada' }, headers)
    expect([json.statusCode, codeOf(json)]).toEqual([415, 'unsupported_media_type'])
    const bare = { ...headers, 'content-type': 'multipart/form-data' }
    const without = await client(test.app).post('/files', 'x', bare)
    expect(codeOf(without)).toBe('validation_failed')
    const form = formOf([field('username', 'ada')])
    const elsewhere = await test.app.inject({
      method: 'POST',
      url: '/profiles',
      ...form,
      headers: { ...form.headers, ...headers },
    })
    expect(elsewhere.statusCode).toBe(415)
  })

  it('rejects files over the plan limit during the upload, and stores nothing', async () => {
    const before = await leftovers()
    const large = await sendFile(Buffer.alloc(5 * 1_048_576 + 1))
    expect([large.statusCode, codeOf(large)]).toEqual([413, 'file_too_large'])
    const batch = await send([
      field('username', org.username),
      ...Array.from({ length: 5 }, () => fileOf(Buffer.alloc(4_500_000))),
    ])
    expect([batch.statusCode, codeOf(batch)]).toEqual([413, 'batch_too_large'])
    expect(await leftovers()).toBe(before)
  })

  it('stores nothing of a truncated form', async () => {
    const before = await leftovers()
    const { payload, headers } = formOf([field('username', org.username), fileOf('x'.repeat(100_000))])
    for (const length of [60, 300, 50_000, payload.length - 8]) {
      const cut = payload.subarray(0, length)
      const response = await client(test.app).post('/files', cut, { ...headers, ...owner.headers })
      expect([response.statusCode, codeOf(response)], `cut at ${length}`).toEqual([400, 'incomplete_upload'])
    }
    expect(await leftovers()).toBe(before)
  })

  it('stores nothing when the client disconnects', async () => {
    const other = await createTestApp()
    await other.app.listen({ port: 0, host: '127.0.0.1' })
    const { headers, account } = await signUp(other.app)
    const { port } = other.app.server.address() as AddressInfo
    const form = formOf([field('username', account.username), fileOf(Buffer.alloc(2_000_000))])
    const request = httpRequest({ port, method: 'POST', path: '/files', headers: { ...form.headers, ...headers } })
    request.on('error', () => {})
    request.write(form.payload.subarray(0, 1_000_000))
    await expect.poll(() => leftovers(other.directory)).toBe(1)
    request.destroy()
    await expect.poll(() => leftovers(other.directory)).toBe(0)
    await other.close()
  })

  it('sanitizes file names of folders and excessive length', async () => {
    for (const [sent, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\Windows\\system32\\x.txt', 'x.txt'],
      ['.htaccess', 'htaccess'],
      [`${'x'.repeat(900)}.txt`, `${'x'.repeat(196)}.txt`],
      ['Zoë 李.txt', 'Zoë 李.txt'],
    ]) {
      expect((await newFile('x', sent)).filename).toBe(kept)
    }
  })

  it('enforces the file limit of the owner’s tier for all uploaders and concurrent uploads', async () => {
    const poor = await signUp(test.app)
    const { username } = poor.account
    const parts = [field('username', username), ...Array.from({ length: 5 }, () => fileOf('x'))]
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(parts, poor.headers)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10)
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    expect(refused.map(codeOf)).toEqual(['file_quota_reached', 'file_quota_reached'])
    const { usage } = (await get('/manage/limits', poor.headers)).json()
    expect(usage).toMatchObject({ files: 50, storage_mb: 0 })
  })
})

describe('GET /files/{id}', () => {
  it('sends headers that limit caching and prevent script execution', async () => {
    const { headers } = await get(`/files/${(await newFile('0123456789')).id}`)
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'content-disposition': 'inline; filename=notes.txt',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('sends no file inline that a browser could execute', async () => {
    const script = '<script>alert(document.cookie)</script>'
    for (const [filename, content, type] of [
      ['x.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, 'image/svg+xml'],
      ['drawing', `<?xml version="1.0"?><svg>${script}</svg>`, 'image/svg+xml'],
      ['x.html', `<!doctype html>${script}`, 'text/html'],
      ['notes', `Hello ${script}`, 'text/html'],
      ['x.xml', '<?xml version="1.0"?><a/>', 'application/xml'],
      ['x.bin', Buffer.from([0, 1, 2, 3]), 'application/octet-stream'],
    ] as const) {
      const file = await newFile(content, filename)
      for (const url of [`/files/${file.id}`, `/files/${file.id}/content`]) {
        const { headers } = await get(url, owner.headers)
        expect(String(headers['content-type']).split(';')[0]).toBe(type)
        expect(headers['content-disposition']).toBe(`attachment; filename=${filename}`)
        expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
        expect(headers['x-content-type-options']).toBe('nosniff')
      }
    }
  })

  it.each([
    ['x.js', 'alert(1)', 'text/plain; charset=utf-8'],
    ['x.css', 'a{}', 'text/plain; charset=utf-8'],
    ['README.md', '<p align="center">A logo</p>', 'text/markdown; charset=utf-8'],
    ['howto.md', '```html\n<script>alert(1)</script>\n```', 'text/markdown; charset=utf-8'],
    ['notes.txt', 'Hello <script>alert(1)</script>', 'text/plain; charset=utf-8'],
  ])('serves the text %s with the type of its name, inline and without sniffing', async (filename, content, type) => {
    const { id } = await newFile(content, filename)
    for (const headers of [{}, { range: 'bytes=0-1' }]) {
      expect((await get(`/files/${id}`, headers)).headers).toMatchObject({
        'content-type': type,
        'content-disposition': `inline; filename=${filename}`,
        'content-security-policy': expect.stringContaining('sandbox'),
        'x-content-type-options': 'nosniff',
      })
    }
  })

  it('formats any name as RFC 6266 requires', async () => {
    const { id: named } = await newFile('x', 'Zoë 李.txt')
    expect((await get(`/files/${named}`)).headers['content-disposition']).toBe(
      `inline; filename="Zo? ?.txt"; filename*=UTF-8''Zo%C3%AB%20%E6%9D%8E.txt`,
    )
  })

  it('shows the file of a private profile to its team only', async () => {
    const hidden = await newOrganization(test.app, owner, { visibility: 'private' })
    const file = await newFile('secret', 'a.txt', hidden.username)
    const viewer = await newMember(test.app, hidden, 'viewer')
    expect(codeOf(await get(`/files/${file.id}`))).toBe('file_not_found')
    expect(codeOf(await get(`/files/${file.id}/content`, (await signUp(test.app)).headers))).toBe('file_not_found')
    const own = await get(`/files/${file.id}`, viewer.headers)
    expect([own.body, own.headers['cache-control']]).toEqual(['secret', 'private, no-cache'])
    for (const url of ['/files/999999999', `/files/${'9'.repeat(15)}`]) expect((await get(url)).statusCode).toBe(404)
    expect((await get('/files/abc')).statusCode).toBe(404)
  })

  it('protects a file by the gate of its profile, and serves it after a payment', async () => {
    const shop = await newOrganization(test.app, owner)
    const file = await newFile('paid', 'a.txt', shop.username)
    const gate = shopGate() as { tiers: Record<string, { requirements: unknown[]; access: string[] }> }
    for (const tier of Object.values(gate.tiers)) {
      tier.access = tier.requirements.length > 0 ? ['files.*'] : ['profile.*']
    }
    const put = await owner.put(`/eep/gates/did:web:profiles.example:o:${shop.username}`, gate)
    expect(put.statusCode, put.body).toBeLessThan(300)
    const otherUser = await signUp(test.app)
    for (const url of [`/files/${file.id}`, `/files/${file.id}/content`]) {
      const refused = await get(url, { ...otherUser.headers, range: 'bytes=0-1' })
      expect(refused.statusCode).toBe(402)
      expect(refused.body).not.toContain('paid"')
      expect((await get(url, owner.headers)).body).toBe('paid')
    }
    expect((await client(test.app).send('HEAD', `/files/${file.id}`)).statusCode).toBe(402)

    const url = `/files/${file.id}`
    const challenge = await get(url)
    const proof = test.cashWallets.answer(challenge.headers['payment-required'], { wallet: `0x${'7'.repeat(40)}` })
    const paid = await get(url, { ...proof, range: 'bytes=0-1', 'if-none-match': '*' })
    expect([paid.statusCode, paid.body]).toEqual([200, 'paid'])
    expect(paid.headers['cache-control']).toBe('private, no-cache')
    expect(paid.headers).toHaveProperty('payment-receipt')
  })
})

describe('GET /files/{fileId}/content', () => {
  it('serves an image for display to a key with read:files', async () => {
    const { id } = await newFile(PNG, 'cat.png')
    const key = await newKey(test.app, owner.headers, { scopes: ['read:files'] })
    const { headers, rawPayload } = await get(`/files/${id}/content`, key.headers)
    expect([headers['content-type'], headers['content-disposition']]).toEqual(['image/png', 'inline; filename=cat.png'])
    expect(rawPayload.equals(PNG)).toBe(true)
  })
})

describe('the files of a profile', () => {
  it('lists the files of a profile in pages for its owner only', async () => {
    const profile = await newOrganization(test.app, owner)
    const ids: number[] = []
    for (const name of ['a.txt', 'b.txt', 'c.txt']) ids.unshift((await newFile('x', name, profile.username)).id)
    const url = `/files/list/o/${profile.username}`
    const first = (await get(`${url}?limit=2`, owner.headers)).json()
    expect(first.data[0]).toEqual({
      id: ids[0],
      filename: 'c.txt',
      url: `https://profiles.example/files/${ids[0]}`,
      content_type: 'text/plain; charset=utf-8',
      encoding: null,
      size: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      alt: null,
      created_at: expect.any(String),
      replaced_at: null,
    })
    const rest = (await get(`${url}?limit=2&cursor=${first.pagination.next_cursor}`, owner.headers)).json()
    expect([...first.data, ...rest.data].map(({ id }: { id: number }) => id)).toEqual(ids)
    const viewer = await newMember(test.app, profile, 'viewer')
    expect(codeOf(await get(url, viewer.headers))).toBe('not_profile_owner')
    const managed = (await get(`/manage/files?profile_id=${profile.id}&limit=2`, viewer.headers)).json()
    expect(managed.data).toEqual(first.data)
    expect(codeOf(await get(url, (await signUp(test.app)).headers))).toBe('not_profile_owner')
    expect((await get('/files/list/o/unknown-name', owner.headers)).statusCode).toBe(404)
    expect((await get('/files/list/zz/x', owner.headers)).statusCode).toBe(404)
    expect((await get(`${url}?cursor=x`, owner.headers)).statusCode).toBe(400)
  })

  it('shows new files in the profile immediately, and removes deleted ones immediately', async () => {
    const profile = await newOrganization(test.app, owner)
    const shown = async () => (await get(`/o/${profile.username}?format=json`)).json().files
    expect(await shown()).toEqual([])
    const { id } = await newFile('Hello.', 'a.txt', profile.username)
    const entry = { id, filename: 'a.txt', url: expect.any(String), size: 6 }
    expect(await shown()).toEqual([expect.objectContaining(entry)])
    const dashboard = (await get('/dashboard/profiles?limit=100', owner.headers)).json().profiles
    const ofProfile = dashboard.find(({ id: each }: { id: number }) => each === profile.id)
    expect(ofProfile.files).toEqual([expect.objectContaining(entry)])

    const before = await leftovers()
    expect((await owner.delete(`/files/${id}`)).json()).toEqual({ success: true })
    expect(await shown()).toEqual([])
    expect(await leftovers()).toBe(before - 1)
    expect((await get(`/files/${id}`)).statusCode).toBe(404)
    expect((await owner.delete(`/files/${id}`)).statusCode).toBe(404)
  })

  it('lets only editors delete files', async () => {
    const { id } = await newFile()
    const viewer = await newMember(test.app, org, 'viewer')
    const editor = await newMember(test.app, org, 'editor')
    for (const person of [viewer, await signUp(test.app)]) {
      expect(codeOf(await person.delete(`/manage/files/${id}`))).toBe('not_profile_owner')
    }
    expect(codeOf(await editor.delete(`/files/${id}`))).toBe('not_profile_owner')
    expect((await editor.delete(`/manage/files/${id}`)).json()).toEqual({ success: true })
  })

  it('removes all files that an update of the profile by its owner lists, or none', async () => {
    const profile = await newOrganization(test.app, owner)
    const ids = [(await newFile('x', 'a', profile.username)).id, (await newFile('x', 'b', profile.username)).id]
    const foreign = (await newFile()).id
    const wrong = await owner.put(profile.path, { bio: 'New', files_to_delete: [ids[0] as number, foreign] })
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([400, 'unknown_file'])
    expect(wrong.json().error.details).toEqual({ files_to_delete: [foreign] })
    expect((await owner.get(profile.path)).json()).toMatchObject({ bio: null, files: [{}, {}] })
    const admin = await newMember(test.app, { ...profile, owner }, 'admin')
    expect(codeOf(await admin.put(profile.path, { bio: 'New', files_to_delete: [ids[0] as number] }))).toBe(
      'not_profile_owner',
    )
    expect((await admin.put(profile.path, { files_to_delete: [] })).statusCode).toBe(200)
    expect((await owner.get(profile.path)).json()).toMatchObject({ bio: null, files: [{}, {}] })
    const right = await owner.put(profile.path, { files_to_delete: [ids[0] as number, ids[0] as number] })
    expect(right.json().files).toEqual([expect.objectContaining({ id: ids[1] })])
    expect((await get(`/files/${ids[0]}`)).statusCode).toBe(404)
    expect((await get(`/files/${foreign}`)).statusCode).toBe(200)
  })
})

describe('a store that fails', () => {
  it('returns 502 to uploads and downloads', async () => {
    const blobs = directoryBlobs({ directory: `${test.directory}-failing` })
    let broken = false
    const failing: BlobStore = {
      ...blobs,
      get: (...args) => (broken ? Promise.reject(storageError()) : blobs.get(...args)),
      put: (...args) => (broken ? Promise.reject(storageError()) : blobs.put(...args)),
      delete: (...args) => (broken ? Promise.reject(storageError()) : blobs.delete(...args)),
    }
    const other = await createTestApp({ files: { blobStore: failing } })
    const { headers, account } = await signUp(other.app)
    const parts = [field('username', account.username), fileOf('x')]
    const { id } = (await upload(other.app, parts, headers)).json()
    broken = true
    const answers = [
      await upload(other.app, parts, headers),
      await client(other.app).get(`/files/${id}`),
      await client(other.app).get(`/files/${id}/content`, { ...headers, range: 'bytes=0-0' }),
    ]
    expect(answers.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual(
      answers.map(() => [502, 'storage_error']),
    )
    expect(answers[1]?.headers.etag).toBeUndefined()
    expect((await client(other.app).delete(`/files/${id}`, headers)).statusCode).toBe(200)
    await other.close()
  })

  /** A file for sale in a blob store that can fail, and the proof of a payment for it. */
  async function fileForSale(failing: BlobStore['get']) {
    const blobs = directoryBlobs({ directory: `${test.directory}-unpaid` })
    let broken = false
    const other = await createCashApp({
      files: { blobStore: { ...blobs, get: (...args) => (broken ? failing : blobs.get)(...args) } },
    })
    const { headers, account } = await signUp(other.app)
    const { username } = account
    const { id } = (await upload(other.app, [field('username', username), fileOf('paid')], headers)).json()
    const gate = shopGate()
    const payload = { ...gate, tiers: { ...gate.tiers, reader: { ...gate.tiers.reader, access: ['files.*'] } } }
    const did = `did:web:profiles.example:u:${username}`
    await client(other.app).put(`/eep/gates/${did}`, payload, headers)
    const url = `/files/${id}`
    const challenge = await client(other.app).get(url)
    const proof = other.cashWallets.answer(challenge.headers['payment-required'], { wallet: `0x${'8'.repeat(40)}` })
    return {
      breakStore: (isBroken: boolean) => {
        broken = isBroken
      },
      buy: () => client(other.app).get(url, { ...proof }),
      sales: async () => (await client(other.app).get('/dashboard/profiles', headers)).json().profiles[0].metrics.sales,
      close: () => other.close(),
    }
  }

  it('takes no payment for missing bytes', async () => {
    const file = await fileForSale(() => Promise.reject(storageError()))
    file.breakStore(true)
    const failed = await file.buy()
    expect([failed.statusCode, failed.headers['payment-receipt']]).toEqual([502, undefined])
    expect(await file.sales()).toBe(0)
    file.breakStore(false)
    expect((await file.buy()).body).toBe('paid')
    expect(await file.sales()).toBe(1)
    await file.close()
  })

  it('serves a paid file again after its bytes ended while the payment was settled', async () => {
    const file = await fileForSale(async () => {
      const body = new Readable({ read() {} })
      setImmediate(() => body.destroy(new Error('The connection ended')))
      return { body, length: 4, size: 4, start: 0 }
    })
    file.breakStore(true)
    expect((await file.buy()).statusCode).toBe(500)
    file.breakStore(false)
    expect((await file.buy()).body).toBe('paid')
    expect(await file.sales()).toBe(1)
    await file.close()
  })

  it('returns 503 without a blob store', async () => {
    const other = await createTestApp({ files: { blobStore: undefined } })
    const { headers, account } = await signUp(other.app)
    const answers = [
      await upload(other.app, [field('username', account.username), fileOf('x')], headers),
      await client(other.app).get('/files/1'),
      await client(other.app).get(`/files/list/u/${account.username}`, headers),
    ]
    expect(answers.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual(
      answers.map(() => [503, 'files_disabled']),
    )
    await other.close()
  })
})
