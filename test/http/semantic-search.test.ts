import { type Embedder, LOG_START } from '@eep/core/ports'
import { cashRail } from '@eep/core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { analyticsOf } from '../support/analytics.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { onPglite } from '../support/database.ts'
import { createFakeEmbedder } from '../support/embedder.ts'
import { PATIENT } from '../support/patient-search.ts'
import { find, pathsOf, searchUrl } from '../support/search.ts'
import { openShop } from '../support/shop.ts'
import { LONG, soon } from '../support/wait.ts'

const embedder = createFakeEmbedder()
let app: TestApp
let close: () => Promise<void>
let ada: Writer
beforeAll(async () => {
  const search = { embedder }
  ;({ app, close } = await createTestApp({ withSearch: true, search, payments: { rails: [cashRail()] } }))
  ada = await createWriter(app, 'ada')
})
afterEach(() => {
  embedder.fault = undefined
})
afterAll(() => close())

const SEMANTIC = { mode: 'semantic' }
const down = () => Promise.reject(new Error('the embedder is down'))

/** Waits until a check passes, seldom: after a fault the embedder is left alone for seconds. */
const later = <Result>(check: () => Result) => vi.waitFor(check, { ...LONG, interval: 200 })

/** Waits until each text has its vector. */
const embedded = () =>
  later(async () => {
    const { isRebuilding, pendingTexts, lagMs } = await app.eep.search.stats()
    expect({ isRebuilding, pendingTexts, lagMs }).toEqual({ isRebuilding: false, pendingTexts: 0, lagMs: 0 })
  })

const refusal = async (q: string) => {
  const response = await client(app).get(searchUrl(q, SEMANTIC), { accept: 'application/json' })
  return { status: response.statusCode, code: response.json().error.code, retry: response.headers['retry-after'] }
}

