import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { botModule } from '../../support/bot-module.ts'
import { client } from '../../support/client.ts'
import { createClock } from '../../support/clock.ts'
import { openInstances } from '../../support/instances.ts'
import { type DirectoryHandler, newSigningKey, openDirectory, signedHeaders } from '../../support/signers.ts'

const MINUTE_MS = 60_000
const key = await newSigningKey()
const open: Awaited<ReturnType<typeof openDirectory>>[] = []
afterAll(() => Promise.all(open.map((directory) => directory.close())))

async function newDirectory(handle?: DirectoryHandler, keys = [key]) {
  const directory = await openDirectory(keys, handle)
  open.push(directory)
  return directory
}
const unavailable = { state: 'unverified', reason: 'directory_unavailable' }
const pending = { state: 'unverified', reason: 'directory_pending' }
const verified = { state: 'verified' }
const json = { 'content-type': 'application/json' }

const { instance } = await openInstances({ modules: [botModule()] })

/** An instance that may ask directories on this machine, with a clock that the test moves. */
async function instanceFor(directories: readonly { readonly host: string }[], webBotAuth = {}) {
  const time = createClock()
  const app = await instance({
    clock: time.clock,
    http: { allowPrivateHosts: directories.map(({ host }) => host) },
    webBotAuth,
  })
  async function botOf(agent: string, options: { readonly path?: string; readonly by?: typeof key } = {}) {
    const { path = '/shown-bots/settled', by = key } = options
    const now = Math.floor(time.clock().getTime() / 1_000)
    const response = await client(app).get(path, await signedHeaders({ key: by, agent, now }))
    expect(response.statusCode, response.body).toBe(200)
    return response.json().bot
  }
  return {
    app,
    botOf,
    after: <Result>(ms: number, work: () => Promise<Result>) => time.at(time.clock().getTime() + ms, work),
  }
}

