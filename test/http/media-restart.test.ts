import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresStorage } from '@eep/adapters-postgres'
import { directoryBlobs } from '@eep/core/files'
import { afterAll, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { openInstances } from '../support/instances.ts'
import { createTranscriber, ended, ingest, newRecording } from '../support/media.ts'

const directory = join(tmpdir(), `eep-media-${randomUUID()}`)
const blobs = directoryBlobs({ directory })
const { database, instance } = await openInstances({ files: { blobStore: blobs } })
afterAll(() => rm(directory, { recursive: true, force: true }))

/** The same storage, in which the end of the first job cannot be stored. */
function forgetful(storage: PostgresStorage) {
  let forgot = 0
  const transaction: PostgresStorage['transaction'] = (work) =>
    storage.transaction((tx) => {
      const finish: typeof tx.jobs.finish = async (...end) => {
        if (forgot > 0) return tx.jobs.finish(...end)
        forgot += 1
        throw new Error('the process died here')
      }
      return work({ ...tx, jobs: { ...tx.jobs, finish } })
    })
  return { storage: { ...storage, transaction } satisfies PostgresStorage, forgot: () => forgot }
}

it('transcribes what an instance left in the middle, and bills it once', async () => {
  const [first, second] = [createTranscriber(), createTranscriber()]
  const held = first.hold()
  const leaving = await createTestApp({
    storage: database.storage,
    files: { blobStore: blobs },
    media: { transcriber: first },
  })
  const { headers, account } = await signUp(leaving.app)
  const fileId = await newRecording(leaving.app, headers, account.username)
  const { id } = (await ingest(leaving.app, headers, fileId)).json()
  await held.started
  const other = await createTestApp({
    storage: database.storage,
    files: { blobStore: blobs },
    media: { transcriber: second },
  })
  const { app } = other
  expect(await app.eep.media.minutesUsed(account.id)).toEqual({ used: 0, reserved: 2 })
  await leaving.close()
  expect((await ended(app, headers, id)).status).toBe('succeeded')
  expect([first.calls(), second.calls()]).toEqual([1, 1])
  expect(await app.eep.media.minutesUsed(account.id)).toEqual({ used: 2, reserved: 0 })
  await other.close()
})

it('settles once when a process dies between the transcript and the end of the job', async () => {
  const transcriber = createTranscriber()
  const { storage, forgot } = forgetful(database.storage)
  const app = await instance({ storage, media: { transcriber } })
  const { headers, account } = await signUp(app)
  const fileId = await newRecording(app, headers, account.username)
  const { id } = (await ingest(app, headers, fileId)).json()
  const job = await ended(app, headers, id)
  expect([job.status, job.result?.minutes, forgot(), transcriber.calls()]).toEqual(['succeeded', 2, 1, 1])
  expect(await app.eep.media.minutesUsed(account.id)).toEqual({ used: 2, reserved: 0 })
})
