import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryBlobs } from '@eep/core/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestStorage } from '../support/app.ts'
import { downloaded, imported, jsonOf, type Members, resigned, sendArchive, unzip, zip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { fileOf } from '../support/files.ts'
import { ended } from '../support/media.ts'

const keys = generateKeyPairSync('ed25519')
const text = (value: unknown) => JSON.stringify(value)
const POSTS = 450
const CATEGORIES = 120

const posts = Array.from({ length: POSTS }, (_, index) => ({
  id: index + 1,
  body: `Post ${index} #many`,
  reply_to: index === 0 ? null : index,
  attachments: [],
  created_at: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
}))
const categories = Array.from({ length: CATEGORIES }, (_, index) => ({
  id: index + 1,
  parent_id: null,
  name: `Category ${index}`,
  slug: `category-${index}`,
  description: null,
  icon: null,
  visibility: 'public',
  position: index,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}))

const directory = join(tmpdir(), `eep-import-steps-${randomUUID()}`)
let database: TestStorage
let members: Members
beforeAll(async () => {
  database = await openStorage()
  const from = await createTestApp()
  const ada = await signUp(from.app, 'ada')
  members = await unzip(await downloaded(from.app, ada, { profile_id: ada.account.active_profile_id }))
  await from.close()
})
afterAll(() => database.close())

/** An archive of an organization with many posts and categories. */
const archive = (username: string): Promise<Buffer> => {
  const profile = { ...jsonOf(members, 'profile.json'), username, profile_type: 'organization', type_data: {} }
  const changes = {
    'profile.json': text(profile),
    'feed.json': text(posts),
    'content/_categories.json': text(categories),
  }
  return zip(resigned(members, changes, keys))
}

interface Steps {
  /** Runs before posts are stored, with the number of the transaction that stores some, from 1. */
  readonly within?: (turn: number) => unknown
  /** Runs after such a transaction has committed. */
  readonly after?: (turn: number) => unknown
}

async function start({ within, after }: Steps = {}) {
  const storage = database.another()
  const rows: number[] = []
  let turn = 0
  const counting = {
    ...storage,
    async transaction<Result>(work: Parameters<typeof storage.transaction<Result>>[0]): Promise<Result> {
      let hasPosts = false
      const result = await storage.transaction<Result>(async (tx) => {
        let stored = 0
        const { feed, categories } = tx
        const result = await work({
          ...tx,
          feed: {
            ...feed,
            async insertAll(all, author) {
              stored += all.length
              turn += 1
              hasPosts = true
              await within?.(turn)
              return feed.insertAll(all, author)
            },
          },
          categories: {
            ...categories,
            insert(category) {
              stored += 1
              return categories.insert(category)
            },
          },
        })
        rows.push(stored)
        return result
      })
      if (hasPosts) await after?.(turn)
      return result
    },
  }
  const files = { blobStore: directoryBlobs({ directory }) }
  return { ...(await createTestApp({ storage: counting, files, ...OPEN_FEED })), rows }
}

const statusOf = async (person: Person, username: string) => [
  (await person.get(`/profiles/o/${username}`)).statusCode,
  (await person.get(`/feed/o/${username}?format=json`)).statusCode,
  text((await person.get('/dashboard/profiles')).json()).includes(username),
]

describe('an import', { timeout: 120_000 }, () => {
  it('stores at most 200 rows in a transaction, and shows nothing before all are stored', async () => {
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const service = await start({
      async after(turn) {
        if (turn !== 2) return
        reached.resolve()
        await go.promise
      },
    })
    try {
      const eve = await signUp(service.app)
      const sent = await sendArchive(service.app, eve, [fileOf(await archive('in-steps'), 'export.zip')])
      await reached.promise
      for (const person of [eve, await signUp(service.app)]) {
        expect(await statusOf(person, 'in-steps')).toEqual([404, 404, false])
      }
      go.resolve()
      const job = await ended(service.app, eve.headers, sent.json().id)
      expect(job).toMatchObject({ status: 'succeeded', result: { counts: { posts: POSTS, categories: CATEGORIES } } })
      expect(await statusOf(eve, 'in-steps')).toEqual([200, 200, true])
      expect(Math.max(...service.rows)).toBe(200)
      const newest = (await client(service.app).get('/feed/o/in-steps?format=json&limit=1')).json().data[0]
      expect(newest).toMatchObject({ body: `Post ${POSTS - 1} #many` })
      expect((await client(service.app).get(`/feed/posts/${newest.reply_to}?format=json`)).json()).toMatchObject({
        body: `Post ${POSTS - 2} #many`,
      })
    } finally {
      go.resolve()
      await service.close()
    }
  })

  it('deletes what it has stored when a later step fails, and frees the name', async () => {
    let isFailing = true
    const service = await start({
      within(turn) {
        if (isFailing && turn >= 2) throw new Error('The disk is full')
      },
    })
    try {
      const eve = await signUp(service.app)
      const bytes = await archive('half-way')
      expect(await imported(service.app, eve, bytes)).toMatchObject({ status: 'failed', error: { code: 'job_failed' } })
      expect(await statusOf(eve, 'half-way')).toEqual([404, 404, false])
      expect((await eve.get('/manage/limits')).json().usage).toMatchObject({ profiles: 1, pages: 0 })
      isFailing = false
      expect(await imported(service.app, eve, bytes)).toMatchObject({ status: 'succeeded', error: null })
    } finally {
      await service.close()
    }
  })

  it('imports everything once after its process ended in the middle', async () => {
    const reached = Promise.withResolvers<void>()
    const first = await start({
      after(turn) {
        if (turn !== 2) return
        reached.resolve()
        // As it is when the process dies.
        return new Promise(() => {})
      },
    })
    const eve = await signUp(first.app)
    const sent = await sendArchive(first.app, eve, [fileOf(await archive('interrupted-steps'), 'export.zip')])
    await reached.promise
    await first.close()
    const second = await start()
    try {
      const job = await ended(second.app, eve.headers, sent.json().id)
      expect(job).toMatchObject({ status: 'succeeded', error: null, result: { counts: { posts: POSTS } } })
      const record = (await client(second.app).get('/feed/o/interrupted-steps?format=json')).json()
      expect(record.pagination.total).toBe(POSTS)
    } finally {
      await second.close()
    }
  })
})
