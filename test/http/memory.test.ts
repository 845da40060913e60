import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { contentsOf, newMemory, remember, WORDS_OF_SCRIPTS } from '../support/memory.ts'
import { soon } from '../support/wait.ts'

const KILOBYTE = 1_024
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
let id: number
let session: string
let now: Date | undefined

beforeAll(async () => {
  test = await createTestApp({
    withSearch: true,
    clock: () => now ?? new Date(),
    limits: { plans: { community: { maxMemorySessions: 1_000 } }, rateLimit: { multiplier: 1_000 } },
  })
  ada = await signUp(test.app, 'ada')
  id = ada.account.active_profile_id
})
afterAll(() => test.close())
beforeEach(async () => {
  now = undefined
  session = await newMemory(ada, id, { name: 'Trip to Turin' })
})

const entry = (fields: object = {}) => ({ role: 'user', content: 'Ada prefers trains.', ...fields })
const add = (body: object) => ada.post(`${session}/entries`, body)

describe('sessions', () => {
  it('creates, shows, lists and deletes a session', async () => {
    const made = await ada.post('/memory/sessions', { profile_id: id, ttl_seconds: 60, agent_did: 'did:key:one' })
    expect(made.statusCode, made.body).toBe(201)
    const { id: sessionId, created_at: createdAt, expires_at: expiresAt, ...shown } = made.json()
    expect(shown).toMatchObject({ profile_id: id, agent_did: 'did:key:one', name: null, entries: 0, bytes: 0 })
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(60_000)
    const path = `/memory/sessions/${sessionId}`
    expect((await ada.get(path)).json()).toEqual(made.json())
    const listed = (await ada.get(`/memory/sessions?profile_id=${id}&limit=2`)).json()
    expect(listed.data.map((each: { id: string }) => `/memory/sessions/${each.id}`)).toEqual([path, session])
    expect((await ada.delete(path)).statusCode).toBe(204)
    for (const gone of [await ada.get(path), await ada.delete(path)]) {
      expect([gone.statusCode, codeOf(gone)]).toEqual([404, 'memory_session_not_found'])
    }
  })

  it.each([
    ['a lifetime of less than a minute', { ttl_seconds: 59 }],
    ['a lifetime of more than a year', { ttl_seconds: 31_536_001 }],
    ['an agent that is not a DID', { agent_did: 'agent-7' }],
    ['a name of two lines', { name: 'a\nb' }],
  ])('rejects %s', async (_, fields) => {
    const answer = await ada.post('/memory/sessions', { profile_id: id, ttl_seconds: 60, ...fields })
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'validation_failed'])
  })

  it('rejects an unknown profile', async () => {
    const answer = await ada.post('/memory/sessions', { profile_id: 999_999_999, ttl_seconds: 60 })
    expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'profile_not_found'])
  })

  it('does not exist for any request from the second on at which it expires', async () => {
    const path = await newMemory(ada, id, { ttl_seconds: 60 })
    const [entryId] = await remember(ada, path, 'a secret')
    const { expires_at: expiresAt } = (await ada.get(path)).json()
    now = new Date(Date.parse(expiresAt) - 1)
    expect((await ada.get(path)).statusCode).toBe(200)
    now = new Date(expiresAt)
    const answers = [
      await ada.get(path),
      await ada.delete(path),
      await ada.get(`${path}/entries`),
      await ada.post(`${path}/entries`, entry()),
      await ada.patch(`${path}/entries/${entryId}`, { importance: 1 }),
      await ada.delete(`${path}/entries/${entryId}`),
      await ada.post(`${path}/search`, { query: 'secret' }),
      await ada.post(`${path}/recall`, { query: 'secret', token_budget: 100 }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
    expect((await ada.get(`/memory/sessions?profile_id=${id}`)).body).not.toContain(path.split('/').at(-1))
  })
})

