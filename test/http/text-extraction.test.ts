import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { directoryBlobs } from '@eep/core/files'
import { documentConverter } from '@eep/core/files/text'
import { conversionFailed, type DocumentConverter } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { docxOf, wordParagraph } from '../support/documents.ts'
import { field, fileOf, PNG, upload } from '../support/files.ts'
import { createCashApp, shopGate } from '../support/shop.ts'
import { newOrganization, type OwnedProfile } from '../support/teams.ts'

/** Reads texts as they are, counts how often, and can be held. */
function slowConverter() {
  const held: { release?: () => void; until?: Promise<void> } = {}
  const seen: string[] = []
  const aborted: string[] = []
  const converter: DocumentConverter = {
    version: 'test-1',
    reads: ({ contentType }) => contentType.startsWith('text/'),
    async convert(_, body, { signal }) {
      const content = await text(body)
      seen.push(content)
      if (held.until) await Promise.race([held.until, once(signal, 'abort')])
      if (signal.aborted) aborted.push(content)
      signal.throwIfAborted()
      if (content.startsWith('broken')) {
        throw conversionFailed({ message: 'The document is broken', details: { reason: 'broken' } })
      }
      return { markdown: `# Text\n\n${content}\n`, warnings: ['A picture was left out'] }
    },
  }
  return {
    converter,
    seen,
    aborted,
    hold() {
      held.until = new Promise((resolve) => {
        held.release = resolve
      })
    },
    release() {
      held.release?.()
      delete held.until
    },
  }
}

const slow = slowConverter()
let now = Date.now()
let test: Awaited<ReturnType<typeof createCashApp>>
let owner: Person
let org: OwnedProfile

beforeAll(async () => {
  test = await createCashApp({
    textExtraction: { converter: slow.converter, waitMs: 120_000 },
    clock: () => new Date(now),
  })
  owner = await signUp(test.app)
  org = await newOrganization(test.app, owner)
})
afterAll(async () => {
  await test.close()
})

const { get } = client(() => test.app)
const unique = () => `Hello ${randomUUID()}`
async function newFile(content: string | Buffer = unique(), name = 'notes.txt', username = org.username, as = owner) {
  const sent = await upload(test.app, [field('username', username), fileOf(content, name)], as.headers)
  if (sent.statusCode !== 200) throw new Error(sent.body)
  const { id } = sent.json<{ id: number }>()
  return { id, url: `/files/${id}/markdown` }
}
const timesRead = (content: string) => slow.seen.filter((one) => one === content).length
const convert = (file_id: number, to = 'markdown', as = owner) => as.post('/convert', { file_id, to })
/** Sells the files of an organization. */
async function sellFiles(profile: OwnedProfile, per = 'day') {
  const gate = shopGate({ per })
  const tiers = { ...gate.tiers, reader: { ...gate.tiers.reader, access: ['files.*'] } }
  const put = await profile.owner.put(`/eep/gates/did:web:profiles.example:o:${profile.username}`, {
    ...gate,
    tiers,
  })
  if (put.statusCode >= 300) throw new Error(put.body)
}

