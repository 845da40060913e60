import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { siteScanToolkit } from '../../../adapters/site-scan-toolkit.ts'
import { createGuardedFetch } from '../../../runtime/outbound/index.ts'
import { pass, type SiteRule } from './rule.ts'
import { SITE_RULES } from './rules/index.ts'
import { SCAN_LIMITS, type ScanLimits } from './scan-limits.ts'
import { scanSite } from './scan-site.ts'
import type { SiteResponse } from './site.ts'

const closes: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A site that allows everything in `robots.txt`, and counts what it sends. */
async function openSite(handle: Handler) {
  const seen: string[] = []
  let running = 0
  let most = 0
  const server = createServer((request, response) => {
    seen.push(String(request.url))
    running += 1
    most = Math.max(most, running)
    response.once('close', () => {
      running -= 1
    })
    if (request.url === '/robots.txt') response.end('User-agent: *\n')
    else handle(request, response)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  closes.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/`), seen, most: () => most }
}

const toolkit = siteScanToolkit()

interface ScanChanges {
  readonly limits?: Partial<ScanLimits>
  readonly rules?: readonly SiteRule[]
  readonly signal?: AbortSignal
  readonly lookup?: LookupFunction
  readonly onError?: (error: unknown) => void
}

async function scan(url: URL, { limits, rules = SITE_RULES, signal, lookup, onError }: ScanChanges = {}) {
  const fetch = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'], lookup })
  closes.push(fetch.close)
  return scanSite(url, {
    fetch,
    toolkit,
    rules,
    limits: { ...SCAN_LIMITS, ...limits },
    publicUrl: 'https://profiles.example',
    signal: signal ?? new AbortController().signal,
    onProgress: () => {},
    onError: onError ?? (() => {}),
  })
}

/** A rule that makes requests, and keeps what it gets. */
function asking(...addresses: readonly string[]) {
  const answers: SiteResponse[] = []
  const rule: SiteRule = {
    id: 'asking',
    category: 'http',
    summary: '',
    weight: 1,
    fix: '',
    doc: '',
    async check(site) {
      answers.push(...(await Promise.all(addresses.map((address) => site.get(address)))))
      return pass('Asked.')
    },
  }
  return { rules: [rule], answers }
}

/** Sends as much as the client reads. */
function pour(response: ServerResponse) {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a')));
  }
  response.on('drain', more)
  more()
}

const paths = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`)

describe('a scan', () => {
  it('sends no more requests than its limit, redirects included, and four at a time', async () => {
    const site = await openSite((request, response) => {
      if (request.url === '/') return response.end('<p>')
      setImmediate(() => response.writeHead(302, { location: `${request.url}/next` }).end())
    })
    const { rules, answers } = asking(...paths(30))
    await scan(site.url, { rules })
    expect(site.seen).toHaveLength(50)
    expect(site.most()).toBeLessThanOrEqual(4)
    const reasons = new Set(answers.map((answer) => answer.is === 'failed' && answer.reason))
    expect(reasons).toEqual(new Set(['There are more than 3 redirects.', 'The scan used all of its 50 requests.']))
  })

  it('reads no more than 5 MB of a site that sends without end, and 1 MB of one response', async () => {
    const site = await openSite((_, response) => pour(response))
    const { rules, answers } = asking(...paths(20))
    await scan(site.url, { rules })
    expect(site.seen).toHaveLength(1 + 5)
    const read = answers.filter((answer) => answer.is === 'answer')
    expect(read.every(({ isCut, body }) => isCut && body.length <= SCAN_LIMITS.maxResponseBytes)).toBe(true)
    expect(read.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(SCAN_LIMITS.maxBytes)
    const reasons = answers.flatMap((answer) => (answer.is === 'answer' ? [] : [answer.reason]))
    expect(reasons.length).toBeGreaterThan(10)
    expect(new Set(reasons)).toEqual(new Set(['The scan reads 5242880 bytes in all, which other responses take.']))
  })

  it('counts what it read of responses that break off', async () => {
    const site = await openSite((request, response) => {
      if (request.url === '/' || request.url === '/last') return response.end('<p>')
      const length = request.url?.startsWith('/long') ? 900_000 : 1
      response.writeHead(200, { 'content-length': 2_000_000 })
      response.write(Buffer.alloc(length, 'a'), () => request.socket.end())
    })
    const short = asking(...paths(12), '/last')
    await scan(site.url, { rules: short.rules })
    expect(short.answers.at(-1)).toMatchObject({ is: 'answer', body: '<p>' })
    site.seen.length = 0
    await scan(site.url, { rules: asking(...paths(20).map((path) => `/long${path}`)).rules })
    expect(site.seen.length).toBeLessThan(15)
  })

  const zeros = Buffer.alloc(50_000_000)
  it.each([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
  ])('decompresses a %s body up to its limit', async (encoding, bytes) => {
    const site = await openSite((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes))
    const { rules, answers } = asking('/bomb')
    await scan(site.url, { rules })
    expect(answers).toMatchObject([{ is: 'answer', isCut: true, bytes: bytes.length }])
    expect(answers.map((answer) => answer.is === 'answer' && answer.body.length)).toEqual([
      SCAN_LIMITS.maxResponseBytes,
    ])
  })

  it.each([429, 503])('asks a busy site again at the time of its Retry-After: %i', async (status) => {
    const site = await openSite((request, response) => {
      const isFirst = site.seen.filter((path) => path === request.url).length === 1
      if (request.url === '/busy' && isFirst) response.writeHead(status, { 'retry-after': '1' })
      response.end('<p>')
    })
    const { rules, answers } = asking('/busy')
    await scan(site.url, { rules })
    expect(answers).toMatchObject([{ is: 'answer', status: 200 }])
  })

  it('does not wait for a busy site that asks for a time after the end of the scan', async () => {
    const site = await openSite((request, response) => {
      if (request.url === '/busy') response.writeHead(503, { 'retry-after': '3600' })
      response.end('<p>')
    })
    const { rules, answers } = asking('/busy')
    await scan(site.url, { rules })
    expect(answers).toMatchObject([{ is: 'answer', status: 503 }])
    expect(site.seen.filter((path) => path === '/busy')).toHaveLength(1)
  })

  it('keeps what it can decompress of an incomplete body', async () => {
    const bytes = gzipSync(Array.from({ length: 20_000 }, (_, at) => `<p>${at * at}`).join(''))
    const site = await openSite((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes.subarray(0, bytes.length - 100)),
    )
    const { rules, answers } = asking('/part')
    await scan(site.url, { rules })
    expect(answers).toMatchObject([{ is: 'answer', isCut: true, body: expect.stringMatching(/^<p>0<p>1<p>4/) }])
  })

  it('accepts a response without a body that names an encoding', async () => {
    const site = await openSite((request, response) =>
      request.url === '/' ? response.end('<p>') : response.writeHead(304, { 'content-encoding': 'gzip' }).end(),
    )
    const { rules, answers } = asking('/page')
    await scan(site.url, { rules })
    expect(answers).toMatchObject([{ is: 'answer', status: 304, body: '', isCut: false }])
  })

  it.each([
    ['gzip', Buffer.from('this is not compressed')],
    ['zstd', Buffer.from('unknown')],
  ])('does not read a body that is not %s, or unknown', async (encoding, bytes) => {
    const site = await openSite((request, response) => {
      if (request.url === '/') return response.end('<p>')
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
    })
    const { rules, answers } = asking('/broken')
    await scan(site.url, { rules })
    expect(answers).toEqual([{ is: 'failed', reason: 'The response is not encoded as declared in Content-Encoding.' }])
  })

  it('counts decompressed bytes, so that many small bombs end it too', async () => {
    const body = gzipSync(Buffer.alloc(1_000_000))
    const site = await openSite((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body))
    const { rules, answers } = asking(...paths(20))
    await scan(site.url, { rules })
    const read = answers.filter((answer) => answer.is === 'answer')
    expect(read.reduce((sum, { body: text }) => sum + text.length, 0)).toBeLessThanOrEqual(SCAN_LIMITS.maxBytes)
    expect(site.seen.length).toBeLessThan(15)
  })

  it('reads compressed pages', async () => {
    const site = await openSite((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('Hello')),
    )
    const { rules, answers } = asking('/page')
    await scan(site.url, { rules })
    expect(answers).toMatchObject([{ is: 'answer', body: 'Hello' }])
  })

  it('ends in time on a site that sends a byte at a time', async () => {
    const site = await openSite((request, response) => {
      if (request.url === '/') return response.end('<p>')
      const drip = setInterval(() => response.write('.'), 20)
      response.once('close', () => clearInterval(drip))
    })
    const { checks } = await scan(site.url, { limits: { timeoutMs: 1_000 } })
    const llms = checks.find(({ id }) => id === 'llms-txt')
    expect(llms).toMatchObject({ status: 'skip', detail: expect.stringMatching(/The scan ended/) })
    expect(checks).toHaveLength(SITE_RULES.length)
  })

  it.each(['/robots.txt', '/'])('fails when %s does not answer in time', async (path) => {
    const server = createServer((request, response) => {
      if (request.url !== path) response.end('User-agent: *\n')
    })
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    closes.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await expect(scan(url, { limits: { timeoutMs: 150 } })).rejects.toMatchObject({ code: 'site_unreachable' })
  })

  it('follows redirects on its host, and not to others', async () => {
    const other = await openSite((_, response) => response.end('inside'))
    const site = await openSite((request, response) => {
      const location = { '/here': '/there', '/away': other.url.href, '/file': 'file:///etc/passwd' }[
        String(request.url)
      ]
      if (location) response.writeHead(302, { location }).end()
      else response.end(`at ${request.url}`)
    })
    const { rules, answers } = asking('/here', '/away', '/file', other.url.href, 'http://[')
    await scan(site.url, { rules })
    expect(answers.map((answer) => (answer.is === 'answer' ? answer.body : answer.reason))).toEqual([
      'at /there',
      `The request leads to another host, ${other.url.origin}.`,
      'The request leads to another host, null.',
      `The request leads to another host, ${other.url.origin}.`,
      'This is not a URL.',
    ])
    expect(other.seen).toEqual([])
  })

  it.each([[['127.0.0.1']], [['10.0.0.1', '1.1.1.1']], [['::ffff:169.254.169.254']], [[]]])(
    'does not connect to a name that leads to %j',
    async (addresses) => {
      const lookup: LookupFunction = (_name, _options, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      await expect(scan(new URL('https://rebound.example/'), { lookup })).rejects.toMatchObject({
        code: 'site_unreachable',
        message: 'The site cannot be scanned: rebound.example does not resolve to a public address.',
      })
    },
  )

  it('has a report when a rule fails, and ends the requests of that rule', async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const site = await openSite((request, response) => {
      if (request.url !== '/slow') return response.end('<p>')
      response.once('close', closed.resolve)
      asked.resolve()
    })
    const { rules } = asking('/fast')
    const failing: SiteRule = {
      id: 'failing',
      category: 'http',
      summary: '',
      weight: 1,
      fix: '',
      doc: '',
      async check(scanned) {
        void scanned.get('/slow')
        await asked.promise
        throw new TypeError('broken')
      },
    }
    const errors: unknown[] = []
    const { checks, score } = await scan(site.url, {
      rules: [failing, ...rules],
      limits: { timeoutMs: 60_000 },
      onError: (error) => errors.push(error),
    })
    expect(checks.map(({ id, status }) => [id, status])).toEqual([
      ['failing', 'skip'],
      ['asking', 'pass'],
    ])
    expect(score).toBe(100)
    expect(errors).toEqual([new TypeError('broken')])
    await closed.promise
  })

  it('ends with its job', async () => {
    const ending = new AbortController()
    const site = await openSite(() => ending.abort(new Error('cancelled')))
    await expect(scan(site.url, { signal: ending.signal })).rejects.toThrow('cancelled')
  })
})
