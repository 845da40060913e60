import { describe, expect, it } from 'vitest'
import type { OutboundAnswer } from '../../../../runtime/outbound/guarded-fetch.ts'
import { createDocuments } from './documents.ts'

const ID = 'https://app.example/client.json'
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
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        return { count, resetAtMs: Date.now() + 1_000 }
      },
    },
    scaled: (wanted) => Math.min(wanted, limit),
    redirects: { privateUseRedirects: [] },
  })
  const codeOf = (id: string, asker = 'account:ada') =>
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
    expect((await documents.get(ID, 'account:ada')).name).toBe('Old')
    name = 'New'
    wait(10 * MINUTE_MS - 1)
    expect((await documents.get(ID, 'account:bob')).name).toBe('Old')
    expect(fetched).toHaveLength(1)
    wait(1)
    expect((await documents.get(ID, 'account:bob')).name).toBe('New')
    expect(fetched).toHaveLength(2)
  })

  it('share one fetch among concurrent requests', async () => {
    const { promise, resolve } = Promise.withResolvers<OutboundAnswer>()
    const { documents, fetched } = open(() => promise)
    const reading = Promise.all(Array.from({ length: 20 }, () => documents.get(ID, 'account:ada')))
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
    await documents.get(ID, 'account:ada')
    fails = true
    wait(23 * HOUR_MS)
    expect((await documents.get(ID, 'account:ada')).name).toBe('App')
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
    const { documents, fetched } = open(async (id) => answer(documentAt(id)))
    const id = (index: number) => `https://app.example/${index}`
    await documents.get(id(0), 'account:ada')
    for (let index = 1; index <= 500; index += 1) {
      await documents.get(id(index), `account:${index}`)
      await documents.get(id(0), 'account:ada')
    }
    expect(fetched).toHaveLength(501)
    await documents.get(id(1), 'account:ada')
    expect(fetched).toHaveLength(502)
  })
})
