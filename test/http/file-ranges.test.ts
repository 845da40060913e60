import { readdir, readlink } from 'node:fs/promises'
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { directoryBlobs } from '@eep/core/files'
import type { BlobStore } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'

type Headers = Record<string, string>

const TEXT = '0123456789'
const PAST = 'Thu, 01 Jan 1970 00:00:00 GMT'
const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT'

let test: Awaited<ReturnType<typeof createTestApp>>
let owner: Awaited<ReturnType<typeof signUp>>
let port: number
let digits: string
let empty: string
let large: string
let own: { etag: string; modified: string }
// One connection for all: an answer with too few bytes or too many spoils the next one.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let connections = 0

beforeAll(async () => {
  test = await createTestApp()
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  port = portOf(test.app)
  test.app.server.on('connection', () => {
    connections += 1
  })
  owner = await signUp(test.app)
  digits = await newFile(TEXT)
  empty = await newFile('')
  large = await newFile(Buffer.alloc(4_000_000, 'x'))
  const { headers } = await ask(digits)
  own = { etag: String(headers.etag), modified: String(headers['last-modified']) }
})
afterAll(async () => {
  agent.destroy()
  await test.close()
})

const portOf = (app: TestApp) => (app.server.address() as AddressInfo).port

async function newFile(content: string | Buffer, app = test.app, as = owner): Promise<string> {
  const response = await upload(app, [field('username', as.account.username), fileOf(content)], as.headers)
  if (response.statusCode !== 200) throw new Error(response.body)
  return `/files/${response.json().id}`
}

/** Begins to read an answer; its body is left to the caller. */
function begin(path: string, headers: Headers = {}, options: { port?: number; method?: string; agent?: Agent } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false, ...options }, resolve)
  request.on('error', reject)
  request.end()
  return { request, answer: promise }
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function ask(path: string, headers: Headers = {}, method = 'GET'): Promise<Answer> {
  const answer = await begin(path, headers, { agent, method }).answer
  return { status: answer.statusCode, headers: answer.headers, body: (await buffer(answer)).toString() }
}

/** The requested part of a file. Default: the digits. `*etag*` and `*modified*` are replaced by those of the file. */
interface Row {
  readonly of?: 'empty'
  readonly method?: 'HEAD'
  readonly headers: Headers
  readonly status: number
  /** Default: the whole file. */
  readonly bytes?: string
  /** `Content-Range`. */
  readonly is?: string
}

const part = (range: string, bytes: string, is: string): Row => ({ headers: { range }, status: 206, bytes, is })
const none = (range: string): Row => ({ headers: { range }, status: 416, is: 'bytes */10' })
const whole = (headers: Headers): Row => ({ headers, status: 200, bytes: TEXT })
const some = (headers: Headers): Row => ({ ...part('bytes=2-3', '23', 'bytes 2-3/10'), headers })
const given = (status: number, headers: Headers): Row => ({ headers, status, bytes: '' })
const RANGE = 'bytes=2-3'

