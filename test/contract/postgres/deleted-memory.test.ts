import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import { newMemory, remember } from '../../support/memory.ts'
import { openPooledStorage, type PooledStorage } from '../../support/pooled-storage.ts'
import { soon } from '../../support/wait.ts'

let opened: PooledStorage

beforeAll(async () => {
  if (!onPglite()) opened = await openPooledStorage()
})
afterAll(() => opened?.close())

it.skipIf(onPglite())('leaves nothing in the search index of the memory of agents for a deleted profile', async () => {
  const { pool, storage } = opened
  const { app, close } = await createTestApp({ storage, search: { index: storage.search() } })
  const ada = await signUp(app, 'ada')
  expect((await ada.post('/profiles', { profile_type: 'organization', username: 'acme' })).statusCode).toBe(200)
  const acme = await storage.read.profiles.get({ type: 'organization', username: 'acme' })
  const session = await newMemory(ada, acme?.id ?? expect.fail())
  await remember(ada, session, 'The vault opens with marmalade.')
  /** How many rows of the tables of the index have a word of the text. */
  const found = () =>
    Promise.all(
      ['search_documents', 'search_words'].map(async (table) => {
        const { rows } = await pool.query(`select from eep.${table} as found where found::text like '%marmalad%'`)
        return rows.length
      }),
    )
  await soon(async () => expect((await found()).every((count) => count > 0)).toBe(true))

  expect((await ada.delete('/profiles/o/acme')).statusCode).toBe(200)
  await soon(async () => expect(await found()).toEqual([0, 0]))
  await close()
})