describe('a directory of keys', () => {
  it.each<[string, DirectoryHandler]>([
    ['redirects', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['sends ten megabytes', (_request, response) => response.writeHead(200, json).end(Buffer.alloc(10_000_000, ' '))],
    ['is not JSON', (_request, response) => response.writeHead(200, json).end('<html>')],
    [
      'has another media type',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{"keys":[]}'),
    ],
    ['is not found', (_request, response) => response.writeHead(404, json).end('{"keys":[]}')],
    [
      'has more than twenty keys',
      (_request, response) =>
        response.writeHead(200, json).end(JSON.stringify({ keys: Array.from({ length: 21 }, () => key.jwk) })),
    ],
  ])('proves nothing when it %s, and is not asked again for five minutes', async (_case, handle) => {
    const directory = await newDirectory(handle)
    const { botOf, after } = await instanceFor([directory])
    expect(await botOf(directory.origin)).toEqual(unavailable)
    expect(await botOf(directory.origin)).toEqual(unavailable)
    expect(directory.requested).toHaveLength(1)
    await after(5 * MINUTE_MS, async () => expect(await botOf(directory.origin)).toEqual(unavailable))
    expect(directory.requested).toHaveLength(2)
  })

  it('is not asked at a private address', async () => {
    const directory = await newDirectory()
    const { botOf } = await instanceFor([])
    for (const agent of [directory.origin, 'https://10.0.0.1', 'https://[::1]', 'https://metadata.google.internal']) {
      expect(await botOf(agent)).toEqual(unavailable)
    }
    expect(directory.requested).toEqual([])
  })

  it('that hangs is waited for as long as the host allows, and its host is then left alone, whatever the path', async () => {
    const directory = await newDirectory(() => true)
    const { app, botOf } = await instanceFor([directory], { waitMs: 50, directoryTimeoutMs: 500 })
    expect(await botOf(directory.origin)).toEqual(pending)
    // A page whose access depends on no signature waits for nothing.
    expect(await botOf(directory.origin, { path: '/shown-bots' })).toEqual(pending)
    await expect.poll(() => botOf(directory.origin)).toEqual(unavailable)
    const signatureAgent = `sig1="${directory.origin}/keys.json";type=jwks_uri`
    const response = await client(app).get('/shown-bots/settled', await signedHeaders({ key, signatureAgent }))
    expect(response.json().bot).toEqual(unavailable)
    expect(directory.requested).toHaveLength(1)
  })

  it('is fetched once for concurrent requests, and then found in the cache without waiting', async () => {
    const directory = await newDirectory()
    const { botOf } = await instanceFor([directory])
    const bots = await Promise.all(Array.from({ length: 20 }, () => botOf(directory.origin)))
    expect(bots).toEqual(Array.from({ length: 20 }, () => expect.objectContaining(verified)))
    expect(await botOf(directory.origin, { path: '/shown-bots' })).toMatchObject(verified)
    expect(directory.requested).toHaveLength(1)
  })

  it('is used until its lifetime ends, and for a day more while it fails', async () => {
    let isDown = false
    const directory = await newDirectory((_request, response) => isDown && response.writeHead(503).end())
    const { botOf, after } = await instanceFor([directory])
    expect(await botOf(directory.origin)).toMatchObject(verified)
    isDown = true
    await after(61 * MINUTE_MS, async () => expect(await botOf(directory.origin)).toMatchObject(verified))
    expect(directory.requested).toHaveLength(2)
    await after(24 * 60 * MINUTE_MS, async () => expect(await botOf(directory.origin)).toMatchObject(verified))
    await after(26 * 60 * MINUTE_MS, async () => expect(await botOf(directory.origin)).toEqual(unavailable))
  })

  it('is asked once in five minutes for a key that it lacks, and ends a key that it drops', async () => {
    const next = await newSigningKey()
    const directory = await newDirectory()
    const { botOf, after } = await instanceFor([directory])
    expect(await botOf(directory.origin)).toMatchObject(verified)
    const unknown = { state: 'invalid', reason: 'key_unknown' }
    expect(await botOf(directory.origin, { by: next })).toEqual(unknown)
    expect(await botOf(directory.origin, { by: next })).toEqual(unknown)
    expect(directory.requested).toHaveLength(2)
    directory.serve(next.jwk)
    expect(await botOf(directory.origin)).toMatchObject(verified)
    await after(6 * MINUTE_MS, async () => {
      expect(await botOf(directory.origin, { by: next })).toMatchObject(verified)
      expect(await botOf(directory.origin)).toEqual(unknown)
    })
  })

  it('is kept for at least a minute, whatever it asks for', async () => {
    const directory = await newDirectory()
    directory.keepFor(0)
    const { botOf, after } = await instanceFor([directory])
    expect(await botOf(directory.origin)).toMatchObject(verified)
    expect(await botOf(directory.origin)).toMatchObject(verified)
    expect(directory.requested).toHaveLength(1)
    await after(2 * MINUTE_MS, async () => expect(await botOf(directory.origin)).toMatchObject(verified))
    expect(directory.requested).toHaveLength(2)
  })

  it('of one client can be ten new ones in a minute', async () => {
    const directories = await Promise.all(Array.from({ length: 12 }, () => newDirectory()))
    const { botOf } = await instanceFor(directories)
    const bots: unknown[] = []
    for (const { origin } of directories) bots.push(await botOf(origin))
    expect(bots).toEqual([
      ...Array.from({ length: 10 }, () => expect.objectContaining(verified)),
      unavailable,
      unavailable,
    ])
    expect(directories.flatMap(({ requested }) => requested)).toHaveLength(10)
  })

  it('of one IPv6 network can be ten new ones in a minute, whatever its addresses are', async () => {
    const directory = await newDirectory()
    const { app } = await instanceFor([directory])
    const reasons: unknown[] = []
    for (let index = 1; index <= 12; index += 1) {
      const signatureAgent = `sig1="${directory.origin}/keys?n=${index}";type=jwks_uri`
      const response = await app.inject({
        url: '/shown-bots/settled',
        headers: await signedHeaders({ key, signatureAgent }),
        remoteAddress: `2001:db8::${index}`,
      })
      reasons.push(response.json().bot.reason)
    }
    expect(reasons.slice(10)).toEqual(['directory_unavailable', 'directory_unavailable'])
    expect(directory.requested).toHaveLength(10)
  })
})

describe('without the feature', () => {
  it('checks no signature', async () => {
    const directory = await newDirectory()
    const hosts = { http: { allowPrivateHosts: [directory.host] } }
    const { app, close } = await createTestApp({ webBotAuth: false, modules: [botModule()], ...hosts })
    const response = await client(app).get('/shown-bots/settled', await signedHeaders({ key, agent: directory.origin }))
    expect(response.json().bot).toEqual({ state: 'absent' })
    expect(directory.requested).toEqual([])
    await close()
  })
})