const ROWS: readonly (readonly [string, string, Row])[] = [
  ['14.1.2', 'from one byte to another', part('bytes=2-3', '23', 'bytes 2-3/10')],
  ['14.1.2', 'one byte', part('bytes=0-0', '0', 'bytes 0-0/10')],
  ['14.1.2', 'from one byte on', part('bytes=4-', '456789', 'bytes 4-9/10')],
  ['14.1.2', 'to a byte that is not there', part('bytes=8-99', '89', 'bytes 8-9/10')],
  ['14.1.2', 'to a byte no number holds', part(`bytes=8-${'9'.repeat(400)}`, '89', 'bytes 8-9/10')],
  ['14.1.2', 'the last ones', part('bytes=-3', '789', 'bytes 7-9/10')],
  ['14.1.2', 'more last ones than there are', part('bytes=-99', TEXT, 'bytes 0-9/10')],
  ['14.1.2', 'all of them', part('bytes=0-', TEXT, 'bytes 0-9/10')],
  ['14.1', 'a unit in capitals', part('BYTES=0-0', '0', 'bytes 0-0/10')],
  ['15.5.17', 'the last none', none('bytes=-0')],
  ['15.5.17', 'from the byte after the last', none('bytes=10-')],
  ['15.5.17', 'from a byte no number holds', none(`bytes=${'9'.repeat(400)}-`)],
  ['14.1.1', 'from a later byte to an earlier one', whole({ range: 'bytes=5-2' })],
  ['14.2', 'no numbers', whole({ range: 'bytes=a-b' })],
  ['14.2', 'no end and no start', whole({ range: 'bytes=-' })],
  ['14.2', 'a negative number', whole({ range: 'bytes=--5' })],
  ['14.2', 'nothing', whole({ range: 'bytes=' })],
  ['14.2', 'an unknown unit', whole({ range: 'lines=0-3' })],
  ['14.2', 'two ranges', whole({ range: 'bytes=0-1,8-9' })],
  ['14.2', 'ranges that overlap', whole({ range: 'bytes=0-,0-,0-,0-' })],
  ['17.15', 'a thousand ranges', whole({ range: `bytes=${'0-9,'.repeat(1_000)}0-9` })],
  ['14.1.2', 'some of nothing', { of: 'empty', headers: { range: 'bytes=0-' }, status: 416, is: 'bytes */0' }],
  ['14.1.2', 'the last of nothing', { of: 'empty', headers: { range: 'bytes=-5' }, status: 200, bytes: '' }],
  ['15.3.1', 'nothing, of nothing', { of: 'empty', headers: {}, status: 200, bytes: '' }],
  ['13.1.5', 'some, if it is the same', some({ range: RANGE, 'if-range': '*etag*' })],
  ['13.1.5', 'some, if it is as old', some({ range: RANGE, 'if-range': '*modified*' })],
  ['13.1.5', 'some, if it is another', whole({ range: RANGE, 'if-range': '"another"' })],
  ['13.1.5', 'some, by a weak validator', whole({ range: RANGE, 'if-range': 'W/*etag*' })],
  ['13.1.5', 'some, if it is older', whole({ range: RANGE, 'if-range': PAST })],
  ['13.1.5', 'some, if it is newer', whole({ range: RANGE, 'if-range': FUTURE })],
  ['13.1.5', 'a part, with an invalid validator', whole({ range: RANGE, 'if-range': 'nonsense' })],
  ['13.1.5', 'what cannot be had, if it is another', whole({ range: 'bytes=99-', 'if-range': '"another"' })],
  ['13.1.5', 'no range, if it is another', whole({ 'if-range': '"another"' })],
  ['13.1.2', 'what it has', given(304, { 'if-none-match': '*etag*' })],
  ['13.1.2', 'what it has, by a weak validator among others', given(304, { 'if-none-match': '"x", W/*etag*' })],
  ['13.1.2', 'anything it may have', given(304, { 'if-none-match': '*' })],
  ['13.1.2', 'what it has not', whole({ 'if-none-match': '"another"' })],
  ['13.1.3', 'a file that is as old as the cached one', given(304, { 'if-modified-since': '*modified*' })],
  ['13.1.3', 'a file that is newer than the cached one', whole({ 'if-modified-since': PAST })],
  ['13.1.3', 'a file with an invalid date', whole({ 'if-modified-since': '2100' })],
  ['13.2.2', 'by its tag before its date', whole({ 'if-none-match': '"another"', 'if-modified-since': FUTURE })],
  ['13.2.2', 'some of what it has', given(304, { range: RANGE, 'if-none-match': '*etag*' })],
  ['13.2.2', 'what cannot be had of what it has', given(304, { range: 'bytes=99-', 'if-none-match': '*etag*' })],
  ['13.1.1', 'some, of this file only', some({ range: RANGE, 'if-match': '"x", *etag*' })],
  ['13.1.1', 'some, of another file only', { headers: { range: RANGE, 'if-match': '"another"' }, status: 412 }],
  ['13.1.1', 'this file only, by a weak validator', { headers: { 'if-match': 'W/*etag*' }, status: 412 }],
  ['13.1.4', 'a file that is not newer', some({ range: RANGE, 'if-unmodified-since': '*modified*' })],
  ['13.1.4', 'an older file', { headers: { range: RANGE, 'if-unmodified-since': PAST }, status: 412 }],
  ['13.2.2', 'by its tag before its age', whole({ 'if-match': '*etag*', 'if-unmodified-since': PAST })],
  [
    '13.2.2',
    'another file, of which it has this one',
    { headers: { 'if-match': '"x"', 'if-none-match': '*' }, status: 412 },
  ],
  ['14.2', 'HEAD with a range', { method: 'HEAD', headers: { range: RANGE }, status: 200, bytes: '' }],
  [
    '14.2',
    'HEAD with one that cannot be had',
    { method: 'HEAD', headers: { range: 'bytes=99-' }, status: 200, bytes: '' },
  ],
  ['13.1.2', 'HEAD of what it has', { method: 'HEAD', headers: { 'if-none-match': '*etag*' }, status: 304, bytes: '' }],
  ['13.1.1', 'HEAD of another file', { method: 'HEAD', headers: { 'if-match': '"x"' }, status: 412 }],
]

