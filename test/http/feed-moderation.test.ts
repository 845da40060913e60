import { endOfLog, eventsAfter } from '@eep/core/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { newPost, OPEN_FEED, readPosts } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'

const HOUR = 3_600_000
const { database, instance } = await openInstances()
const app = await instance(OPEN_FEED)

let admin: Person
beforeAll(async () => {
  admin = await signUp(app)
  await makeAdministrator(database, admin)
})

/** The feed events after a cursor, each with the profile that it is about. */
const emittedEvents = async (after: string) =>
  (await eventsAfter(database.storage, after))
    .filter(({ type }) => type.startsWith('feed.'))
    .map(({ type, profileId, data }) => [type, profileId, data.postId])
const audited = async (target: string) =>
  (await admin.get(`/admin/audit?target=${encodeURIComponent(target)}`))
    .json<{ data: readonly { action: string; actor_account_id: string }[] }>()
    .data.map(({ action, actor_account_id: actor }) => [action, actor === admin.account.id])

describe('an administrator', () => {
  it('hides a post from everyone, including its author, and shows it again', async () => {
    const ada = await signUp(app)
    const first = await newPost(ada)
    const { id } = await newPost(ada, { body: 'Spam #spam', reply_to: first.id })
    const start = await endOfLog(database.storage)
    const hide = (hidden: boolean) => admin.put(`/admin/feed/${id}`, { hidden })
    const hidden = await hide(true)
    expect([hidden.statusCode, hidden.json()]).toEqual([200, { id, hidden: true }])
    expect((await hide(true)).statusCode).toBe(200)
    const lists = ['/feed', `/feed/u/${ada.account.username}`, '/feed/hashtags/spam', `/feed/posts/${first.id}/replies`]
    const listed = () =>
      Promise.all(
        lists.map(async (path) => (await readPosts(app, path, ada.headers)).data.some((post) => post.id === id)),
      )
    expect(await listed()).toEqual([false, false, false, false])
    for (const who of [client(app), ada, admin]) expect((await who.get(`/feed/posts/${id}`)).statusCode).toBe(404)
    expect((await ada.post(`/feed/${id}/reactions`)).statusCode).toBe(404)
    expect((await client(app).get(`/feed/posts/${first.id}?format=json`)).json().counts.replies).toBe(0)
    await hide(false)
    expect(await listed()).toEqual([true, true, true, true])
    const profileId = ada.account.active_profile_id
    expect(await emittedEvents(start)).toEqual([
      ['feed.post_removed', profileId, id],
      ['feed.post_published', profileId, id],
    ])
    expect(await audited(`posts/${id}`)).toEqual([
      ['post.shown', true],
      ['post.hidden', true],
    ])
    expect((await admin.put('/admin/feed/999999999', { hidden: true })).statusCode).toBe(404)
    expect((await ada.put(`/admin/feed/${id}`, { hidden: true })).statusCode).toBe(403)
  })

  it('deletes a post, even a hidden one', async () => {
    const ada = await signUp(app)
    const [shown, hidden] = [await newPost(ada), await newPost(ada)]
    await admin.put(`/admin/feed/${hidden.id}`, { hidden: true })
    const start = await endOfLog(database.storage)
    for (const { id } of [shown, hidden]) {
      expect((await admin.delete(`/feed/${id}`)).statusCode).toBe(200)
      expect((await audited(`posts/${id}`))[0]).toEqual(['post.deleted', true])
    }
    expect(await emittedEvents(start)).toEqual([['feed.post_removed', ada.account.active_profile_id, shown.id]])
    expect((await admin.delete(`/feed/${shown.id}`)).statusCode).toBe(404)
  })

  it('lets an author delete a hidden post', async () => {
    const ada = await signUp(app)
    const first = await newPost(ada)
    const { id } = await newPost(ada, { body: 'A reply', reply_to: first.id })
    await admin.put(`/admin/feed/${id}`, { hidden: true })
    const start = await endOfLog(database.storage)
    expect((await ada.delete(`/feed/${id}`)).statusCode).toBe(200)
    expect((await admin.put(`/admin/feed/${id}`, { hidden: false })).statusCode).toBe(404)
    expect((await ada.delete(`/feed/${id}`)).statusCode).toBe(404)
    // The event was emitted when it was hidden.
    expect(await emittedEvents(start)).toEqual([])
    expect((await client(app).get(`/feed/posts/${first.id}?format=json`)).json().counts.replies).toBe(0)
  })

  it('suspends posting for an account in all of its profiles, and restores it', async () => {
    const ada = await signUp(app)
    const url = `/admin/users/${ada.account.id}/posting`
    const closed = await admin.put(url, { open: false })
    expect([closed.statusCode, closed.json()]).toEqual([200, { account_id: ada.account.id, open: false }])
    await admin.put(url, { open: false })
    const refused = await ada.post('/feed', { body: 'An update' })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'posting_closed'])
    await admin.put(url, { open: true })
    await newPost(ada)
    expect(await audited(`accounts/${ada.account.id}`)).toEqual([
      ['posting.opened', true],
      ['posting.closed', true],
    ])
    for (const id of ['00000000-0000-4000-8000-000000000000', 'unknown']) {
      const unknown = await admin.put(`/admin/users/${id}/posting`, { open: true })
      expect([unknown.statusCode, codeOf(unknown)]).toEqual([404, 'poster_not_found'])
    }
  })
})