describe('search by meaning', () => {
  it('finds pages that have other words than the query', async () => {
    const page = await ada.newPage({ title: 'The automobile', body: 'A vehicle for the road.' })
    const other = await ada.newPage({ title: 'Violin', body: 'A melody.' })
    await embedded()
    const { data, mode } = await find(app, 'cars', SEMANTIC)
    expect(mode).toBe('semantic')
    expect(data.map(({ path, matched }) => ({ path, matched }))).toEqual([{ path: page.path, matched: ['semantic'] }])
    expect(await pathsOf(app, 'cars', { mode: 'keyword' })).toEqual([])
    expect(await pathsOf(app, 'orchestra', SEMANTIC)).toEqual([other.path])
    expect(await pathsOf(app, 'cars type:profile', SEMANTIC)).toEqual([])
    expect(await pathsOf(app, 'quillwort', SEMANTIC), 'the embedder knows nothing of it').toEqual([])
  })

  it('merges both lists by default, and corrects words', async () => {
    const word = await ada.newPage({ title: 'Orchard keeping', body: 'Pruning' })
    const both = await ada.newPage({ title: 'Pruning a pear', body: 'An apple as well' })
    await embedded()
    const merged = await find(app, 'apple pruning')
    expect(merged.mode).toBe('hybrid')
    expect(merged.data.map(({ path, matched }) => ({ path, matched }))).toEqual([
      { path: both.path, matched: ['keyword', 'semantic'] },
      { path: word.path, matched: ['semantic'] },
    ])
    const corrected = await find(app, 'prunning')
    expect(corrected.suggestion).toBe('pruning')
    expect(corrected.data).toHaveLength(2)
  })

  it('counts queries in the analytics of a profile only when its results have their words', async () => {
    const writer = await createWriter(app)
    await writer.newPage({ title: 'Cars by name', body: 'A car and its driving.' })
    await embedded()
    for (const query of ['vehicle', 'automobile', 'cars']) {
      for (let again = 0; again < 3; again += 1) {
        const { data } = await find(app, query)
        expect(data.some(({ path }) => path.includes('cars-by-name'))).toBe(true)
      }
    }
    const terms = async () => (await analyticsOf(writer, writer.profileId, '?metric=search_terms')).search_terms
    await expect.poll(terms, LONG).toEqual([{ query: 'cars', count: 3 }])
  })

  it('lists pages of merged hits while the embedder is down', async () => {
    const paths: string[] = []
    for (let index = 0; index < 5; index += 1) {
      paths.push((await ada.newPage({ title: `Sailing ${index}`, body: 'ship '.repeat(index) })).path)
    }
    await embedded()
    const first = await find(app, 'waves', { limit: '2' })
    embedder.fault = down
    const seen = first.data.map(({ path }) => path)
    let cursor = first.pagination.next_cursor
    while (cursor) {
      const page = await find(app, 'waves', { limit: '2', cursor })
      expect(page.mode).toBe('hybrid')
      seen.push(...page.data.map(({ path }) => path))
      cursor = page.pagination.next_cursor
    }
    expect(seen.sort()).toEqual(paths.sort())
  })

  it('finds nothing that is hidden, and of gated pages what everyone sees', async () => {
    const hidden = await ada.newPage({ title: 'Harvest', body: 'fruit' })
    const shop = await openShop(app, 'seller')
    await embedded()
    expect(await pathsOf(app, 'fruit', SEMANTIC)).toContain(hidden.path)
    await ada.delete(`/manage/pages/${hidden.id}`)
    expect(await pathsOf(app, 'fruit', SEMANTIC)).not.toContain(hidden.path)
    // The body of the sold page has its meaning, and is found by those who may read it.
    const { data } = (await shop.get(`/manage/pages?profile_id=${shop.profileId}`)).json()
    const { id } = data.find(({ path }: { path: string }) => path === shop.paid)
    const saved = await shop.put(`/manage/pages/${id}`, { body: 'orchestra music, violin music' })
    expect(saved.statusCode).toBe(200)
    await embedded()
    for (const mode of ['semantic', 'hybrid']) {
      expect(await pathsOf(app, 'orchestra', { mode })).not.toContain(shop.paid)
      expect(await pathsOf(app, 'orchestra', { mode, gated: 'mine' }, ada.headers)).not.toContain(shop.paid)
      expect(await pathsOf(app, 'orchestra', { mode, gated: 'mine' }, shop.headers)).toContain(shop.paid)
    }
  })

  it('searches by words while the embedder is down, and embeds later what was written meanwhile', async () => {
    embedder.fault = down
    const page = await ada.newPage({ title: 'Ocean voyage', body: 'By sea' })
    const answer = await find(app, 'voyage')
    expect(answer.mode).toBe('keyword')
    expect(answer.data.map(({ path }) => path)).toEqual([page.path])
    expect(await refusal('voyage by sea')).toEqual({ status: 503, code: 'semantic_search_unavailable', retry: '5' })
    expect((await app.eep.search.stats()).pendingTexts).toBeGreaterThan(0)
    embedder.fault = undefined
    await embedded()
    await later(async () => expect(await pathsOf(app, 'waves ship', SEMANTIC)).toContain(page.path))
  })

  it('does not wait for an embedder that does not answer, nor use vectors of other dimensions', async () => {
    const page = await ada.newPage({ title: 'Melody of rain', body: '' })
    await embedded()
    for (const fault of [
      () => new Promise<never>(() => {}),
      async () => [[1, 2, 3]],
      async () => [[1, 0, 0, Number.NaN]],
    ]) {
      await later(async () => expect((await find(app, 'violin', SEMANTIC)).mode).toBe('semantic'))
      embedder.fault = fault
      const q = `rain ${Math.random()
        .toString(36)
        .replaceAll(/[^a-z]/g, '')} OR rain`
      expect((await find(app, q)).data.map(({ path }) => path)).toEqual([page.path])
      expect((await refusal(`${q} melody`)).status).toBe(503)
      embedder.fault = undefined
    }
  })

  it('sets aside a text that the embedder refuses', async () => {
    await embedded()
    embedder.fault = (texts) =>
      texts.some((text) => text.includes('poison')) ? Promise.reject(new Error('refused')) : undefined
    await ada.newPage({ title: 'Some poison', body: 'ship' })
    const page = await ada.newPage({ title: 'A pear', body: 'apple' })
    await later(async () => expect(await pathsOf(app, 'harvest', SEMANTIC)).toContain(page.path))
    expect((await app.eep.search.stats()).pendingTexts).toBe(1)
  })
})

describe('an embedder that loads', () => {
  it('is loaded by the first search, which is answered by words meanwhile', async () => {
    const { storage, close: closeStorage } = await openStorage()
    const start = (used: Embedder) =>
      createTestApp({ storage, search: { index: storage.search(PATIENT), embedder: used } })
    try {
      const first = await start(createFakeEmbedder())
      const page = await (await createWriter(first.app, 'ada')).newPage({ title: 'Violin', body: 'melody' })
      await soon(async () => expect(await pathsOf(first.app, 'music', SEMANTIC)).toEqual([page.path]))
      await first.close()

      const { promise, resolve } = Promise.withResolvers<void>()
      let loads = 0
      const load = () => {
        loads += 1
        return promise
      }
      const { app: host, close: stop } = await start({ ...createFakeEmbedder(), load })
      try {
        expect(await pathsOf(host, 'violin', { mode: 'keyword' })).toEqual([page.path])
        expect(loads).toBe(0)
        expect((await find(host, 'violin')).mode).toBe('keyword')
        expect((await find(host, 'orchestra')).mode).toBe('keyword')
        expect(loads).toBe(1)
        resolve()
        expect(await pathsOf(host, 'orchestra', SEMANTIC)).toEqual([page.path])
        expect((await find(host, 'violin')).mode).toBe('hybrid')
      } finally {
        await stop()
      }
    } finally {
      await closeStorage()
    }
  })
})