describe('GET /files/{id}/markdown', () => {
  it('returns the text as Markdown, plain text, JSON or HTML', async () => {
    const content = unique()
    const { id, url } = await newFile(content)
    const markdown = await get(url)
    expect([markdown.statusCode, markdown.body]).toEqual([200, `# Text\n\n${content}\n`])
    expect(markdown.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      vary: expect.stringContaining('Accept'),
    })
    const json = await get(url, { accept: 'application/json' })
    expect(json.json()).toEqual({
      markdown: markdown.body,
      warnings: ['A picture was left out'],
      encoding: null,
      source: {
        file_id: id,
        filename: 'notes.txt',
        content_type: 'text/plain; charset=utf-8',
        sha256: expect.any(String),
      },
    })
    const plain = await get(`${url}?to=text`, { accept: 'application/json' })
    expect([plain.headers['content-type'], plain.body]).toEqual(['text/plain; charset=utf-8', `Text\n\n${content}\n`])
    const page = await get(url, { accept: 'text/html' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain(content)
    const toon = await get(`${url}?format=toon`)
    expect([toon.headers['content-type'], toon.body]).toEqual([
      'text/toon; charset=utf-8',
      expect.stringContaining(content),
    ])
    for (const query of ['to=pdf', 'format=text']) expect((await get(`${url}?${query}`)).statusCode).toBe(400)
    expect(timesRead(content)).toBe(1)
  })

  it('returns 304 to clients that have the text, and no body for HEAD', async () => {
    const { url } = await newFile()
    const { etag } = (await get(url)).headers
    const again = await get(url, { 'if-none-match': String(etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await client(test.app).send('HEAD', url)
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag])
  })

  it('returns HTML in which no code of the author runs', async () => {
    const { url } = await newFile('<script>alert(1)</script> [x](javascript:alert(1))', 'x.md')
    const page = await get(url, { accept: 'text/html' })
    expect(page.body).not.toContain('<script>alert')
    expect(page.body).not.toContain('href="javascript')
  })

  it('reads the same bytes once for many files and concurrent requests', async () => {
    const content = unique()
    const other = await newOrganization(test.app)
    const [one, two] = [await newFile(content), await newFile(content, 'b.txt', other.username, other.owner)]
    slow.hold()
    const asked = [get(one.url), get(two.url), get(one.url)]
    await expect.poll(() => timesRead(content)).toBe(1)
    slow.release()
    expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect((await get(two.url)).statusCode).toBe(200)
    expect(timesRead(content)).toBe(1)
  })

  it('returns 503 while reading takes long, and returns the text later', async () => {
    const { storage, directory } = test
    const hasty = await createCashApp({
      storage,
      files: { blobStore: directoryBlobs({ directory }) },
      textExtraction: { converter: slow.converter, waitMs: 300 },
      clock: () => new Date(now),
    })
    const content = unique()
    const { url } = await newFile(content)
    slow.hold()
    const pending = await client(hasty.app).get(url)
    expect([pending.statusCode, codeOf(pending), pending.headers['retry-after']]).toEqual([
      503,
      'conversion_pending',
      '5',
    ])
    slow.release()
    await expect.poll(async () => (await client(hasty.app).get(url)).statusCode).toBe(200)
    expect(timesRead(content)).toBe(1)
    await hasty.close()
  })

  it('reads a document once when its text is stored while another request looks for it', async () => {
    const { storage, directory } = test
    const [lookedUp, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isHeld = false
    const get = async (...of: Parameters<typeof storage.read.fileTexts.get>) => {
      const found = await storage.read.fileTexts.get(...of)
      if (isHeld) {
        isHeld = false
        lookedUp.resolve()
        await released.promise
      }
      return found
    }
    const { app, close } = await createCashApp({
      storage: { ...storage, read: { ...storage.read, fileTexts: { ...storage.read.fileTexts, get } } },
      files: { blobStore: directoryBlobs({ directory }) },
      textExtraction: { converter: slow.converter, waitMs: 120_000 },
    })
    const content = unique()
    const { url } = await newFile(content)
    slow.hold()
    const first = client(app).get(url)
    await expect.poll(() => timesRead(content)).toBe(1)
    isHeld = true
    const second = client(app).get(url)
    await lookedUp.promise
    slow.release()
    expect((await first).statusCode).toBe(200)
    released.resolve()
    expect((await second).statusCode).toBe(200)
    expect(timesRead(content)).toBe(1)
    await close()
  })

  it('returns why a document has no text, and retries later', async () => {
    const content = `broken ${unique()}`
    const { url } = await newFile(content)
    for (let times = 0; times < 2; times++) {
      const refused = await get(url)
      expect([refused.statusCode, codeOf(refused)]).toEqual([422, 'conversion_failed'])
      expect(refused.json().error).toMatchObject({ message: 'The document is broken', details: { reason: 'broken' } })
    }
    expect(timesRead(content)).toBe(1)
    now += 2 * 3_600_000
    await get(url)
    expect(timesRead(content)).toBe(2)
  })

  it('answers without a text for images, unknown files and files of private profiles', async () => {
    const picture = await newFile(PNG, 'cat.png')
    const unsupported = await get(picture.url)
    expect([unsupported.statusCode, codeOf(unsupported)]).toEqual([415, 'unsupported_document'])
    expect(codeOf(await get('/files/999999/markdown'))).toBe('file_not_found')
    const { url } = await newFile()
    await owner.put(`/profiles/${org.id}/visibility`, { visibility: 'private' })
    expect(codeOf(await get(url))).toBe('file_not_found')
    const own = await get(url, owner.headers)
    expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-cache'])
    await owner.put(`/profiles/${org.id}/visibility`, { visibility: 'public' })
  })
})

describe('a text that costs something', () => {
  it('requires payment before a text is sent, and then sends it completely', async () => {
    const shop = await newOrganization(test.app, owner)
    const content = unique()
    const { id, url } = await newFile(content, 'a.txt', shop.username)
    await sellFiles(shop)
    const refused = await get(url)
    expect(refused.statusCode).toBe(402)
    expect(refused.body).not.toContain(content)
    expect((await client(test.app).send('HEAD', url)).statusCode).toBe(402)
    const otherUser = await signUp(test.app)
    const asked = await convert(id, 'markdown', otherUser)
    expect([asked.statusCode, asked.body.includes(content)]).toEqual([402, false])
    expect(timesRead(content)).toBe(0)
    expect((await get(url, owner.headers)).statusCode).toBe(200)

    const proof = test.cashWallets.answer((await get(url)).headers['payment-required'], {
      wallet: `0x${'5'.repeat(40)}`,
    })
    const paid = await get(url, { ...proof, 'if-none-match': '*' })
    expect([paid.statusCode, paid.body]).toEqual([200, `# Text\n\n${content}\n`])
    expect(paid.headers).toHaveProperty('payment-receipt')
    expect(paid.headers['cache-control']).toBe('private, no-cache')
  })

  it('takes no payment for a text that cannot be extracted', async () => {
    const shop = await newOrganization(test.app, owner)
    const { url } = await newFile(`broken ${unique()}`, 'a.txt', shop.username)
    const picture = await newFile(PNG, 'cat.png', shop.username)
    await sellFiles(shop, 'request')
    expect((await get(picture.url)).statusCode).toBe(415)
    const proof = test.cashWallets.answer((await get(url)).headers['payment-required'], {
      wallet: `0x${'6'.repeat(40)}`,
    })
    const failed = await get(url, { ...proof })
    expect([failed.statusCode, failed.headers['payment-receipt']]).toEqual([422, undefined])
    expect(failed.headers).not.toHaveProperty('payment-response')
  })
})

describe('POST /convert', () => {
  const ended = (id: string, as = owner) =>
    expect
      .poll(async () => (await as.get(`/jobs/${id}`)).json().status, { timeout: 60_000 })
      .not.toMatch(/queued|running/)
      .then(async () => (await as.get(`/jobs/${id}`)).json())

  it('reads a document in the background, and returns the address of the text', async () => {
    const content = unique()
    const { id, url } = await newFile(content)
    const asked = await convert(id, 'html')
    expect(asked.statusCode, asked.body).toBe(202)
    const job = asked.json()
    expect([job.kind, asked.headers.location]).toEqual(['conversion', `/jobs/${job.id}`])
    expect(await ended(job.id)).toMatchObject({
      status: 'succeeded',
      progress: 100,
      result: {
        file_id: id,
        to: 'html',
        url: `https://profiles.example${url}?to=html`,
        size: Buffer.byteLength(`# Text\n\n${content}\n`),
        warnings: ['A picture was left out'],
      },
    })
    await get(url)
    expect(timesRead(content)).toBe(1)
  })

  it('returns the URL of the text in each format', async () => {
    const { id, url } = await newFile(unique())
    for (const to of ['text', 'json']) {
      const { result } = await ended((await convert(id, to)).json().id)
      expect(result).toMatchObject({ to, url: `https://profiles.example${url}?to=${to}` })
      expect((await get(`${url}?to=${to}`)).statusCode).toBe(200)
    }
  })

  it('returns the plain text of a Markdown file', async () => {
    const own = await createTestApp({ textExtraction: { converter: documentConverter() } })
    const reader = await signUp(own.app)
    const { username } = reader.account
    const markdown = '# Notes\n\nSee the **engine** and [the mill](https://mill.example/).\n\n- One\n- Two\n'
    const sent = await upload(own.app, [field('username', username), fileOf(markdown, 'notes.md')], reader.headers)
    const asked = await reader.post('/convert', { file_id: sent.json().id, to: 'text' })
    expect(asked.statusCode, asked.body).toBe(202)
    const read = () => reader.get(String(asked.headers.location))
    await expect.poll(async () => (await read()).json().status, { timeout: 60_000 }).toBe('succeeded')
    const { result } = (await read()).json()
    const { pathname, search } = new URL(result.url)
    const answer = await reader.get(`${pathname}${search}`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.body).toContain('See the engine and the mill')
    expect(answer.body).not.toMatch(/[#*[\]]/)
    await own.close()
  })

  it('returns the plain text of a file above 1 MiB too', async () => {
    const { url } = await newFile(`**Notes** ${unique()}\n\n${`${'word '.repeat(1_000)}\n\n`.repeat(220)}`)
    const answer = await get(`${url}?to=text`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.body.length).toBeGreaterThan(1_048_576)
    expect(answer.body).toMatch(/^Text\n\nNotes Hello/)
  })

  it('fails with the reason why the text was not extracted', async () => {
    const { id } = await newFile(`broken ${unique()}`)
    const job = await ended((await convert(id)).json().id)
    expect(job).toMatchObject({
      status: 'failed',
      error: { code: 'conversion_failed', message: 'The document is broken' },
    })
  })

  it('ends the conversion when the job is cancelled', async () => {
    const content = unique()
    const { id } = await newFile(content)
    slow.hold()
    const { id: job } = (await convert(id)).json()
    await expect.poll(() => timesRead(content), { timeout: 60_000 }).toBe(1)
    expect((await owner.delete(`/jobs/${job}`)).json().status).toBe('cancelled')
    await expect.poll(() => slow.aborted.includes(content)).toBe(true)
    slow.release()
  })

  it('requires a readable document, which any account may convert', async () => {
    const { id } = await newFile()
    const otherUser = await signUp(test.app)
    expect((await convert(id, 'text', otherUser)).statusCode).toBe(202)
    expect(codeOf(await convert(999_999))).toBe('file_not_found')
    expect((await convert(id, 'pdf')).statusCode).toBe(400)
    expect(codeOf(await convert((await newFile(PNG, 'cat.png')).id))).toBe('unsupported_document')
    await owner.put(`/profiles/${org.id}/visibility`, { visibility: 'private' })
    expect(codeOf(await convert(id, 'text', otherUser))).toBe('file_not_found')
    await owner.put(`/profiles/${org.id}/visibility`, { visibility: 'public' })
  })
})

it('deletes a text with its last file', async () => {
  const content = unique()
  const [one, two] = [await newFile(content), await newFile(content)]
  const { sha256 } = (await get(one.url, { accept: 'application/json' })).json().source
  await get(two.url)
  const kept = () => test.storage.read.fileTexts.get(sha256, 'test-1 text/plain; charset=utf-8 txt')
  await owner.delete(`/files/${one.id}`)
  expect(await kept()).toBeDefined()
  expect((await get(two.url)).statusCode).toBe(200)
  await owner.delete(`/files/${two.id}`)
  expect(await kept()).toBeUndefined()
  expect((await get(two.url)).statusCode).toBe(404)
})

it('extracts the text of a Word document', async () => {
  const { app, close } = await createTestApp({ textExtraction: { converter: documentConverter() } })
  const person = await signUp(app)
  const letter = docxOf(wordParagraph('Dear reader', 'Heading1') + wordParagraph('Hello.'))
  const sent = await upload(
    app,
    [field('username', person.account.username), fileOf(letter, 'letter.docx')],
    person.headers,
  )
  const answer = await client(app).get(`/files/${sent.json().id}/markdown`)
  expect([answer.statusCode, answer.body]).toEqual([200, '# Dear reader\n\nHello.\n'])
  await close()
})
