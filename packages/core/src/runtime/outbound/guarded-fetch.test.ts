import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const keep = (fetch: GuardedFetch) => {
  ends.push(fetch.close)
  return fetch
}

/** A resolver that answers with these addresses, a list for each question; the last list again and again. */
function resolver(...answers: string[][]) {
  const asked: string[] = []
  const lookup: LookupFunction = (hostname, _options, done) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(hostname)
    done(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { lookup, asked }
}

async function listen(handle: RequestListener): Promise<{ server: Server; host: string }> {
  const server = createServer(handle)
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a guarded call', () => {
  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'https://localhost./',
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://user:secret@example.com/',
    'https://example.com:22/',
    'https://example.com:6379/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,hello',
    'not a url',
    `https://example.com/${'a'.repeat(3000)}`,
  ])('refuses %s before anything is looked up', async (address) => {
    const { lookup, asked } = resolver(['1.1.1.1'])
    const fetch = keep(createGuardedFetch({ lookup }))
    await expect(fetch(address)).rejects.toMatchObject({ code: 'address_refused' })
    expect(asked).toEqual([])
  })

  it.each([[['127.0.0.1']], [['10.1.2.3']], [['::1']], [['::ffff:192.168.0.1']], [['1.1.1.1', '127.0.0.1']], [[]]])(
    'refuses a name that leads to %j',
    async (addresses) => {
      const fetch = keep(createGuardedFetch({ lookup: resolver(addresses).lookup }))
      await expect(fetch('https://rebound.example/')).rejects.toMatchObject({ code: 'address_refused' })
    },
  )

  it('refuses a name that does not exist like one of a private network', async () => {
    const missing: LookupFunction = (hostname, _options, done) =>
      done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), [])
    const answers = [missing, resolver(['10.1.2.3']).lookup].map((lookup) =>
      keep(createGuardedFetch({ lookup }))('https://inside.example/').catch((error: unknown) => error),
    )
    const [absent, inside] = await Promise.all(answers)
    expect(absent).toMatchObject({ code: 'address_refused' })
    expect(absent).toEqual(inside)
  })

  it('connects to the address that it checked, also when the name resolves to another one a moment later', async () => {
    let calls = 0
    const inside = createTcpServer((socket) => {
      calls += 1
      socket.destroy()
    })
    await new Promise<void>((done) => void inside.listen(0, '127.0.0.1', done))
    ends.push(() => inside.close())
    // 192.0.2.1 would be refused, so the first answer is public and unreachable from here.
    const { lookup, asked } = resolver(['1.1.1.1'], ['127.0.0.1'])
    const fetch = keep(createGuardedFetch({ lookup }))
    await expect(fetch('https://rebound.example:8443/', { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'outbound_failed',
    })
    expect(asked).toEqual(['rebound.example'])
    expect(calls).toBe(0)
  })

  it('hands a redirect back and does not follow it', async () => {
    const visited: string[] = []
    const { host } = await listen((request, response) => {
      visited.push(request.url ?? '')
      response.writeHead(302, { location: '/inside' }).end()
    })
    const fetch = keep(createGuardedFetch({ allowPrivateHosts: [host] }))
    expect(await fetch(`http://${host}/start`)).toMatchObject({ status: 302 })
    expect(visited).toEqual(['/start'])
  })

  it('gives up when the answer is too long', async () => {
    const { host } = await listen((_request, response) => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      }
      response.on('drain', pour)
      pour()
    })
    const fetch = keep(createGuardedFetch({ allowPrivateHosts: [host] }))
    await expect(fetch(`http://${host}/`, { maxBytes: 50_000 })).rejects.toMatchObject({ code: 'outbound_failed' })
  })

  it('cuts an answer at its limit when the caller accepts that', async () => {
    const { host } = await listen((_request, response) => {
      response.writeHead(200)
      response.end(Buffer.alloc(200_000, 'a'))
    })
    const fetch = keep(createGuardedFetch({ allowPrivateHosts: [host] }))
    const { body } = await fetch(`http://${host}/`, { maxBytes: 50_000, longAnswer: 'cut' })
    expect(body.length).toBe(50_000)
  })

  it('times out on servers that send a byte at a time', async () => {
    const { host } = await listen((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.once('close', () => clearInterval(drip))
    })
    const fetch = keep(createGuardedFetch({ allowPrivateHosts: [host] }))
    await expect(fetch(`http://${host}/`, { timeoutMs: 150 })).rejects.toMatchObject({ code: 'outbound_failed' })
  })

  it('sends the request and reads the response', async () => {
    const { host } = await listen((request, response) => {
      request.pipe(response.writeHead(201, { 'x-method': request.method ?? '' }))
    })
    const fetch = keep(createGuardedFetch({ allowPrivateHosts: [host] }))
    const answer = await fetch(`http://${host}/`, { method: 'POST', body: 'hello' })
    expect(answer).toMatchObject({ status: 201, headers: { 'x-method': 'POST' } })
    expect(answer.body.toString()).toBe('hello')
  })
})
