import type { EventReader } from '@eep/core/ports'
import { afterAll, expect, it, vi } from 'vitest'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { PATIENT } from '../support/patient-search.ts'
import { pathsOf, searchUrl } from '../support/search.ts'

const database = await openStorage()
afterAll(() => database.close())

it('answers a search with consistency=strong in an empty log without waiting for the index', async () => {
  const index = database.storage.search(PATIENT)
  const position = vi.fn(index.position)
  const { app, close } = await createTestApp({ storage: database.storage, search: { index: { ...index, position } } })
  position.mockClear()
  const response = await client(app).get(searchUrl('quillwort'), { accept: 'application/json' })
  expect([response.statusCode, response.json().data]).toEqual([200, []])
  // One for the wait, and one for the lag, which determines whether the number of hits can be shown.
  expect(position.mock.calls.length).toBeLessThanOrEqual(2)
  await close()
})

it('answers a search with consistency=strong while the log does not answer', async () => {
  const { storage } = database
  let hold: Promise<void> | undefined
  let release = () => {}
  const list: EventReader['list'] = async (query) => {
    await hold
    return storage.read.events.list(query)
  }
  const { app, close } = await createTestApp({
    storage: { ...storage, read: { ...storage.read, events: { ...storage.read.events, list } } },
    search: { index: storage.search(PATIENT) },
  })
  const writer = await createWriter(app)
  const page = await writer.newPage({ title: 'Quillwort' })
  expect(await pathsOf(app, 'quillwort')).toEqual([page.path])
  hold = new Promise((resolve) => {
    release = resolve
  })
  try {
    const response = await client(app).get(searchUrl('quillwort'), { accept: 'application/json' })
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject([{ path: page.path }])
  } finally {
    release()
    await close()
  }
})
