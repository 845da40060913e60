import { describe, expect, it } from 'vitest'
import type { OutboundAnswer } from '../../../../runtime/outbound/guarded-fetch.ts'
import { type Asker, createDocuments } from './documents.ts'

const ID = 'https://app.example/client.json'
const ADA = { account: 'ada' }
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const answer = (value: unknown, headers: Record<string, string> = {}, status = 200): OutboundAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(value)),
})
const documentAt = (id: string, name = 'App') => ({
  client_id: id,
  client_name: name,
  redirect_uris: ['https://app.example/cb'],
})

/** Documents that are answered by a function, at a time that the test sets. */
function open(respond: (address: string) => Promise<OutboundAnswer>, limit = 1_000) {
  let now = 0
  const fetched: string[] = []
  const counts = new Map<string, number>()
  const documents = createDocuments({
    clock: () => new Date(now),
    fetch: (address) => {
      fetched.push(address)
      return respond(address)
    },
    counters: {
      count: (key) => {
        const hour = `${key} ${Math.floor(now / HOUR_MS)}`
        const count = (counts.get(hour) ?? 0) + 1
        counts.set(hour, count)
        return { count, resetAtMs: Date.now() + 1_000 }
      },
    },
    scaled: (wanted) => Math.min(wanted, limit),
    redirects: { privateUseRedirects: [] },
  })
  const codeOf = (id: string, asker: Asker = ADA) =>
    documents.get(id, asker).then(
      () => 'read',
      ({ code, message, status }) => ({ code, message, status }),
    )
  return { documents, fetched, codeOf, wait: (ms: number) => (now += ms) }
}

describe('documents of apps', () => {
  it('are fetched once while they are fresh, and again later', async () => {
    let name = 'Old'
    const { documents, fetched, wait } = open(async (id) =>
      answer(documentAt(id, name), { 'cache-control': 'max-age=600' }),
    )
    expect((await documents.get(ID, ADA)).name).toBe('Old')
    name = 'New'
    wait(10 * MINUTE_MS - 1)
    expect((await documents.get(ID, { account: 'bob' })).name).toBe('Old')
    expect(fetched).toHaveLength(1)
    wait(1)
    expect((await documents.get(ID, { account: 'bob' })).name).toBe('New')
    expect(fetched).toHaveLength(2)
  })

  it('share one fetch among concurrent requests', async () => {
    const { promise, resolve } = Promise.withResolvers<OutboundAnswer>()
    const { documents, fetched } = open(() => promise)
    const reading = Promise.all(Array.from({ length: 20 }, () => documents.get(ID, ADA)))
    resolve(answer(documentAt(ID)))
    expect((await reading).map(({ name }) => name)).toEqual(Array.from({ length: 20 }, () => 'App'))
    expect(fetched).toHaveLength(1)
  })

  it('are used until a day after their fetch while the address fails, and not longer', async () => {
    let fails = false
    const { documents, codeOf, fetched, wait } = open(async (id) => {
      if (fails) throw new Error('unreachable at 10.0.0.7')
      return answer(documentAt(id))
    })
    await documents.get(ID, ADA)
    fails = true
    wait(23 * HOUR_MS)
    expect((await documents.get(ID, ADA)).name).toBe('App')
    expect(fetched).toHaveLength(2)
    wait(HOUR_MS)
    expect(await codeOf(ID)).toMatchObject({ code: 'invalid_client' })
  })

  it('are not asked for again within a minute after a failure', async () => {
    const { codeOf, fetched, wait } = open(async () => answer({}, {}, 500))
    expect(await codeOf(ID)).toMatchObject({ code: 'invalid_client' })
    wait(MINUTE_MS - 1)
    await codeOf(ID)
    expect(fetched).toHaveLength(1)
    wait(1)
    await codeOf(ID)
    expect(fetched).toHaveLength(2)
  })

  it.each([
    ['a redirect', async () => answer({}, { location: 'https://app.example/other' }, 302)],
    ['another media type', async (id: string) => answer(documentAt(id), { 'content-type': 'text/html' })],
    ['another client_id', async () => answer(documentAt('https://app.example/other'))],
    ['a refused address', () => Promise.reject(new Error('10.0.0.7 is not a public address'))],
  ])('are refused for %s, without naming private addresses', async (_what, respond) => {
    const refused = await open(respond).codeOf(ID)
    expect(refused).toMatchObject({ code: 'invalid_client', status: 401 })
    expect(JSON.stringify(refused)).not.toContain('10.0.0.7')
  })

  it('are fetched 30 times an hour for one account, and a fetch that another made does not count', async () => {
    const { codeOf } = open(async (id) => answer(documentAt(id)), 30)
    const id = (index: number) => `https://app.example/${index}`
    for (let index = 0; index < 30; index += 1) expect(await codeOf(id(index))).toBe('read')
    expect(await codeOf(id(30))).toMatchObject({ code: 'temporarily_unavailable', status: 429 })
    expect(await codeOf(id(0))).toBe('read')
  })

  it('fill no memory: the least recently used of 500 goes', async () => {
    const { documents, fetched, wait } = open(async (id) =>
      answer(documentAt(id), { 'cache-control': 'max-age=86400' }),
    )
    const id = (index: number) => `https://app.example/${index}`
    await documents.get(id(0), ADA)
    for (let index = 1; index <= 500; index += 1) {
      if (index === 250) wait(HOUR_MS)
      await documents.get(id(index), { account: `${index}` })
      await documents.get(id(0), ADA)
    }
    expect(fetched).toHaveLength(501)
    await documents.get(id(1), ADA)
    expect(fetched).toHaveLength(502)
  })

  it('of anonymous clients leave the fetches of an instance to accounts', async () => {
    const { codeOf } = open(async (id) => answer(documentAt(id)))
    const id = (index: number) => `https://app.example/${index}`
    const results: unknown[] = []
    for (let index = 0; index < 220; index += 1) results.push(await codeOf(id(index), { address: `${index}` }))
    expect(results.filter((result) => result === 'read')).toHaveLength(200)
    expect(await codeOf(id(1_000))).toBe('read')
  })

  it('are not forgotten for addresses that cannot be read, or were not fetched', async () => {
    const { codeOf, fetched } = open(async (id) => (id === ID ? answer(documentAt(id)) : answer({}, {}, 404)), 1_000)
    await codeOf(ID)
    for (let index = 0; index < 700; index += 1)
      await codeOf(`https://evil.example/${index}`, index < 350 ? { account: `${index}` } : { address: `${index}` })
    const before = fetched.length
    expect(before).toBe(1 + 350 + 200)
    expect(await codeOf(ID)).toBe('read')
    expect(fetched).toHaveLength(before)
  })
})
