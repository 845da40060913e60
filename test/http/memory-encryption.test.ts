import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { codeOf, login, PASSWORD, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { downloaded, jsonOf, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { createFakeEmbedder } from '../support/embedder.ts'
import { contentsOf, newMemory, remember, WORDS_OF_SCRIPTS } from '../support/memory.ts'
import { PATIENT } from '../support/patient-search.ts'
import { soon } from '../support/wait.ts'

const [OLD, NEW] = [
  'the former key of this memory, of 32 characters',
  'the current key of this memory, of 32 characters',
]

let database: Awaited<ReturnType<typeof openStorage>>
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

const open = (encryptionKey?: string | readonly string[]) =>
  createTestApp({ storage: database.another(), withSearch: true, memory: { encryptionKey } })

const leaks = async (pattern: RegExp) => ((await database.dump?.()) ?? []).filter((row) => pattern.test(row))

describe.skipIf(onPglite())('with a key', () => {
  it('leaves no text in any table, and finds entries nevertheless', async () => {
    const { app, eep, close } = await open(NEW)
    const ada = await signUp(app)
    const id = ada.account.active_profile_id
    const path = await newMemory(ada, id, { name: 'Marsilea' })
    const [entryId] = await remember(ada, path, 'The Isoetes grows here', 'Another note')
    await ada.patch(`${path}/entries/${entryId}`, { metadata: { place: 'Botrychium' } })
    expect((await ada.get(path)).json().name).toBe('Marsilea')
    expect(contentsOf(await ada.get(`${path}/entries`))).toEqual(['Another note', 'The Isoetes grows here'])
    const found = await ada.post(`${path}/search`, { query: 'isoetes' })
    expect([contentsOf(found), found.json().mode]).toEqual([['The Isoetes grows here'], 'keyword'])
    expect(contentsOf(await ada.post(`${path}/search`, { query: 'isoetes', mode: 'hybrid' }))).toHaveLength(1)
    const recalled = await ada.post(`${path}/recall`, { query: 'where does isoetes grow', token_budget: 100 })
    expect(contentsOf(recalled)).toEqual(['The Isoetes grows here'])
    const semantic = await ada.post(`${path}/search`, { query: 'isoetes', mode: 'semantic' })
    expect([semantic.statusCode, codeOf(semantic)]).toEqual([503, 'semantic_search_disabled'])
    // The index has handled all events.
    await client(app).get('/search?q=isoetes&consistency=strong')
    await eep.search.reindex()
    await soon(async () => expect(await eep.search.stats()).toMatchObject({ isRebuilding: false, lagMs: 0 }))
    expect(await leaks(/isoetes|marsilea|botrychium/i)).toEqual([])
    await close()
  })

  it('finds words of texts in any script', async () => {
    const { app, close } = await open(NEW)
    const ada = await signUp(app)
    const path = await newMemory(ada, ada.account.active_profile_id)
    await remember(ada, path, ...WORDS_OF_SCRIPTS.map(([, content]) => content))
    for (const [script, content, question, words] of WORDS_OF_SCRIPTS) {
      const recalled = await ada.post(`${path}/recall`, { query: question, token_budget: 1_000 })
      expect(contentsOf(recalled)[0], script).toBe(content)
      expect(contentsOf(await ada.post(`${path}/search`, { query: words })), script).toEqual([content])
    }
    await close()
  })

  it('encrypts what was stored without it, and removes its copies from the index', async () => {
    const before = await open()
    const ada = await signUp(before.app)
    const path = await newMemory(ada, ada.account.active_profile_id, { name: 'Salvinia' })
    await remember(ada, path, 'The Azolla floats')
    expect(contentsOf(await ada.post(`${path}/search`, { query: 'azolla' }))).toHaveLength(1)
    expect((await leaks(/azolla/i)).length).toBeGreaterThan(1)
    await before.close()

    const after = await open([NEW, OLD])
    await soon(async () => expect(await leaks(/azolla|salvinia/i)).toEqual([]))
    const again = client(after.app).as(ada)
    expect((await again.get(path)).json().name).toBe('Salvinia')
    expect(contentsOf(await again.post(`${path}/search`, { query: 'azolla' }))).toEqual(['The Azolla floats'])
    await after.close()
  })

  it('encrypts again with a new key, and reports a missing key', async () => {
    const before = await open(OLD)
    const ada = await signUp(before.app)
    const path = await newMemory(ada, ada.account.active_profile_id, { name: 'Trip to Turin' })
    const sessionId = path.split('/').at(-1) ?? ''
    await remember(ada, path, 'A note')
    await before.close()

    const without = await open(NEW)
    const lost = await client(without.app).as(ada).get(`${path}/entries`)
    expect([lost.statusCode, codeOf(lost)]).toEqual([503, 'memory_key_missing'])
    const listed = await client(without.app).as(ada).get(`/memory/sessions?profile_id=${ada.account.active_profile_id}`)
    expect(listed.statusCode, listed.body).toBe(200)
    expect(listed.json().data).toMatchObject([{ id: sessionId, name: null }])
    await remember(client(without.app).as(ada), path, 'Another note')
    const again = { ...ada, ...client(without.app).as(ada) }
    const archive = await unzip(await downloaded(without.app, again, { profile_id: ada.account.active_profile_id }))
    expect(jsonOf(archive, 'memory/sessions.json')).toMatchObject([
      { id: sessionId, name: null, unreadable_entries: 1 },
    ])
    expect(jsonOf(archive, `memory/${sessionId}.json`)).toMatchObject([{ content: 'Another note' }])
    await without.close()

    const row = async () => (await database.dump?.(['memory_entries']))?.filter((each) => each.includes(sessionId))
    const former = await row()
    const both = await open([NEW, OLD])
    expect(contentsOf(await client(both.app).as(ada).get(`${path}/entries`))).toEqual(['Another note', 'A note'])
    await soon(async () => expect(await row()).not.toEqual(former))
    await both.close()
    const only = await open([NEW])
    expect(contentsOf(await client(only.app).as(ada).get(`${path}/entries`))).toEqual(['Another note', 'A note'])
    await only.close()
  })
})

describe('an account that is erased', () => {
  it.skipIf(onPglite())('leaves nothing of its memory, in the tables or in the index', async () => {
    let now = new Date()
    // It purges rarely: a purge would also delete the session that begins a month ago.
    const { app, close } = await createTestApp({ withSearch: true, clock: () => now, storage: database.another() })
    onTestFinished(close)
    const ada = await signUp(app)
    const path = await newMemory(ada, ada.account.active_profile_id, { name: 'Pilularia', ttl_seconds: 31_536_000 })
    await remember(ada, path, 'The Regnellidium is rare')
    expect(contentsOf(await ada.post(`${path}/search`, { query: 'regnellidium' }))).toHaveLength(1)
    now = new Date(Date.now() - 31 * 86_400_000)
    // The first session begins later than this.
    const { token } = (await login(app, ada.account.email)).json()
    const deleted = await client(app)
      .with({ authorization: `Bearer ${token}` })
      .send('DELETE', '/auth/account', { password: PASSWORD })
    expect(deleted.statusCode, deleted.body).toBeLessThan(300)
    now = new Date()
    const purging = await createTestApp({
      withSearch: true,
      storage: database.another(),
      auth: { purgeIntervalMs: 100 },
    })
    onTestFinished(purging.close)
    await soon(async () => expect(await leaks(/regnellidium|pilularia/i)).toEqual([]))
  })
})

it('finds entries by their meaning in their session only, without a key', async () => {
  const { storage } = database
  const embedder = createFakeEmbedder()
  const { app, close } = await createTestApp({ storage, search: { index: storage.search(PATIENT), embedder } })
  onTestFinished(close)
  const ada = await signUp(app)
  const id = ada.account.active_profile_id
  const [path, other] = [await newMemory(ada, id), await newMemory(ada, id)]
  await remember(ada, path, 'A new vehicle', 'An orchestra plays')
  await remember(ada, other, 'Driving to Turin')
  await soon(async () => {
    const found = await ada.post(`${path}/search`, { query: 'car', mode: 'semantic', min_score: 0.9 })
    expect(found.statusCode, found.body).toBe(200)
    expect(contentsOf(found)).toEqual(['A new vehicle'])
  })
  const recalled = await ada.post(`${path}/recall`, { query: 'which car', token_budget: 100 })
  expect(contentsOf(recalled)).toEqual(['A new vehicle'])
})