describe('entries', () => {
  it('adds an entry with defaults', async () => {
    const added = await add(entry())
    expect(added.statusCode, added.body).toBe(201)
    expect(added.json()).toMatchObject({ ...entry(), metadata: {}, importance: 0.5 })
    expect((await ada.get(`${session}/entries`)).json().data).toEqual([added.json()])
    const stored = JSON.stringify({ content: 'Ada prefers trains.', metadata: {} }).length
    expect((await ada.get(session)).json()).toMatchObject({ entries: 1, bytes: stored })
    const content = '"'.repeat(100)
    await add(entry({ content }))
    const escaped = JSON.stringify({ content, metadata: {} }).length
    expect((await ada.get(session)).json()).toMatchObject({ entries: 2, bytes: stored + escaped })
  })

  it('adds up to 100 entries, and lists them newest first in pages', async () => {
    const contents = Array.from({ length: 100 }, (_, index) => `note ${index}`)
    await remember(ada, session, ...contents)
    const first = (await ada.get(`${session}/entries?limit=60`)).json()
    const url = `${session}/entries?limit=60&cursor=${first.pagination.next_cursor}`
    const second = (await ada.get(url, { accept: 'application/json' })).json()
    const listed = [...first.data, ...second.data].map(({ content }: { content: string }) => content)
    expect(listed).toEqual(contents.toReversed())
    expect(second.pagination).toEqual({ total: 100, has_more: false })
  })

  it('keeps 32 KB of any text, and nested metadata', async () => {
    const content = 'é'.repeat(16 * KILOBYTE)
    const metadata = { source: { id: 7, tags: ['a', null, true] } }
    const added = await add(entry({ content, metadata, importance: 0 }))
    expect(added.statusCode, added.body).toBe(201)
    expect(added.json()).toMatchObject({ content, metadata, importance: 0 })
  })

  const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) })
  it.each<[string, object]>([
    ['more than 32 KB', entry({ content: `${'é'.repeat(16 * KILOBYTE)}x` })],
    ['no content', entry({ content: '' })],
    ['a text that cannot be stored', entry({ content: 'a\0b' })],
    ['an unknown role', entry({ role: 'robot' })],
    ['an importance above 1', entry({ importance: 1.1 })],
    ['an importance below 0', entry({ importance: -0.1 })],
    ['metadata of more than 4 KB', entry({ metadata: { a: 'x'.repeat(4 * KILOBYTE) } })],
    ['metadata that is too deep', entry({ metadata: deep(9) })],
    ['metadata that is not an object', entry({ metadata: ['a'] })],
    ['an empty batch', { entries: [] }],
    ['more than 100 entries', { entries: Array.from({ length: 101 }, () => entry()) }],
    ['a batch with one invalid entry', { entries: [entry(), entry({ role: 'robot' })] }],
    ['an unknown field', entry({ id: 7 })],
    ['nothing', {}],
  ])('rejects %s, and stores nothing', async (_, body) => {
    const answer = await add(body)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'validation_failed'])
    expect((await ada.get(session)).json().entries).toBe(0)
  })

  it('changes single fields of an entry', async () => {
    const { id: entryId } = (await add(entry({ metadata: { a: 1 }, importance: 0.2 }))).json()
    const path = `${session}/entries/${entryId}`
    const [one, other] = await Promise.all([
      ada.patch(path, { content: 'Ada prefers night trains.' }),
      ada.patch(path, { importance: 0.9 }),
    ])
    expect([one.statusCode, other.statusCode]).toEqual([200, 200])
    const [stored] = (await ada.get(`${session}/entries`)).json().data
    expect(stored).toMatchObject({
      content: 'Ada prefers night trains.',
      importance: 0.9,
      metadata: { a: 1 },
      role: 'user',
    })
    expect((await ada.patch(path, { metadata: {}, role: 'system' })).json()).toMatchObject({
      metadata: {},
      role: 'system',
    })
    for (const changes of [{}, { content: '' }, { id: 7 }]) {
      expect(codeOf(await ada.patch(path, changes))).toBe('validation_failed')
    }
  })

  it('deletes an entry once, and knows no entry of another session', async () => {
    const [entryId] = await remember(ada, session, 'a note')
    const other = await newMemory(ada, id)
    for (const answer of [
      await ada.patch(`${other}/entries/${entryId}`, { importance: 1 }),
      await ada.delete(`${other}/entries/${entryId}`),
    ]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'memory_entry_not_found'])
    }
    const deleted = await Promise.all([1, 2, 3].map(() => ada.delete(`${session}/entries/${entryId}`)))
    expect(deleted.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 404, 404])
  })
})

