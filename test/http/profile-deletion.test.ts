import type { Stores } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, newName, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

const POSTS = 450

let database: Awaited<ReturnType<typeof openStorage>>
let app: TestApp
let close: () => Promise<void>
let ada: Person

beforeAll(async () => {
  database = await openStorage()
  const made = await createTestApp({ storage: database.storage })
  app = made.app
  close = made.close
  ada = await signUp(app)
})
afterAll(async () => {
  await close()
  await database.close()
})

const writing = <Result>(work: (tx: Stores<'feed' | 'hiddenProfiles'>) => Promise<Result>) =>
  database.storage.transaction(work)

/** Gives a profile more posts than are deleted in one transaction. */
async function writePosts(profileId: number, { account }: Person, name: string): Promise<void> {
  const post = { profileId, accountId: account.id, hashtags: [], mentions: [], replyTo: null, attachments: [] }
  await writing(async (tx) => {
    for (let made = 0; made < POSTS; made += 1) {
      await tx.feed.insert({ ...post, body: `Post ${made} of ${name}`, createdAt: new Date() })
    }
  })
}

/** An organization with more posts than are deleted in one transaction. */
async function newLargeProfile() {
  const username = newName()
  const made = await client(app).post('/profiles', { profile_type: 'organization', username }, ada.headers)
  expect(made.statusCode).toBe(200)
  const id = (await database.storage.read.profiles.get({ type: 'organization', username }))?.id ?? expect.fail()
  await writePosts(id, ada, username)
  return { id, username, url: `/o/${username}`, post: (await newestPost(username)) ?? expect.fail() }
}
const newestPost = async (username: string): Promise<number | undefined> =>
  (await client(app).get(`/feed/o/${username}?format=json`, ada.headers)).json().data?.[0]?.id

describe('the deletion of a profile with many records', () => {
  it('hides the profile and its posts immediately, from its owner too', async () => {
    const { username, url, post } = await newLargeProfile()
    expect((await client(app).get(url)).statusCode).toBe(200)
    expect((await client(app).delete(`/profiles${url}`, ada.headers)).statusCode).toBe(200)
    for (const headers of [{}, ada.headers]) {
      expect([
        codeOf(await client(app).get(url, headers)),
        codeOf(await client(app).get(`/feed/posts/${post}`, headers)),
      ]).toEqual(['profile_deleted', 'post_not_found'])
    }
    const { data } = (await client(app).get('/feed?limit=50&format=json')).json()
    expect(data.filter((each: { body: string }) => each.body.endsWith(username))).toEqual([])
    expect((await client(app).get('/dashboard/profiles', ada.headers)).body).not.toContain(username)
  })

  it('lets its owner use the name again before everything is deleted', async () => {
    const { username, url } = await newLargeProfile()
    await client(app).delete(`/profiles${url}`, ada.headers)
    const again = await client(app).post('/profiles', { profile_type: 'organization', username }, ada.headers)
    expect(again.statusCode).toBe(200)
    expect(await newestPost(username)).toBeUndefined()
  })

  it('lets its account act for the next profile before everything is deleted', async () => {
    const bert = await signUp(app)
    const { username, active_profile_id: person } = bert.account
    await writePosts(person, bert, username)
    const next = newName()
    expect((await bert.post('/profiles', { profile_type: 'organization', username: next })).statusCode).toBe(200)
    expect((await bert.delete(`/profiles/u/${username}`)).statusCode).toBe(200)
    const post = await bert.post('/feed', { body: 'Who writes this?' })
    expect(post.statusCode, post.body).toBeLessThan(300)
    expect(await newestPost(next)).toBe(post.json().id)
  })

  it('goes on after a crash until no record is left', async () => {
    const { id, url } = await newLargeProfile()
    await client(app).delete(`/profiles${url}`, ada.headers)
    const other = await createTestApp({ storage: database.another() })
    // A process took the profile and ended after its first step.
    const future = new Date(Date.now() - 7_200_000)
    await writing((tx) => tx.hiddenProfiles.take({ id }, future, 1))
    expect(await writing((tx) => tx.hiddenProfiles.deleteContents(id, 100, future))).toBe(100)
    await other.app.eep.purge()
    expect(await database.storage.read.profiles.get(id)).toBeUndefined()
    expect(await writing((tx) => tx.hiddenProfiles.deleteContents(id, 1, new Date()))).toBe(0)
    await other.close()
  })
})
