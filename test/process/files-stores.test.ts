import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { s3Blobs } from '@eep/adapters-s3'
import { directoryBlobs } from '@eep/core/files'
import { type BlobStore, newBlobKey } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, newRegistration, signUp } from '../support/accounts.ts'
import { createMigratedDatabase, createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { field, fileOf, formOf, upload } from '../support/files.ts'
import { startHost } from '../support/host.ts'
import { startS3Server } from '../support/s3-server.ts'

/** A store of another process may take its time. */
const PATIENCE = { timeout: 60_000 }
const TWO_DAYS_MS = 2 * 86_400_000
/** More than a part of an upload in parts, which are 5 MiB. */
const LARGE = randomBytes(7_000_000)

const directory = join(tmpdir(), `eep-stored-${randomUUID()}`)
const server = await startS3Server()
if (typeof server === 'string') console.warn(server)
afterAll(async () => {
  if (typeof server !== 'string') await server.stop()
  await rm(directory, { recursive: true, force: true })
})

const bucketOf = ({ endpoint, region, credentials, bucket }: Exclude<typeof server, string>) =>
  s3Blobs({ endpoint, region, credentials, bucket, prefix: 'files/' })

const STORES: readonly (readonly [string, () => BlobStore])[] = [
  ['a directory', () => directoryBlobs({ directory })],
  ...(typeof server === 'string' ? [] : [[`a bucket (${server.name})`, () => bucketOf(server)] as const]),
]

describe.each(STORES)('files in %s', (_name, open) => {
  const store = open()
  /** The keys of the puts that began. */
  const put: string[] = []
  const blobs: BlobStore = {
    ...store,
    put(key, ...rest) {
      put.push(key)
      return store.put(key, ...rest)
    },
  }
  let now = new Date()
  let test: Awaited<ReturnType<typeof createTestApp>>
  let owner: Awaited<ReturnType<typeof signUp>>

  beforeAll(async () => {
    test = await createTestApp({
      files: { blobStore: blobs },
      clock: () => now,
      auth: { purgeIntervalMs: 100 },
      limits: { plans: { community: { maxFileMb: 10 } } },
    })
    owner = await signUp(test.app)
  })
  afterAll(() => test.close())

  const keys = async () => (await blobs.list({ limit: 1_000 })).blobs.map(({ key }) => key)
  const send = (...contents: (string | Buffer)[]) =>
    upload(
      test.app,
      [field('username', owner.account.username), ...contents.map((content) => fileOf(content))],
      owner.headers,
    )
  const get = (id: number, headers: Record<string, string> = {}) => client(test.app).get(`/files/${id}`, headers)

  it('stores, reads, reads ranges of, and deletes files', async () => {
    const small = Buffer.from('0123456789')
    const { files } = (await send(small, '', LARGE)).json()
    const [first, empty, large] = files.map(({ id }: { id: number }) => id)
    expect(await keys()).toHaveLength(3)

    expect((await get(first)).body).toBe('0123456789')
    expect((await get(empty)).rawPayload).toHaveLength(0)
    expect((await get(large)).rawPayload.equals(LARGE)).toBe(true)
    const middle = await get(large, { range: 'bytes=6000000-6000099' })
    expect([middle.statusCode, middle.headers['content-range']]).toEqual([206, 'bytes 6000000-6000099/7000000'])
    expect(middle.rawPayload.equals(LARGE.subarray(6_000_000, 6_000_100))).toBe(true)
    expect((await get(large, { range: 'bytes=-5' })).rawPayload.equals(LARGE.subarray(-5))).toBe(true)
    expect((await get(first, { range: 'bytes=10-' })).statusCode).toBe(416)
    expect((await get(empty, { range: 'bytes=0-' })).statusCode).toBe(416)

    for (const id of [first, empty, large]) {
      const gone = await owner.delete(`/files/${id}`)
      expect(gone.statusCode).toBe(200)
      expect((await get(id)).statusCode).toBe(404)
    }
    expect(await keys()).toEqual([])
  })

  it('stores nothing of refused and aborted uploads', async () => {
    expect(codeOf(await send(Buffer.alloc(10 * 1_048_576 + 1)))).toBe('file_too_large')
    expect(await keys()).toEqual([])

    await test.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = test.app.server.address() as AddressInfo
    const form = formOf([field('username', owner.account.username), fileOf(LARGE)])
    const headers = { ...form.headers, ...owner.headers }
    const request = httpRequest({ port, method: 'POST', path: '/files', headers })
    request.on('error', () => {})
    put.length = 0
    request.write(form.payload.subarray(0, 6_000_000))
    await expect.poll(() => put, PATIENCE).toHaveLength(1)
    request.destroy()
    await expect.poll(() => test.storage.read.files.listKnownKeys(put), PATIENCE).toEqual([])
    expect([await keys(), await blobs.sweep(new Date(Date.now() + TWO_DAYS_MS))]).toEqual([[], 0])
  })

  it('sweeps the blobs that a crash left, and no others', async () => {
    const kept = (await send('kept')).json()
    const [pending, orphan] = [newBlobKey(), newBlobKey()]
    await test.storage.transaction((tx) =>
      tx.files.createUpload({ key: pending, accountId: owner.account.id, createdAt: now }),
    )
    for (const key of [pending, orphan]) await blobs.put(key, Readable.from([Buffer.from('left over')]))
    expect(await keys()).toHaveLength(3)
    now = new Date(Date.now() + TWO_DAYS_MS)
    await expect.poll(keys, PATIENCE).toHaveLength(1)
    expect((await get(kept.id)).body).toBe('kept')
  })
})

describe.skipIf(typeof server === 'string')('the example host with the variables of a bucket', () => {
  it('keeps files in the bucket, and none in the data directory', { timeout: 300_000 }, async () => {
    if (typeof server === 'string') return
    const data = await mkdtemp(join(tmpdir(), 'eep-host-s3-'))
    const { endpoint, region, credentials, bucket } = server
    const database = onPglite() ? undefined : await createMigratedDatabase()
    const host = await startHost({
      // A database that is there starts sooner than an embedded one.
      ...(database && { DATABASE_URL: database.connectionString }),
      EEP_DATA_DIR: data,
      EEP_GATEWAY_PORT: '0',
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })
    const json = { 'content-type': 'application/json' }
    const body = newRegistration(`bucket-${randomUUID().slice(0, 8)}`)
    const registered = await fetch(`${host.url}/auth/register`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    })
    const { token } = (await registered.json()) as { token: string }
    const form = new FormData()
    form.append('username', body.username)
    form.append('file', new Blob(['0123456789']), 'notes.txt')
    const blobs = bucketOf(server)
    const before = (await blobs.list({ limit: 1_000 })).blobs.length
    const sent = await fetch(`${host.url}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    const { id } = (await sent.json()) as { id: number }
    expect((await blobs.list({ limit: 1_000 })).blobs).toHaveLength(before + 1)
    const part = await fetch(`${host.url}/files/${id}`, { headers: { range: 'bytes=4-' } })
    expect([part.status, await part.text()]).toEqual([206, '456789'])
    await expect(access(join(data, 'files'))).rejects.toThrow('ENOENT')
    await host.stop()
    await database?.drop()
    await rm(data, { recursive: true, force: true })
  })
})
