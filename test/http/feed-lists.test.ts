import { describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { newPost, OPEN_FEED, type Post, readPosts, walk } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'

const { database, instance } = await openInstances(OPEN_FEED)
const app = await instance()

const feedOf = ({ account }: Person) => `/feed/u/${account.username}`
const profileOf = ({ account }: Person) => `/profiles/u/${account.username}`
const actingAs = ({ account, headers }: Person) => ({
  ...headers,
  'x-active-profile-id': String(account.active_profile_id),
})
const ids = (posts: readonly { readonly id: number }[]) => posts.map(({ id }) => id)

describe('lists of posts', () => {
  it('lists posts newest first, in pages, with their number', async () => {
    const ada = await signUp(app)
    const made: Post[] = []
    for (let index = 0; index < 5; index++) made.push(await newPost(ada, `#paged ${index}`))
    const newestFirst = ids(made).toReversed()
    for (const path of [feedOf(ada), '/feed/hashtags/paged']) {
      const page = await readPosts(app, `${path}?limit=2`)
      expect(ids(page.data)).toEqual(newestFirst.slice(0, 2))
      expect(page.pagination).toEqual({ total: 5, has_more: true, next_cursor: expect.any(String) })
      for (const limit of [1, 2, 5, 100]) expect(await walk(app, path, limit)).toEqual(newestFirst)
    }
    const wrong = await client(app).get('/feed?cursor=nonsense')
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([400, 'invalid_cursor'])
  })

  it('neither repeats a post nor skips one that stays while 100 posts are added and deleted', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    await bert.post(`/connections/u/${ada.account.username}`)
    const stays: number[] = []
    const goes: number[] = []
    for (let index = 0; index < 40; index++) {
      const { id } = await newPost(ada, `#moving ${index}`)
      ;(index % 4 === 0 ? goes : stays).push(id)
    }
    const paths = [feedOf(ada), '/feed/hashtags/moving', '/feed', '/feed/following']
    let underway: Promise<unknown>[] = []
    // On each page of each list others write, so that writes run between and beside the reads.
    const disturb = async () => {
      for (let index = 0; index < 8; index++) {
        underway.push(
          newPost(ada, '#moving').then(({ id }) => (index % 2 === 0 ? ada.delete(`/feed/${id}`) : undefined)),
        )
      }
      const gone = goes.pop()
      if (gone !== undefined) underway.push(ada.delete(`/feed/${gone}`))
    }
    let writes = 0
    while (writes < 100) {
      await Promise.all(
        paths.map(async (path) => {
          const seen = await walk(app, path, 10, actingAs(bert), async () => {
            if (writes + underway.length < 100) await disturb()
          })
          expect(new Set(seen).size, `${path} shows nothing twice`).toBe(seen.length)
          expect(
            seen.filter((id) => stays.includes(id)),
            `${path} misses nothing`,
          ).toEqual(stays.toReversed())
        }),
      )
      await disturb()
      writes += underway.length
      await Promise.all(underway)
      underway = []
    }
  }, 300_000)

  it('changes the ETag of a list when its posts change', async () => {
    const ada = await signUp(app)
    const get = (etag?: unknown) =>
      client(app).get(`${feedOf(ada)}?format=json`, etag === undefined ? {} : { 'if-none-match': String(etag) })
    const { etag } = (await get()).headers
    const known = await get(etag)
    expect([known.statusCode, known.body, known.headers['cache-control']]).toEqual([304, '', 'public, no-cache'])
    const { id } = await newPost(ada)
    const changed = await get(etag)
    expect([changed.statusCode, changed.headers.vary]).toEqual([200, expect.stringMatching(/\bAccept\b/)])
    await ada.post(`/feed/${id}/reactions`)
    expect((await get(changed.headers.etag)).json().data[0].counts.likes).toBe(1)
  })
})

describe('the feed of followed profiles', () => {
  it('lists the posts of profiles that the acting profile follows, until it unfollows them', async () => {
    const [ada, bert, cleo] = [await signUp(app), await signUp(app), await signUp(app)]
    const following = async (headers = {}) =>
      ids((await readPosts(app, '/feed/following', { ...actingAs(ada), ...headers })).data)
    await ada.post(`/connections/u/${bert.account.username}`)
    const post = await newPost(bert)
    await newPost(cleo)
    await newPost(ada)
    expect(await following()).toEqual([post.id])
    const { json } = await ada.post('/profiles', { profile_type: 'place', username: 'of-ada', type_data: {} })
    expect(json().success).toBe(true)
    const { id } = (await ada.get('/profiles/l/of-ada')).json()
    expect(await following({ 'x-active-profile-id': String(id) })).toEqual([])
    const foreign = { ...ada.headers, 'x-active-profile-id': String(cleo.account.active_profile_id) }
    const refused = await client(app).get('/feed/following', foreign)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
    const response = await client(app).get('/feed/following', actingAs(ada))
    expect(response.headers['cache-control']).toMatch(/^private/)
    await ada.delete(`/connections/u/${bert.account.username}`)
    expect(await following()).toEqual([])
  })
})