describe('search in a session', () => {
  const search = (body: object, path = session) => ada.post(`${path}/search`, body)

  it('finds entries that were added before, in this session only', async () => {
    const other = await newMemory(ada, id)
    await remember(ada, other, 'Quillwort grows in lakes')
    await remember(ada, session, 'Quillwort is a plant', 'Nothing else', 'Two quillworts and a sundew')
    const found = await search({ query: 'quillwort' })
    expect(found.statusCode, found.body).toBe(200)
    expect(found.json().mode).toBe('keyword')
    expect(contentsOf(found).toSorted()).toEqual(['Quillwort is a plant', 'Two quillworts and a sundew'])
    const scores = found.json().data.map(({ score }: { score: number }) => score)
    expect(scores[0]).toBe(1)
    expect(contentsOf(await search({ query: 'quillwort', limit: 1 }))).toHaveLength(1)
    expect(contentsOf(await search({ query: 'quillwort', min_score: 1 }))).toHaveLength(
      scores.filter((s: number) => s === 1).length,
    )
    expect(contentsOf(await search({ query: 'quillwort -sundew' }))).toEqual(['Quillwort is a plant'])
    expect(contentsOf(await search({ query: 'quillwort' }, other))).toEqual(['Quillwort grows in lakes'])
  })

  it('finds changed entries by their new text, and no deleted ones', async () => {
    const [one, two] = await remember(ada, session, 'the sundew', 'another sundew')
    await ada.patch(`${session}/entries/${one}`, { content: 'the butterwort' })
    await ada.delete(`${session}/entries/${two}`)
    expect(contentsOf(await search({ query: 'sundew' }))).toEqual([])
    expect(contentsOf(await search({ query: 'butterwort' }))).toEqual(['the butterwort'])
  })

  it('is not in public search, its suggestions and corrections', async () => {
    await remember(ada, session, 'Bladderwort is a secret')
    expect(contentsOf(await search({ query: 'bladderwort' }))).toHaveLength(1)
    const get = async (url: string) => (await ada.get(url, { accept: 'application/json' })).json()
    for (const q of ['bladderwort', 'bladderwart', 'secret']) {
      const found = await get(`/search?q=${q}&consistency=strong&facets=kind,tag`)
      expect([found.data, found.suggestion, found.pagination.total]).toEqual([[], undefined, 0])
    }
    expect((await get('/search/suggest?q=bladder')).data).toEqual([])
  })

  it('finds nothing for a query without words', async () => {
    expect(contentsOf(await search({ query: '""' }))).toEqual([])
  })

  it.each([
    ['an empty query', { query: '' }, 'validation_failed'],
    ['an operator of public search', { query: 'author:u/ada note' }, 'invalid_search_query'],
    ['more than 50 hits', { query: 'a', limit: 51 }, 'validation_failed'],
    ['a score above 1', { query: 'a', min_score: 2 }, 'validation_failed'],
  ])('rejects %s', async (_, body, code) => {
    const answer = await search(body)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, code])
  })

  it('returns 503 for a semantic search without an embedder', async () => {
    const answer = await search({ query: 'a', mode: 'semantic' })
    expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'semantic_search_disabled'])
  })

  it('finds the entries again after the index was rebuilt', async () => {
    await remember(ada, session, 'Butterbur is a plant')
    await test.eep.search.reindex()
    // Once the request is handled, the rebuild has begun.
    await ada.get('/search?q=butterbur&consistency=strong')
    await soon(async () => expect((await test.eep.search.stats()).isRebuilding).toBe(false))
    expect(contentsOf(await search({ query: 'butterbur' }))).toEqual(['Butterbur is a plant'])
  })
})

describe('recall', () => {
  const recall = (body: object) => ada.post(`${session}/recall`, body)

  it('returns the best entries that fit, by any word, recency and importance', async () => {
    await add({
      entries: [
        entry({ content: 'Ada prefers trains', importance: 0.1 }),
        entry({ content: 'Ada has no car and takes trains', importance: 1 }),
        entry({ content: 'Grace sails' }),
      ],
    })
    const found = await recall({ query: 'How about trains, "author:u/ada" OR -trains?', token_budget: 100 })
    expect(found.statusCode, found.body).toBe(200)
    expect(contentsOf(found)).toEqual(['Ada has no car and takes trains', 'Ada prefers trains'])
    const { data, tokens_used: used, token_budget: budget } = found.json()
    expect([used, budget]).toEqual([data[0].tokens + data[1].tokens, 100])
    expect(data[0].score).toBeGreaterThan(data[1].score)
    expect(contentsOf(await recall({ query: 'trains', token_budget: data[0].tokens }))).toEqual([
      'Ada has no car and takes trains',
    ])
    expect(contentsOf(await recall({ query: 'trains', token_budget: data[1].tokens }))).toEqual(['Ada prefers trains'])
    expect((await recall({ query: 'trains', token_budget: 1 })).json()).toMatchObject({ data: [], tokens_used: 0 })
    expect(contentsOf(await recall({ query: '?!', token_budget: 100 }))).toEqual([])
  })

  it.each(WORDS_OF_SCRIPTS)('finds words of texts in %s', async (_, content, question, words) => {
    await add({ entries: [entry({ content }), entry({ content: 'Ada' })] })
    expect(contentsOf(await recall({ query: question, token_budget: 1_000 }))).toEqual([content])
    expect(contentsOf(await ada.post(`${session}/search`, { query: words }))).toEqual([content])
  })

  it.each([
    { query: 'a', token_budget: 0 },
    { query: '', token_budget: 10 },
  ])('rejects %j', async (body) => {
    expect(codeOf(await recall(body))).toBe('validation_failed')
  })
})