describe('the purge of an account', () => {
  it.skipIf(onPglite())('leaves no document, passage, vector or word of it in the index', async () => {
    const { storage, dump, close: closeStorage } = await openStorage()
    const { app: host, close: stop } = await createTestApp({
      storage,
      search: { index: storage.search(PATIENT), embedder: createFakeEmbedder() },
      auth: { purgeIntervalMs: 100 },
    })
    const TABLES = ['search_documents', 'search_passages', 'search_vectors', 'search_words']
    const counted = async () => {
      const rows = await Promise.all(TABLES.map(async (name) => [name, (await dump?.([name]))?.length] as const))
      return Object.fromEntries(rows)
    }
    try {
      const writer = await createWriter(host, 'eve')
      const page = await writer.newPage({ title: 'Violin', body: 'A melody of quillworts' })
      await soon(async () => expect(await pathsOf(host, 'music', SEMANTIC)).toEqual([page.path]))
      await soon(async () => expect((await host.eep.search.stats()).pendingTexts).toBe(0))
      const before = await counted()
      for (const name of TABLES) expect(before[name], name).toBeGreaterThan(0)
      await storage.transaction((tx) => tx.accounts.save(writer.account.id, { deletionScheduledAt: new Date(0) }))
      await soon(async () => expect(await storage.read.accounts.get(writer.account.id)).toBeUndefined())
      await soon(async () => expect(await counted()).toEqual(Object.fromEntries(TABLES.map((name) => [name, 0]))))
    } finally {
      await stop()
      await closeStorage()
    }
  })
})

describe('another embedder', () => {
  it('is used when its vectors are complete; texts that did not change are not embedded again', async () => {
    const { storage, close: closeStorage } = await openStorage()
    const start = async (used: ReturnType<typeof createFakeEmbedder>) => {
      const { app: host, close: stop } = await createTestApp({
        storage,
        search: { index: storage.search(PATIENT), embedder: used },
      })
      return { host, stop }
    }
    const ready = (host: TestApp) =>
      soon(async () => expect(await host.eep.search.stats()).toMatchObject({ isRebuilding: false, pendingTexts: 0 }))
    try {
      const first = await start(createFakeEmbedder('one'))
      const writer = await createWriter(first.host, 'ada')
      const page = await writer.newPage({ title: 'Violin', body: 'melody' })
      await soon(async () => expect(await pathsOf(first.host, 'music', SEMANTIC)).toEqual([page.path]))
      await first.host.eep.search.reindex()
      await ready(first.host)
      await first.stop()

      const other = createFakeEmbedder('two')
      const second = await start(other)
      await soon(async () => expect(await pathsOf(second.host, 'orchestra', SEMANTIC)).toEqual([page.path]))
      await ready(second.host)
      const texts = other.embedded.filter((text) => text.startsWith('Violin'))
      expect(texts).toHaveLength(1)
      await second.host.eep.search.reindex()
      await ready(second.host)
      expect(other.embedded.filter((text) => text.startsWith('Violin'))).toHaveLength(1)
      await second.stop()
    } finally {
      await closeStorage()
    }
  })

  it('adds nothing to an empty log, and is used from the first event on', async () => {
    const { storage, close: closeStorage } = await openStorage()
    const options = { storage, search: { index: storage.search(PATIENT), embedder: createFakeEmbedder() } }
    const { app: host, close: stop } = await createTestApp(options)
    try {
      expect(await storage.read.events.head()).toBe(LOG_START)
      const page = await (await createWriter(host, 'ada')).newPage({ title: 'Violin', body: 'melody' })
      await soon(async () => expect(await pathsOf(host, 'music', SEMANTIC)).toEqual([page.path]))
    } finally {
      await stop()
      await closeStorage()
    }
  })

  it('needs an index that stores vectors', async () => {
    const { storage, close: closeStorage } = await openStorage()
    try {
      const { vectors: _, ...index } = storage.search(PATIENT)
      const options = { storage, search: { index, embedder: createFakeEmbedder() } }
      await expect(createTestApp(options)).rejects.toThrow('stores vectors')
    } finally {
      await closeStorage()
    }
  })
})
