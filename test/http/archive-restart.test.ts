import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryBlobs } from '@eep/core/files'
import type { BlobStore } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestStorage } from '../support/app.ts'
import { downloaded, exported, imported, pathOf, sendArchive, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { ended } from '../support/media.ts'

let database: TestStorage
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

/** Blobs of which a put can be held open, as it is when its process dies. */
function heldBlobs(directory: string) {
  const blobs = directoryBlobs({ directory })
  const reached = Promise.withResolvers<void>()
  let skip = Number.POSITIVE_INFINITY
  const blobStore: BlobStore = {
    ...blobs,
    async put(key, body, options) {
      skip -= 1
      if (skip >= 0) return blobs.put(key, body, options)
      reached.resolve()
      body.destroy()
      return new Promise(() => {})
    },
  }
  return {
    blobStore,
    reached: reached.promise,
    /** Holds every put after so many. */
    holdAfter: (count: number) => {
      skip = count
    },
  }
}

const start = (directory: string, blobStore: BlobStore = directoryBlobs({ directory })) =>
  createTestApp({ storage: database.another(), files: { blobStore } })

describe('a job of archives that is interrupted', { timeout: 120_000 }, () => {
  it('exports everything again on another instance', async () => {
    const directory = join(tmpdir(), `eep-archives-${randomUUID()}`)
    const held = heldBlobs(directory)
    const first = await start(directory, held.blobStore)
    const ada = await signUp(first.app)
    await upload(first.app, [field('username', ada.account.username), fileOf('bytes')], ada.headers)
    held.holdAfter(0)
    const { id } = (await ada.post('/export', { profile_id: ada.account.active_profile_id })).json()
    await held.reached
    await first.close()

    const second = await start(directory)
    try {
      const job = await ended(second.app, ada.headers, id)
      expect(job).toMatchObject({ status: 'succeeded', error: null })
      const url = String(job.result?.url).replace('https://profiles.example', '')
      const members = await unzip((await client(second.app).get(url)).rawPayload)
      expect([...members.keys()].filter((path) => path.startsWith('files/'))).toHaveLength(1)
    } finally {
      await second.close()
    }
  })

  it('keeps the earlier export until the new one has an address', async () => {
    const directory = join(tmpdir(), `eep-archives-${randomUUID()}`)
    const storage = database.another()
    const refused = Promise.withResolvers<void>()
    let isFailing = false
    const failing = {
      ...storage,
      transaction: <Result>(work: Parameters<typeof storage.transaction<Result>>[0]): Promise<Result> =>
        storage.transaction<Result>((tx) => {
          const { jobs } = tx
          return work({
            ...tx,
            jobs: {
              ...jobs,
              async finish(...ending: Parameters<typeof jobs.finish>) {
                if (!isFailing) return jobs.finish(...ending)
                refused.resolve()
                throw new Error('The connection was lost')
              },
            },
          })
        }),
    }
    const test = await createTestApp({
      storage: failing,
      files: { blobStore: directoryBlobs({ directory }) },
    })
    try {
      const ada = await signUp(test.app)
      const subject = { profile_id: ada.account.active_profile_id }
      const path = pathOf(String((await exported(test.app, ada, subject)).result?.url))
      isFailing = true
      expect((await ada.post('/export', subject)).statusCode).toBe(202)
      await refused.promise
      expect((await client(test.app).get(path)).statusCode).toBe(200)
    } finally {
      await test.close()
    }
  })

  it('imports everything once on another instance', async () => {
    const directory = join(tmpdir(), `eep-archives-${randomUUID()}`)
    const held = heldBlobs(directory)
    const first = await start(directory, held.blobStore)
    const ada = await signUp(first.app)
    const made = await ada.post('/profiles', { profile_type: 'organization', username: 'interrupted' })
    expect(made.statusCode, made.body).toBe(200)
    const { id } = (await ada.get('/profiles/o/interrupted')).json()
    const named = [field('username', 'interrupted'), field('profile_type', 'organization')]
    await upload(first.app, [...named, fileOf('one', 'one.txt'), fileOf('two', 'two.txt')], ada.headers)
    await ada.post('/manage/pages', { profile_id: id, title: 'A page', body: 'Text.', status: 'published' })
    const bytes = await downloaded(first.app, ada, { profile_id: id })
    await ada.delete('/profiles/o/interrupted')
    // The archive and the first file are stored; the second file is not.
    held.holdAfter(2)
    const sent = await sendArchive(first.app, ada, [fileOf(bytes, 'export.zip')])
    expect(sent.statusCode, sent.body).toBe(202)
    await held.reached
    await first.close()

    const second = await start(directory)
    try {
      const job = await ended(second.app, ada.headers, sent.json().id)
      expect(job).toMatchObject({ status: 'succeeded', error: null, result: { counts: { files: 2, pages: 1 } } })
      const record = (await client(second.app).get('/o/interrupted?format=json')).json()
      expect(record.files.map(({ filename }: { filename: string }) => filename).sort()).toEqual(['one.txt', 'two.txt'])
      expect((await imported(second.app, ada, bytes)).error?.code).toBe('username_taken')
    } finally {
      await second.close()
    }
  })

  it('reports what was stored when the answer of the storage was lost', async () => {
    const directory = join(tmpdir(), `eep-archives-${randomUUID()}`)
    const storage = database.another()
    let isLost = false
    const lossy = {
      ...storage,
      async transaction<Result>(work: Parameters<typeof storage.transaction<Result>>[0]): Promise<Result> {
        let stored = false
        const result = await storage.transaction<Result>(async (tx) => {
          const before = tx.pageVersions.restore
          return work({
            ...tx,
            pageVersions: {
              ...tx.pageVersions,
              restore: (page) => {
                stored = true
                return before(page)
              },
            },
          })
        })
        if (!stored || isLost) return result
        isLost = true
        throw new Error('The connection was lost')
      },
    }
    const test = await createTestApp({
      storage: lossy,
      files: { blobStore: directoryBlobs({ directory }) },
    })
    try {
      const ada = await signUp(test.app)
      await ada.post('/profiles', { profile_type: 'event', username: 'lost' })
      const { id } = (await ada.get('/profiles/e/lost')).json()
      await upload(test.app, [field('username', 'lost'), fileOf('bytes')], ada.headers)
      await ada.post('/manage/pages', { profile_id: id, title: 'A page', body: 'Text.', status: 'published' })
      const bytes = await downloaded(test.app, ada, { profile_id: id })
      await ada.delete('/profiles/e/lost')
      const job = await imported(test.app, ada, bytes)
      expect(isLost).toBe(true)
      expect(job).toMatchObject({ status: 'succeeded', result: { profile: { username: 'lost' } } })
      const { files } = (await client(test.app).get('/e/lost?format=json')).json()
      expect((await client(test.app).get(new URL(files[0].url).pathname)).body).toBe('bytes')
    } finally {
      await test.close()
    }
  })
})
