import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { directoryBlobs } from '@eep/core/files'
import { newBlobKey } from '@eep/core/ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'

const DAY_MS = 86_400_000
const directory = join(tmpdir(), `eep-swept-${randomUUID()}`)
const blobs = directoryBlobs({ directory })
let now = new Date()
let first: Awaited<ReturnType<typeof createTestApp>>
let second: typeof first

beforeAll(async () => {
  const options = { files: { blobStore: blobs }, clock: () => now, auth: { purgeIntervalMs: 100 } }
  first = await createTestApp(options)
  // Two instances sweep the same store.
  second = await createTestApp({ ...options, storage: first.storage })
})
afterAll(async () => {
  await second.close()
  await first.close()
  await rm(directory, { recursive: true, force: true })
})

const keys = async () => (await blobs.list({ limit: 1_000 })).blobs.map(({ key }) => key)
const put = async (key: string) => blobs.put(key, Readable.from([Buffer.from('left over')]))

it('deletes the bytes of a deleted profile', async () => {
  const { headers, account } = await signUp(first.app)
  const before = (await keys()).length
  await upload(first.app, [field('username', account.username), fileOf('a'), fileOf('b')], headers)
  expect(await keys()).toHaveLength(before + 2)
  await client(first.app).delete(`/profiles/u/${account.username}`, headers)
  await expect.poll(keys).toHaveLength(before)
})

it('deletes only the blobs that a crash left without a row, once no upload of them can be running', async () => {
  const { headers, account } = await signUp(first.app)
  const kept = (await upload(first.app, [field('username', account.username), fileOf('kept')], headers)).json()
  const [keptKey = ''] = await keys()
  const [pending, orphan] = [newBlobKey(), newBlobKey()]
  await first.storage.transaction((tx) =>
    tx.files.createUpload({ key: pending, accountId: account.id, createdAt: now }),
  )
  await Promise.all([put(pending), put(orphan)])
  expect(await keys()).toHaveLength(3)
  // A file of which the row and not the blob is gone is removed without waiting.
  const gone = (await upload(first.app, [field('username', account.username), fileOf('gone')], headers)).json()
  await client(first.app).put(`/profiles/u/${account.username}`, { files_to_delete: [gone.id] }, headers)
  await expect.poll(keys).toHaveLength(3)
  expect(await keys()).toEqual(expect.arrayContaining([pending, orphan]))

  // Sizes of images belong to the blob of the image.
  await Promise.all([put(`${keptKey}_small`), put(`${orphan}_large`)])
  // From now on a sweep would also take the unfinished bytes of a running upload, which carry the time of the disk.
  now = new Date(Date.now() + 2 * DAY_MS)
  await expect.poll(async () => (await keys()).toSorted()).toEqual([keptKey, `${keptKey}_small`])
  expect(await first.storage.read.files.listKnownKeys([pending, orphan])).toEqual([])
  expect((await client(first.app).get(`/files/${kept.id}`)).body).toBe('kept')
})
