import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStorage } from '@eep/adapters-postgres'
import { directoryBlobs } from '@eep/core/files'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { field, fileOf, upload } from '../../support/files.ts'

const TWO_DAYS_MS = 2 * 86_400_000
/** A machine that does much else takes its time. */
const PATIENCE = { timeout: 60_000 }
const EACH = 50
const ROUNDS = 3

type Person = Awaited<ReturnType<typeof signUp>>

/** The answer about a file: stored or deleted. */
interface Told {
  readonly owner: Person
  readonly bytes: Buffer
  gone: 'no' | 'asked' | 'yes'
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe.skipIf(onPglite())('a host that is killed while files come and go', () => {
  const directory = join(tmpdir(), `eep-killed-${randomUUID()}`)
  const blobs = directoryBlobs({ directory })
  const told = new Map<number, Told>()
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let people: Person[]
  /** What kills left behind, in all rounds. */
  let left = 0

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    const storage = postgresStorage({ pool })
    const setup = await createTestApp({ storage, files: { blobStore: blobs } })
    people = await Promise.all(Array.from({ length: 5 }, () => signUp(setup.app)))
    for (const owner of people) {
      const contents = Array.from({ length: 5 }, () => randomBytes(5_000))
      const parts = contents.map((bytes) => fileOf(bytes, 'old.bin'))
      const form = [field('username', owner.account.username), ...parts]
      for (let time = 0; time < EACH / 25; time++) {
        const { files } = (await upload(setup.app, form, owner.headers)).json()
        for (const [index, bytes] of contents.entries()) told.set(files[index].id, { owner, bytes, gone: 'no' })
      }
    }
    await setup.close()
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
    await rm(directory, { recursive: true, force: true })
  })

  async function send(url: string, owner: Person) {
    const bytes = randomBytes(randomInt(1, 300_000))
    const body = new FormData()
    body.append('username', owner.account.username)
    body.append('file', new Blob([bytes]), 'new.bin')
    const response = await fetch(`${url}/files`, { method: 'POST', headers: owner.headers, body })
    expect(response.status).toBe(200)
    const { id } = (await response.json()) as { id: number }
    told.set(id, { owner, bytes, gone: 'no' })
  }

  async function remove(url: string, id: number, file: Told) {
    file.gone = 'asked'
    const response = await fetch(`${url}/files/${id}`, { method: 'DELETE', headers: file.owner.headers })
    expect(response.status).toBe(200)
    file.gone = 'yes'
  }

  /** The keys that rows have and the keys that bytes have, and what is under way or forgotten. */
  async function books() {
    const { rows } = await pool.query<{ key: string; state: string }>('select key, state from eep.files order by key')
    const dropped = await pool.query('select from eep.dropped_blobs')
    const page = await blobs.list({ limit: 1_000 })
    return {
      rows: rows.filter(({ state }) => state === 'stored').map(({ key }) => key),
      blobs: page.blobs.map(({ key }) => key).sort(),
      pending: rows.filter(({ state }) => state === 'pending').length,
      dropped: dropped.rowCount ?? 0,
      unfinished: (await readdir(join(directory, 'unfinished'))).length,
    }
  }

  /** Fifty concurrent uploads and fifty concurrent deletes. The host is killed when the given number of them is answered. */
  async function killAfter(answers: number) {
    const host = await startCrashHost({ DATABASE_URL: database.connectionString, BLOBS: directory })
    const old = [...told].filter(([, { gone }]) => gone === 'no').slice(0, EACH)
    const work = Array.from({ length: EACH }, (_, index) => [
      () => send(host.url, people[index % people.length] as Person),
      () => (old[index] ? remove(host.url, ...old[index]) : Promise.resolve()),
    ]).flat()
    let answered = 0
    await Promise.allSettled(
      work.map(async (each) => {
        await each()
        answered += 1
        if (answered === answers) await host.kill()
      }),
    )
    await host.kill()
    return answered
  }

  it.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
    'matches its blob store after the sweep, and lost no confirmed file: round %i',
    { timeout: 300_000 },
    async () => {
      const answers = randomInt(5, 80)
      const answered = await killAfter(answers)
      expect(answered).toBeGreaterThanOrEqual(answers)
      const { pending, dropped, unfinished } = await books()
      left += pending + dropped + unfinished

      const clock = () => new Date(Date.now() + TWO_DAYS_MS)
      const next = await createTestApp({
        storage: postgresStorage({ pool }),
        files: { blobStore: blobs },
        clock,
        auth: { purgeIntervalMs: 100 },
      })
      const clean = { pending: 0, dropped: 0, unfinished: 0 }
      await expect.poll(books, { ...PATIENCE, message: `killed after ${answers}` }).toMatchObject(clean)
      await expect.poll(async () => (await books()).blobs, PATIENCE).toEqual((await books()).rows)

      // Sessions have ended in two days, so what is read is public.
      const kept = await pool.query<{ id: string; sha256: string }>('select id, sha256 from eep.files')
      for (const { id, sha256: digest } of kept.rows) {
        const { statusCode, rawPayload } = await client(next.app).get(`/files/${id}`)
        expect([statusCode, sha256(rawPayload)]).toEqual([200, digest])
      }
      for (const [id, { bytes, gone }] of told) {
        const { statusCode, rawPayload } = await client(next.app).get(`/files/${id}`)
        if (gone === 'no') expect([statusCode, rawPayload.equals(bytes)]).toEqual([200, true])
        else if (gone === 'yes') expect(statusCode).toBe(404)
        else if (statusCode === 404) told.delete(id)
        else expect([statusCode, rawPayload.equals(bytes)]).toEqual([200, true])
      }
      await next.close()
    },
  )

  it('was killed during an operation', () => {
    expect(left).toBeGreaterThan(0)
  })
})