describe('a file, as RFC 9110 has it,', () => {
  it.each(ROWS)('%s: answers a request for %s', async (_section, _what, row) => {
    const file = row.of === 'empty' ? empty : digits
    const sent = Object.entries(row.headers).map(([name, value]) => [
      name,
      value.replace('*etag*', own.etag).replace('*modified*', own.modified),
    ])
    const { status, headers, body } = await ask(file, Object.fromEntries(sent), row.method)
    expect([status, headers['content-range']]).toEqual([row.status, row.is])
    if (status === 412 || status === 416) {
      // An error is about the request, so it is not cached as the file.
      expect(headers['cache-control']).toBe('no-store')
      for (const name of ['etag', 'last-modified', 'accept-ranges']) expect(headers).not.toHaveProperty(name)
      if (row.method !== 'HEAD') expect(body).toContain('"code":')
      return
    }
    expect(body).toBe(row.bytes)
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=60',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'last-modified': expect.stringMatching(/ GMT$/),
    })
    const length = row.method === 'HEAD' ? TEXT.length : body.length
    const ofBytes = [headers['content-length'], headers['content-type']]
    // A 304 does not describe bytes that are not sent (15.4.5).
    expect(ofBytes).toEqual(status === 304 ? [undefined, undefined] : [String(length), 'text/plain; charset=utf-8'])
  })

  it('answers all requests on one connection', () => {
    expect(connections).toBe(1)
  })

  it('sends files uncompressed, whatever the client accepts', async () => {
    const encoded = { 'accept-encoding': 'br, gzip, zstd' }
    const [all, some] = [await ask(large, encoded), await ask(large, { ...encoded, range: 'bytes=-2000000' })]
    expect([all.headers['content-encoding'], some.headers['content-encoding']]).toEqual([undefined, undefined])
    expect([all.body.length, some.body.length]).toEqual([4_000_000, 2_000_000])
  })

  it('returns the same bytes in consecutive ranges as in one response', async () => {
    const parts: string[] = []
    for (let start = 0; start < TEXT.length; start += 3) {
      const headers = { range: `bytes=${start}-${start + 2}`, 'if-range': own.etag }
      parts.push((await ask(digits, headers)).body)
    }
    expect(parts.join('')).toBe(TEXT)
  })

  it('lets only the client cache a file of a signed-in user, by the same rules', async () => {
    const { status, headers } = await ask(digits, { ...owner.headers, range: RANGE })
    expect(status).toBe(206)
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(headers.vary).toContain('Authorization')
  })
})

/** The files of a directory that this process has open. */
async function openIn(directory: string): Promise<readonly string[]> {
  const names = await readdir('/proc/self/fd')
  const open = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return open.filter((path) => path.startsWith(directory))
}

describe('a reader that leaves', () => {
  it.runIf(process.platform === 'linux')('closes the file when a client disconnects at any point', async () => {
    const readers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { request, answer } = begin(large, index % 2 ? { range: 'bytes=1000-' } : {})
        const { socket } = await answer
        return { request, socket }
      }),
    )
    await expect.poll(() => openIn(test.directory)).toHaveLength(readers.length)
    for (const { request } of readers) request.destroy()
    await expect.poll(() => openIn(test.directory)).toEqual([])

    // Before the answer has begun.
    const early = Array.from({ length: 20 }, () => begin(large))
    for (const { request, answer } of early) {
      answer.catch(() => {})
      request.on('socket', (socket) => socket.on('connect', () => setImmediate(() => request.destroy())))
    }
    await Promise.allSettled(early.map(({ answer }) => answer))

    // HEAD and 304 open none, and what cannot be had neither.
    await ask(large, {}, 'HEAD')
    await ask(large, { 'if-none-match': '*' })
    await ask(large, { range: 'bytes=9999999-' })
    await expect.poll(() => openIn(test.directory)).toEqual([])
    expect((await ask(digits)).body).toBe(TEXT)
  })
})

describe('a store that fails in the middle of a file', () => {
  it('closes the connection instead of truncating the response silently', async () => {
    const store = directoryBlobs({ directory: test.directory })
    const failing: BlobStore = {
      ...store,
      async get(key, range) {
        const content = await store.get(key, range)
        if (!content) return undefined
        content.body.destroy()
        const body = Readable.from(
          (async function* () {
            yield Buffer.alloc(Math.floor(content.length / 2), 'x')
            throw new Error('The disk is gone')
          })(),
          { objectMode: false },
        )
        return { ...content, body }
      },
    }
    const other = await createTestApp({ files: { blobStore: failing }, storage: test.storage })
    await other.app.listen({ port: 0, host: '127.0.0.1' })
    for (const headers of [{}, { range: 'bytes=10-' }] as Headers[]) {
      const answer = await begin(large, headers, { port: portOf(other.app) }).answer
      expect(answer.statusCode).toBe(headers.range ? 206 : 200)
      await expect(buffer(answer)).rejects.toThrow(/aborted/)
      expect(answer.complete).toBe(false)
    }
    expect((await client(other.app).get('/health/live')).statusCode).toBe(200)
    await other.close()
  })
})
