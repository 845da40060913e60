import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { directoryBlobs } from '@eep/core/files'
import { type BlobStore, type DocumentConverter, storageError } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { untilJob, type WireJob } from '../support/jobs.ts'

/** Texts that are held until they are let go, and texts that warn of much. */
const release = new Set<() => void>()
const converter: DocumentConverter = {
  version: 'test-1',
  reads: ({ contentType }) => contentType.startsWith('text/'),
  async convert({ filename }, body, { signal }) {
    const content = await text(body)
    signal.throwIfAborted()
    if (content.startsWith('slow')) {
      await new Promise<void>((resolve) => {
        release.add(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      signal.throwIfAborted()
    }
    const warnings = content.startsWith('odd') ? Array.from({ length: 1_000 }, () => 'x'.repeat(10_000)) : []
    return { markdown: `${filename}: ${content}`, warnings }
  },
}

const directory = join(tmpdir(), `eep-files-${randomUUID()}`)
const bytes = directoryBlobs({ directory })
let failures = 0
const blobs: BlobStore = {
  ...bytes,
  async get(key, range) {
    if (failures > 0) {
      failures -= 1
      throw storageError()
    }
    return bytes.get(key, range)
  },
}

let test: Awaited<ReturnType<typeof createTestApp>>
let alice: Person
let bob: Person
beforeAll(async () => {
  test = await createTestApp({ files: { blobStore: blobs }, textExtraction: { converter, waitMs: 300 } })
  alice = await signUp(test.app)
  bob = await signUp(test.app)
})
afterAll(async () => {
  for (const end of release) end()
  await test.close()
  await rm(directory, { recursive: true, force: true })
})

async function newFile(as: Person, content: string, name = 'notes.txt') {
  const sent = await upload(test.app, [field('username', as.account.username), fileOf(content, name)], as.headers)
  if (sent.statusCode !== 200) throw new Error(sent.body)
  return sent.json<{ id: number }>().id
}
const read = (id: number, query = '') => client(test.app).get(`/files/${id}/markdown${query}`)
/** Reads a text when it is there. */
async function readText(id: number, query?: string) {
  for (;;) {
    const answer = await read(id, query)
    if (answer.statusCode !== 503) return answer
  }
}
const convert = async (as: Person, file_id: number) => (await as.post('/convert', { file_id })).json<WireJob>().id

describe('the text of a document', () => {
  it('reads a document by the type of its file, not by the type of another file with the same bytes', async () => {
    const content = `a,b\n1,${randomUUID()}\n`
    const [foreign, own] = [await newFile(bob, content, 'x.txt'), await newFile(alice, content, 'x.csv')]
    expect((await readText(foreign)).body).toBe(`x.txt: ${content}`)
    expect((await readText(own)).body).toBe(`x.csv: ${content}`)
    expect((await readText(foreign)).body).toBe(`x.txt: ${content}`)
  })

  it('limits the number of warnings about a document', async () => {
    const id = await newFile(alice, `odd ${randomUUID()}`)
    const { warnings } = (await readText(id, '?to=json')).json()
    expect([warnings.length, warnings[0].length]).toEqual([20, 300])
    const job = await untilJob(test.app, await convert(alice, id), alice)
    expect(JSON.stringify(job).length).toBeLessThan(7_000)
  })

  it('retries a text after a temporary failure of the blob store', async () => {
    const id = await newFile(alice, `hello ${randomUUID()}`)
    failures = 1
    const job = await untilJob(test.app, await convert(alice, id), alice)
    expect([job.status, job.error]).toEqual(['succeeded', null])
  })

  it('queues a text after texts of the same owner only', async () => {
    const slow = await Promise.all(Array.from({ length: 6 }, () => newFile(bob, `slow ${randomUUID()}`)))
    const answers = await Promise.all(slow.map((id) => read(id)))
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['conversion_pending']))
    // One of them is being read; of the others those that came first wait for it.
    await expect.poll(() => release.size).toBe(1)
    const quick = await newFile(alice, `quick ${randomUUID()}`)
    expect((await readText(quick)).statusCode).toBe(200)
    expect(release.size).toBe(1)
  })

  it('limits the number of pending background conversions', async () => {
    const carol = await signUp(test.app)
    const id = await newFile(carol, `slow ${randomUUID()}`)
    const ask = () => carol.post('/convert', { file_id: id })
    let answer = await ask()
    let asked = 0
    for (; answer.statusCode === 202 && asked < 30; asked += 1) answer = await ask()
    expect([answer.statusCode, codeOf(answer), answer.headers['retry-after']]).toEqual([429, 'too_many_jobs', '60'])
    // Running conversions no longer wait, so more may have been accepted.
    expect(asked).toBeGreaterThanOrEqual(20)
    expect(answer.json().error.details).toEqual({ waiting: 20, max_waiting: 20 })
    const other = await newFile(alice, `quick ${randomUUID()}`)
    expect((await alice.post('/convert', { file_id: other })).statusCode).toBe(202)
  })
})