describe('a summary', () => {
  it('is 503 without a summarizer', async () => {
    const answer = await ada.post(`${session}/summary`, {})
    expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'summary_disabled'])
  })

  it('is made of the entries in the order of time, and 502 when that fails', async () => {
    const asked: string[] = []
    let fails = false
    const { app, close } = await createTestApp({
      memory: {
        summarizer: {
          async summarize({ entries, maxWords }) {
            if (fails) throw new Error('the model is unavailable')
            asked.push(`${maxWords}: ${entries.map(({ content }) => content).join(', ')}`)
            return 'A summary'
          },
        },
      },
    })
    const grace = await signUp(app, 'grace')
    const path = await newMemory(grace, grace.account.active_profile_id)
    expect((await grace.post(`${path}/summary`, {})).json()).toEqual({ summary: '', entries: 0, complete: true })
    await remember(grace, path, 'one', 'two')
    expect((await grace.post(`${path}/summary`, { max_words: 50 })).json()).toEqual({
      summary: 'A summary',
      entries: 2,
      complete: true,
    })
    expect(asked).toEqual(['50: one, two'])
    fails = true
    const failed = await grace.post(`${path}/summary`, {})
    expect([failed.statusCode, codeOf(failed)]).toEqual([502, 'summary_failed'])
    expect(codeOf(await grace.post(`${path}/summary`, { max_words: 5 }))).toBe('validation_failed')
    await close()
  })
})

describe('the plan of an account', () => {
  it('limits sessions and sizes under concurrent requests', async () => {
    const { app, close } = await createTestApp({
      limits: { plans: { community: { maxMemorySessions: 2, maxMemoryMb: 1 } } },
    })
    const grace = await signUp(app, 'grace')
    const profileId = grace.account.active_profile_id
    const made = await Promise.all(
      Array.from({ length: 5 }, () => grace.post('/memory/sessions', { profile_id: profileId, ttl_seconds: 60 })),
    )
    const statuses = made.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([201, 201, 409, 409, 409])
    const codes = (answers: typeof made) =>
      answers.filter(({ statusCode }) => statusCode === 409).map((answer) => codeOf(answer))
    expect(codes(made)).toEqual(Array.from({ length: 3 }, () => 'too_many_memory_sessions'))
    const [one = '', other = ''] = made
      .filter(({ statusCode }) => statusCode === 201)
      .map((each) => `/memory/sessions/${each.json().id}`)
    const content = 'x'.repeat(32 * KILOBYTE)
    const batch = { entries: Array.from({ length: 10 }, () => entry({ content })) }
    const added = await Promise.all([one, other, one, other].map((path) => grace.post(`${path}/entries`, batch)))
    expect(added.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 201, 409])
    expect(codes(added)).toEqual(['memory_full'])
    expect((await grace.delete(one)).statusCode).toBe(204)
    expect((await grace.post('/memory/sessions', { profile_id: profileId, ttl_seconds: 60 })).statusCode).toBe(201)
    await close()
  })
})

it.each([undefined, 'the current key of this memory, of 32 characters'])(
  'knows sessions by ids in upper case too, and deletes everything of them, with the key %s',
  async (encryptionKey) => {
    const database = await openStorage()
    const { app, close } = await createTestApp({
      storage: database.storage,
      withSearch: true,
      memory: { encryptionKey },
    })
    const grace = await signUp(app, 'grace')
    const path = await newMemory(grace, grace.account.active_profile_id)
    const upper = path.replace(/[^/]+$/, (sessionId) => sessionId.toUpperCase())
    const [entryId] = await remember(grace, upper, 'Waterwort is a plant')
    await grace.patch(`${upper}/entries/${entryId}`, { importance: 1 })
    for (const url of [path, upper]) {
      const found = await grace.post(`${url}/search`, { query: 'waterwort' })
      expect(contentsOf(found)).toEqual(['Waterwort is a plant'])
    }
    expect((await grace.delete(upper)).statusCode).toBe(204)
    const dump = async () => (await database.dump?.())?.filter((row) => /waterwort/i.test(row)) ?? []
    await soon(async () => expect(await dump()).toEqual([]))
    await close()
    await database.close()
  },
)

it('removes expired sessions in the background, and what the index has of them', async () => {
  const database = await openStorage()
  let time = Date.now()
  const clock = () => new Date(time)
  const first = await createTestApp({ storage: database.storage, withSearch: true, clock })
  const grace = await signUp(first.app, 'grace')
  const path = await newMemory(grace, grace.account.active_profile_id, { ttl_seconds: 60 })
  await remember(grace, path, 'Waterwort is a plant')
  expect(contentsOf(await grace.post(`${path}/search`, { query: 'waterwort' }))).toHaveLength(1)
  time += 60_000
  // The upkeep of another instance begins soon after its start.
  const second = await createTestApp({ storage: database.another(), withSearch: true, clock })
  const dump = async () => (await database.dump?.())?.filter((row) => /waterwort/i.test(row)) ?? []
  await soon(async () => expect(await dump()).toEqual([]))
  await second.close()
  await first.close()
  await database.close()
})