describe('the limits of posting', () => {
  const limits = { postsPerHour: 3, linksPerPost: 2, newAccounts: { days: 1, postsPerHour: 1 } }
  const time = createClock()

  it('applies lower limits to new accounts, whichever profile they post as', async () => {
    const limited = await instance({ clock: time.clock, feed: limits, limits: { rateLimit: { multiplier: 1 } } })
    const ada = await signUp(limited)
    const made = await ada.post('/profiles', { profile_type: 'place', username: 'a-place-of-ada', type_data: {} })
    expect(made.statusCode, made.body).toBe(200)
    const { id } = (await ada.get('/profiles/l/a-place-of-ada')).json()
    const post = (body: string) => ada.post('/feed', { body }, { 'x-active-profile-id': String(id) })

    const linked = await post('See https://example.com')
    expect([linked.statusCode, codeOf(linked)]).toEqual([400, 'too_many_links'])
    const ofNew = { new_account_until: expect.stringMatching(/^\d{4}-/) }
    expect(linked.json().error.details).toEqual({ allowed: 0, ...ofNew })
    // Refused posts do not count.
    await newPost(ada)
    const second = await post('A second one')
    expect([second.statusCode, codeOf(second)]).toEqual([429, 'too_many_posts'])
    expect(second.json().error.details).toEqual({ posts_per_hour: 1, ...ofNew })
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)

    await time.at(Date.now() + 25 * HOUR, async () => {
      const many = await post('https://a.example www.b.example me@c.example')
      expect([many.statusCode, codeOf(many)]).toEqual([400, 'too_many_links'])
      const key = { 'idempotency-key': 'third-post' }
      const third = await newPost(ada, 'https://a.example https://b.example', key)
      expect(await newPost(ada, 'https://a.example https://b.example', key)).toEqual(third)
      const over = await ada.post('/feed', { body: 'One too many' })
      expect([over.statusCode, codeOf(over)]).toEqual([429, 'too_many_posts'])
      expect(over.json().error.details).toEqual({ posts_per_hour: 3 })
    })
  })

  it('treats new accounts like others by default', async () => {
    const plain = await instance({ limits: { rateLimit: { multiplier: 1 } } })
    const ada = await signUp(plain)
    for (let count = 0; count < 30; count += 1) await newPost(ada, 'See https://example.com')
    const over = await ada.post('/feed', { body: 'One too many' })
    expect([over.statusCode, over.json().error.details]).toEqual([429, { posts_per_hour: 30 }])
  })
})
