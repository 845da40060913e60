import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryBlobs } from '@eep/core/files'
import { afterAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openInstances } from '../support/instances.ts'
import { openUploads } from '../support/uploads.ts'

const MEGABYTE = 1_048_576
const MP3 = Buffer.from('fffb9064', 'hex')
const MP4 = Buffer.from('0000001c667479706d703432000000006d7034326d70343169736f6d', 'hex')
const sized = (head: Buffer, megabytes: number) =>
  Buffer.concat([head, Buffer.alloc(megabytes * MEGABYTE - head.length)])

describe('size limits of files', async () => {
  const limits = { maxAudioUploadMb: 2, maxVideoUploadMb: 3, maxBatchSizeMb: 2 }
  const { send, left } = await openUploads({ limits: { plans: { community: { maxFileMb: 1, limits } } } })

  it.each<[string, Buffer, string, number, number]>([
    ['sound', MP3, 'song.mp3', 2, 2],
    ['a film', MP4, 'film.mp4', 3, 3],
    ['anything else', Buffer.from([0, 1]), 'x.bin', 1, 1],
    ['a text with the type of a film', Buffer.from('a text'), 'film.txt', 1, 1],
  ])('limits the size by the type of the content: %s', async (_, head, filename, megabytes, most) => {
    const part = (size: number) => fileOf(sized(head, size), filename)
    expect((await send(part(megabytes))).statusCode).toBe(200)
    const before = await left()
    const over = await send({ ...part(megabytes), content: Buffer.concat([sized(head, megabytes), Buffer.from('x')]) })
    expect([over.statusCode, codeOf(over)]).toEqual([413, 'file_too_large'])
    expect(over.json().error.details).toEqual({ max_mb: most })
    expect(await left()).toEqual(before)
  })

  it('ignores the file name for the size limit', async () => {
    expect(codeOf(await send(fileOf(sized(Buffer.from('a text'), 2), 'song.mp3')))).toBe('file_type_mismatch')
  })

  it('limits the total size of an upload separately', async () => {
    const film = fileOf(sized(MP4, 2), 'film.mp4')
    expect(codeOf(await send(film, fileOf('one more')))).toBe('batch_too_large')
  })
})

describe('two instances', async () => {
  const directory = join(tmpdir(), `eep-quota-${randomUUID()}`)
  const blobs = directoryBlobs({ directory })
  const options = {
    files: { blobStore: blobs },
    limits: { plans: { community: { limits: { maxStorageMb: 1, maxFiles: 20 } } } },
  }
  const { database, instance } = await openInstances(options)
  const [one, other] = [await instance(), await instance({ storage: database.another() })]
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it.each([
    ['bytes', 300_000, 3],
    ['files', 10, 20],
  ])('accept together only as many %s as the plan of the owner allows', async (_, size, most) => {
    const { headers, account } = await signUp(one)
    const parts = [field('username', account.username), fileOf(Buffer.alloc(size, 'x'))]
    const answers = await Promise.all(
      Array.from({ length: most + 8 }, (_unused, index) => upload(index % 2 ? one : other, parts, headers)),
    )
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    expect([answers.length - refused.length, new Set(refused.map(codeOf))]).toEqual([
      most,
      new Set(['file_quota_reached']),
    ])
    const { usage } = (await client(other).get('/manage/limits', headers)).json()
    expect(usage.files).toBe(most)
  })

  it('keep the bytes of accepted files only', async () => {
    const { blobs: kept } = await blobs.list({ limit: 100 })
    expect(kept).toHaveLength(23)
  })
})
