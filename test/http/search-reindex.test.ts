import type { SearchIndex } from '@eep/core/ports'
import { cashRail, newPage } from '@eep/core/testing'
import { afterAll, expect, it } from 'vitest'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { PATIENT } from '../support/patient-search.ts'
import { pathsOf, type Results } from '../support/search.ts'
import { shopGate } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

const database = await openStorage()
afterAll(() => database.close())

/** More than a profile has that is indexed again immediately. */
const PAGES = 130
const WORD = 'quillwort'
const CHANGES = 50
const GATE = '/eep/gates/did:web:profiles.example:u:ada'

const options = { storage: database.storage, payments: { rails: [cashRail()] } }

/** An index that counts the documents that are put into it. */
function countingIndex() {
  const index = database.storage.search(PATIENT)
  const counted = { documents: 0 }
  const counting: SearchIndex = {
    ...index,
    put(documents) {
      counted.documents += documents.length
      return index.put(documents)
    },
  }
  return { counting, counted }
}

/** The documents that the index itself finds, whether or not they are shown. */
const indexed = async (word: string) =>
  (
    await database.storage.search(PATIENT).query({
      all: [[{ text: word, isPhrase: false, isPrefix: false }]],
      none: [],
      filter: {},
      restrictedKeys: [],
      limit: 200,
    })
  ).hits.length

const closedGate = () => {
  const { tiers, ...gate } = shopGate()
  return { ...gate, tiers: { ...tiers, reader: { ...tiers.reader, access: ['content.*'] } } }
}
const openGate = (amount: number) => {
  const { tiers, ...gate } = shopGate({ amount })
  return { ...gate, tiers: { ...tiers, reader: { ...tiers.reader, access: ['content.nothing'] } } }
}

async function setVisibility(writer: Writer, visibility: string) {
  expect((await writer.put('/profiles/u/ada', { visibility })).statusCode).toBe(200)
}
async function setGate(writer: Writer, gate: object) {
  const { statusCode, body } = await writer.put(GATE, gate)
  expect(statusCode, body).toBe(200)
}

it('indexes a large profile a few times for many changes of its gate and visibility, and ends right after a restart', async () => {
  const { counting, counted } = countingIndex()
  const first = await createTestApp({ ...options, search: { index: counting } })
  const writer = await createWriter(first.app, 'ada')
  await setVisibility(writer, 'private')
  const { active_profile_id: profileId, id: accountId } = writer.account
  await database.storage.transaction(async ({ pages }) => {
    for (let page = 0; page < PAGES; page += 1) {
      await pages.insert(newPage(profileId, accountId, { slug: `page-${page}`, body: `The ${WORD} ${page}` }))
    }
  })
  await setVisibility(writer, 'public')
  await soon(async () => expect(await indexed(WORD)).toBe(PAGES))
  counted.documents = 0

  for (let change = 0; change < CHANGES; change += 1) {
    await setGate(writer, change % 2 === 0 ? closedGate() : openGate(change + 1))
    await setVisibility(writer, change % 2 === 0 ? 'private' : 'public')
    if (change % 10 === 0) expect(await pathsOf(first.app, WORD), 'a private profile').toEqual([])
  }
  await setGate(writer, closedGate())
  expect((await pathsOf(first.app, WORD)).length, 'its pages are gated').toBe(0)
  // Each run is at most two documents for a page, and only as many periods of rest have passed as a busy machine needs.
  expect(counted.documents).toBeLessThan(10 * 2 * PAGES)
  await first.close()

  // The period of rest has not ended: the next process has to finish what the first one has begun.
  const next = await createTestApp({ ...options, search: { index: database.storage.search(PATIENT) } })
  try {
    await soon(async () => expect([await indexed('engine'), await indexed(WORD)]).toEqual([PAGES, 0]))
    const url = '/search?q=engine&scope=pages&limit=50&format=json'
    const { data }: Results = (await client(next.app).get(url)).json()
    expect(data.map(({ gated }) => gated)).toEqual(data.map(() => true))
    expect(data.length).toBeGreaterThan(0)
  } finally {
    await next.close()
  }
})

it('does not index the pages of a profile when only a price of its gate changes', async () => {
  const { counting, counted } = countingIndex()
  const { app, close } = await createTestApp({ ...options, search: { index: counting } })
  try {
    const writer = await createWriter(app, 'bea')
    const gate = '/eep/gates/did:web:profiles.example:u:bea'
    await writer.newPage({ title: 'Bladderfern' })
    expect((await writer.put(gate, shopGate({ amount: 1 }))).statusCode).toBe(200)
    expect(await pathsOf(app, 'bladderfern')).toHaveLength(1)
    counted.documents = 0
    expect((await writer.put(gate, shopGate({ amount: 2 }))).statusCode).toBe(200)
    expect(await pathsOf(app, 'bladderfern')).toHaveLength(1)
    expect(counted.documents).toBe(0)
  } finally {
    await close()
  }
})