describe('the acting profile of the feed of followed profiles', () => {
  it('must be named, by sessions and by API keys', async () => {
    const ada = await signUp(app)
    const { key } = (await ada.post('/api-keys', { name: 'Reader', scopes: ['read:feed'] })).json()
    for (const headers of [ada.headers, { 'x-api-key': key }]) {
      const refused = await client(app).get('/feed/following', headers)
      expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'active_profile_required'])
      const named = { ...headers, 'x-active-profile-id': String(ada.account.active_profile_id) }
      expect((await client(app).get('/feed/following', named)).statusCode).toBe(200)
    }
  })

  it('is required only of signed-in callers', async () => {
    const refused = await client(app).get('/feed/following')
    expect([refused.statusCode, codeOf(refused)]).toEqual([401, 'unauthenticated'])
  })
})

describe('visibility', () => {
  const states: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
    unlisted: (person) => person.put(profileOf(person), { visibility: 'unlisted' }),
    private: (person) => person.put(profileOf(person), { visibility: 'private' }),
    'an account in deletion': (person) => person.send('DELETE', '/auth/account', { password: PASSWORD }),
    banned: ({ account }) =>
      database.storage.transaction((tx) => tx.accounts.save(account.id, { bannedAt: new Date() })),
    deleted: (person) => person.delete(profileOf(person)),
  }

  it.each(Object.entries(states))('hides the posts of a profile that is %s from every list', async (state, hide) => {
    const [author, reader] = [await signUp(app), await signUp(app)]
    const { username } = author.account
    await reader.post(`/connections/u/${username}`)
    const first = await newPost(reader)
    const post = await newPost(author, {
      body: `Word-${username} #of_${username.replace('-', '_')}`,
      reply_to: first.id,
    })
    const mentioning = await newPost(reader, `About @u/${username}`)
    const lists = [
      ...['/feed', '/feed/following', feedOf(author), `/feed/hashtags/of_${username.replace('-', '_')}`],
      `/feed/posts/${first.id}/replies`,
    ]
    for (const path of lists) expect(ids((await readPosts(app, path, actingAs(reader))).data), path).toContain(post.id)
    expect((await hide(author)) !== undefined || state === 'banned').toBe(true)

    for (const path of lists) {
      for (const suffix of ['', '.json', '.atom', '.md', '.toon']) {
        const { statusCode, body } = await client(app).get(`${path}${suffix}`, actingAs(reader))
        expect([200, 404], `${path}${suffix}`).toContain(statusCode)
        expect(body, `${path}${suffix}`).not.toContain(`Word-${username}`)
      }
    }
    for (const url of [`/feed/posts/${post.id}`, `/feed/posts/${post.id}/replies`]) {
      expect((await client(app).get(url, reader.headers)).statusCode, url).toBe(404)
    }
    for (const send of [reader.post, reader.delete]) {
      expect((await send(`/feed/${post.id}/reactions`)).statusCode).toBe(404)
    }
    const reply = await reader.post('/feed', { body: 'A reply', reply_to: post.id })
    expect([reply.statusCode, codeOf(reply)]).toEqual([404, 'post_not_found'])
    expect((await client(app).get(`/feed/posts/${mentioning.id}?format=json`)).json().entities).toEqual([])
  })

  it.each(['unlisted', 'banned'] as const)('names a profile that is %s in no empty list', async (state) => {
    const ada = await signUp(app)
    const name = `Secret ${ada.account.username}`
    await ada.put(profileOf(ada), { full_name: name })
    const titled = async (headers?: Record<string, string>) =>
      Promise.all(
        ['application/feed+json', 'application/atom+xml', 'text/markdown', 'text/html'].map(async (accept) =>
          (await client(app).get(feedOf(ada), { ...headers, accept })).body.includes(name),
        ),
      )
    expect(await titled(), 'an empty list of a public profile').toEqual([true, true, true, true])
    await newPost(ada)
    expect(await states[state]?.(ada)).toBeDefined()
    expect(await titled()).toEqual([false, false, false, false])
    if (state === 'unlisted') expect(await titled(ada.headers)).toEqual([true, true, true, true])
  })

  it('shows posts of hidden profiles to their teams, and to everyone once the profiles are public', async () => {
    const ada = await signUp(app)
    const show = (visibility: string) => ada.put(profileOf(ada), { visibility })
    for (const visibility of ['unlisted', 'private']) {
      await show(visibility)
      const post = await newPost(ada)
      expect(ids((await readPosts(app, feedOf(ada), ada.headers)).data)).toContain(post.id)
      const own = await ada.get(`/feed/posts/${post.id}`)
      expect([own.statusCode, own.headers['cache-control']]).toEqual([200, expect.stringMatching(/^private/)])
      expect((await client(app).get(`/feed/posts/${post.id}`)).statusCode).toBe(404)
      await show('public')
      expect((await client(app).get(`/feed/posts/${post.id}`)).statusCode).toBe(200)
    }
  })
})
