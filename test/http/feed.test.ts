import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { newPost, OPEN_FEED, readPosts } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openInstances } from '../support/instances.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const { database, instance } = await openInstances(OPEN_FEED)
const app = await instance()

const anonymous = client(app)
const acting = (profileId: number) => ({ 'x-active-profile-id': String(profileId) })
const ids = async (url: string, headers?: Record<string, string>) =>
  (await readPosts(app, url, headers)).data.map(({ id }) => id)
const feedOf = ({ account }: Person) => `/feed/u/${account.username}`

/** The events of the feed after a cursor. */
const emittedEvents = async (after: string) =>
  (await eventsAfter(database.storage, after))
    .filter(({ type }) => type.startsWith('feed.'))
    .map(({ type, profileId, accountId, data }) => ({ type, profileId, accountId, data }))

describe('posting', () => {
  it('publishes a post with its hashtags, mentions and links', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const name = bert.account.username
    const body = `Hello @u/${name}\r\nand @u/not-there: #Straße #STRASSE https://example.com/?a=#b.`
    const start = await endOfLog(database.storage)
    const post = await newPost(ada, body)
    const stored = body.replace('\r\n', '\n')
    const url = `https://profiles.example/feed/posts/${post.id}`
    const { id } = ada.account.profiles[0] ?? { id: 0 }
    expect(post).toEqual({
      id: expect.any(Number),
      url,
      profile: {
        id,
        did: `did:web:profiles.example:u:${ada.account.username}`,
        profile_type: 'person',
        username: ada.account.username,
        full_name: null,
        avatar_url: null,
        url: `https://profiles.example/u/${ada.account.username}`,
      },
      body: stored,
      hashtags: ['strasse'],
      entities: [
        expect.objectContaining({
          type: 'mention',
          text: `@u/${name}`,
          profile: {
            id: bert.account.active_profile_id,
            did: `did:web:profiles.example:u:${name}`,
            profile_type: 'person',
            username: name,
            url: `https://profiles.example/u/${name}`,
          },
        }),
        expect.objectContaining({ type: 'hashtag', text: '#Straße', hashtag: 'strasse' }),
        expect.objectContaining({ type: 'hashtag', text: '#STRASSE', hashtag: 'strasse' }),
        expect.objectContaining({ type: 'link', text: 'https://example.com/?a=#b', url: 'https://example.com/?a=#b' }),
      ],
      reply_to: null,
      attachments: [],
      created_at: expect.any(String),
      counts: { likes: 0, replies: 0 },
    })
    for (const { start, end, text } of post.entities) {
      expect(stored.slice(start, end)).toBe(text)
    }
    const read = await anonymous.get(`/feed/posts/${post.id}?format=json`)
    expect([read.statusCode, read.json()]).toEqual([200, post])
    expect((await readPosts(app, feedOf(ada))).data).toEqual([post])
    expect(await ids('/feed/hashtags/STRASSE')).toContain(post.id)
    expect(await emittedEvents(start)).toEqual([
      {
        type: 'feed.post_published',
        profileId: id,
        accountId: ada.account.id,
        data: {
          postId: post.id,
          path: `/feed/posts/${post.id}`,
          url,
          hashtags: ['strasse'],
          replyTo: null,
          mentions: [bert.account.active_profile_id],
          isNew: true,
        },
      },
    ])
  })

  it.each([
    ['nothing', { body: '' }],
    ['spaces only', { body: ' \n ' }],
    ['invisible characters without an attachment', { body: '\u200b', attachments: [] }],
    ['501 characters', { body: 'a'.repeat(501) }],
    ['too many bytes', { body: `${'👨\u200d'.repeat(20)}a`.repeat(300) }],
    ['65 code points in one character', { body: `a${'\u0301'.repeat(64)}` }],
    ['control characters', { body: 'a\u0007b' }],
    ['five attachments', { body: 'a', attachments: [1, 2, 3, 4, 5] }],
    ['one file twice', { body: 'a', attachments: [1, 1] }],
  ])('rejects %s', async (_, body) => {
    const response = await (await signUp(app)).post('/feed', body)
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'validation_failed'])
  })

  it('accepts 500 characters, counted as grapheme clusters', async () => {
    const ada = await signUp(app)
    for (const body of ['👩‍🚀'.repeat(500), '👨‍👩‍👧‍👦'.repeat(500)]) expect((await newPost(ada, body)).body).toBe(body)
  })

  it('lists posts with the spellings of one hashtag together', async () => {
    const ada = await signUp(app)
    const bodies = ['#می\u200cخواهم', 'Joined #میخواهم', 'Wide ＃میخواهم']
    const posts = [await newPost(ada, bodies[0]), await newPost(ada, bodies[1]), await newPost(ada, bodies[2])]
    const newestFirst = posts.map(({ id }) => id).toReversed()
    for (const tag of ['می\u200cخواهم', 'میخواهم']) {
      expect(await ids(`/feed/hashtags/${encodeURIComponent(tag)}`)).toEqual(newestFirst)
    }
    const places = [await newPost(ada, '#İstanbul'), await newPost(ada, '#ISTANBUL'), await newPost(ada, '#ıstanbul')]
    expect(await ids('/feed/hashtags/istanbul')).toEqual(places.map(({ id }) => id).toReversed())
  })

  it('writes links into Markdown so that they end where they end in the text', async () => {
    const { url } = await newPost(await signUp(app), '见 https://example.com/a_b。然后*继续*')
    const { body } = await client(app).get(new URL(url).pathname, { accept: 'text/markdown' })
    expect(body).toContain('见 <https://example.com/a_b>。然后\\*继续\\*')
  })

  it('stores one post for a repeated Idempotency-Key', async () => {
    const ada = await signUp(app)
    const key = { 'idempotency-key': 'the-same-post' }
    const [first, again] = [await newPost(ada, 'Once', key), await newPost(ada, 'Once', key)]
    expect(again).toEqual(first)
    expect(await ids(feedOf(ada))).toEqual([first.id])
  })

  it('shows nothing of an attached file that a gate closed after the post, in any format', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const send = async (name: string): Promise<number> => {
      const response = await upload(app, [field('username', ada.account.username), fileOf('text', name)], ada.headers)
      expect(response.statusCode, response.body).toBe(200)
      return response.json().id
    }
    const [kept, closed] = [await send('kept-notes.txt'), await send('closed-notes.txt')]
    await bert.post(`/connections/u/${ada.account.username}`)
    const { id } = await newPost(ada, { body: 'See #attached', attachments: [closed, kept] })
    const lists = ['/feed', '/feed/following', feedOf(ada), '/feed/hashtags/attached']
    const urls = [...lists, `/feed/posts/${id}`]
    const formats = ['application/json', 'text/markdown', 'text/toon', 'text/html']
    const types = [...formats, 'application/feed+json', 'application/atom+xml']
    const texts = async () => {
      const answers = await Promise.all(
        urls.flatMap((url) =>
          types.map((accept) =>
            client(app).get(url, {
              ...bert.headers,
              'x-active-profile-id': String(bert.account.active_profile_id),
              accept,
            }),
          ),
        ),
      )
      for (const { statusCode, body } of answers) expect(statusCode, body).toBe(200)
      return answers.map(({ body }) => body)
    }
    const naming = (bodies: readonly string[], name: string) => bodies.filter((body) => body.includes(name)).length
    const before = await texts()
    const shown = naming(before, 'closed-notes')
    expect(shown).toBe(urls.length * types.length)
    expect(naming(before, 'kept-notes')).toBe(shown)

    const tiers = {
      public: { requirements: [], access: ['*'] },
      friends: {
        label: 'Friends',
        requirements: [{ type: 'connection', relation: 'following' }],
        access: [`files.f${closed}`],
      },
    }
    const did = `did:web:profiles.example:u:${ada.account.username}`
    const put = await ada.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })
    expect(put.statusCode, put.body).toBe(200)
    const after = await texts()
    expect([naming(after, 'closed-notes'), naming(after, `/files/${closed}`)]).toEqual([0, 0])
    expect(naming(after, 'kept-notes')).toBe(shown)
    expect(
      (await anonymous.get(`/feed/posts/${id}?format=json`)).json().attachments.map((file: { id: number }) => file.id),
    ).toEqual([kept])
  })

  it('attaches public files of the acting profile', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const send = async (who: Person, name: string): Promise<number> => {
      const response = await upload(app, [field('username', who.account.username), fileOf('text', name)], who.headers)
      expect(response.statusCode, response.body).toBe(200)
      return response.json().id
    }
    const [mine, other] = [await send(ada, 'mine.txt'), await send(bert, 'other.txt')]
    const post = await newPost(ada, { body: 'See', attachments: [mine] })
    expect(post).toMatchObject({
      attachments: [...[{ id: mine, filename: 'mine.txt', size: 4, url: `https://profiles.example/files/${mine}` }]],
    })
    const silent = await newPost(ada, { body: ' \u200b', attachments: [mine] })
    expect(silent).toMatchObject({ body: ' \u200b', attachments: [{ id: mine }] })
    expect((await client(app).get(`/feed/posts/${silent.id}`, { accept: 'text/html' })).body).toContain(': mine.txt')
    for (const id of [other, 999_999]) {
      const refused = await ada.post('/feed', { body: 'See', attachments: [id] })
      expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'invalid_attachment'])
    }
    const tiers = {
      public: { requirements: [], access: ['profile.*'] },
      friends: { label: 'Friends', requirements: [{ type: 'connection', relation: 'following' }], access: ['files.*'] },
    }
    const did = `did:web:profiles.example:u:${ada.account.username}`
    const put = await ada.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })
    expect(put.statusCode, put.body).toBe(200)
    const closed = await ada.post('/feed', { body: 'See', attachments: [mine] })
    expect([closed.statusCode, codeOf(closed)]).toEqual([400, 'invalid_attachment'])
  })
})

describe('roles', () => {
  it('lets owners, admins and editors post and delete, and no other account', async () => {
    const organization = await newOrganization(app)
    const { owner, id, username } = organization
    const team = {
      owner,
      admin: await newMember(app, organization, 'admin'),
      editor: await newMember(app, organization, 'editor'),
      viewer: await newMember(app, organization, 'viewer'),
      stranger: await signUp(app),
    }
    const post = (who: Person) => who.post('/feed', { body: 'Of the team' }, acting(id))
    for (const [role, who] of Object.entries(team)) {
      const may = role === 'owner' || role === 'admin' || role === 'editor'
      const posted = await post(who)
      expect(posted.statusCode, role).toBe(may ? 201 : 403)
      const { id: postId } = await newPost(owner, 'To delete', acting(id))
      const deleted = await who.delete(`/feed/${postId}`)
      expect(deleted.statusCode, role).toBe(may ? 200 : 403)
      if (!may) expect([codeOf(posted), codeOf(deleted)]).toEqual(['not_profile_owner', 'not_profile_owner'])
    }
    expect((await readPosts(app, `/feed/o/${username}`)).data).toHaveLength(5)
  })

  it('let an API key post as its profile', async () => {
    const ada = await signUp(app)
    const { id } = await newOrganization(app, ada)
    const write = await newKey(app, ada.headers, { scopes: ['write:feed'] })
    const bound = await newKey(app, ada.headers, { scopes: ['write:feed'], profile_id: id })
    expect(await newPost(client(app).as(write))).toMatchObject({ profile: { id: ada.account.active_profile_id } })
    const post = await newPost(client(app).as(bound))
    expect(post).toMatchObject({ profile: { id } })
    const foreign = await client(app).as(bound).post('/feed', { body: 'x' }, acting(ada.account.active_profile_id))
    expect([foreign.statusCode, codeOf(foreign)]).toEqual([403, 'not_profile_owner'])
  })
})

describe('replies and deletion', () => {
  it('counts and lists replies, and keeps them when the post is deleted', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const first = await newPost(ada)
    const reply = await newPost(bert, { body: 'A reply', reply_to: first.id })
    expect(reply.reply_to).toBe(first.id)
    expect(await ids(`/feed/posts/${first.id}/replies`)).toEqual([reply.id])
    expect((await anonymous.get(`/feed/posts/${first.id}?format=json`)).json().counts).toEqual({ likes: 0, replies: 1 })

    const start = await endOfLog(database.storage)
    expect((await ada.delete(`/feed/${first.id}`)).json()).toEqual({ success: true })
    for (const url of [`/feed/posts/${first.id}`, `/feed/posts/${first.id}/replies`]) {
      const gone = await anonymous.get(url)
      expect([gone.statusCode, codeOf(gone)]).toEqual([404, 'post_not_found'])
    }
    const again = await ada.delete(`/feed/${first.id}`)
    expect([again.statusCode, codeOf(again)]).toEqual([404, 'post_not_found'])
    expect((await anonymous.get(`/feed/posts/${reply.id}?format=json`)).json().reply_to).toBe(first.id)
    const late = await bert.post('/feed', { body: 'Too late', reply_to: first.id })
    expect([late.statusCode, codeOf(late)]).toEqual([404, 'post_not_found'])
    expect((await emittedEvents(start)).map(({ type, profileId }) => [type, profileId])).toEqual([
      ['feed.post_removed', ada.account.active_profile_id],
    ])
  })

  it('leaves no text of a deleted post in the database', async () => {
    if (!database.dump) return
    const ada = await signUp(app)
    const { id } = await newPost(ada, 'Shibboleth #shibboleth')
    await ada.delete(`/feed/${id}`)
    const rows = await database.dump(['feed_posts', 'feed_hashtags', 'feed_mentions', 'feed_likes'])
    expect(rows.filter((row) => row.toLowerCase().includes('shibboleth'))).toEqual([])
  })
})

describe('likes', () => {
  it('counts one like for each account, also under concurrent requests', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const { id } = await newPost(ada)
    const url = `/feed/${id}/reactions`
    const made = await Promise.all(Array.from({ length: 4 }, () => bert.post(url, { kind: 'like' })))
    expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 201])
    for (const response of made) {
      expect(response.json()).toEqual({ counts: { likes: 1, replies: 0 }, me: { like: true } })
    }
    expect((await ada.post(url)).json().counts.likes).toBe(2)
    expect((await anonymous.get(`/feed/posts/${id}?format=json`)).json().counts.likes).toBe(2)
    for (let time = 0; time < 2; time++) {
      const taken = await bert.delete(url)
      expect([taken.statusCode, taken.json()]).toEqual([200, { counts: { likes: 1, replies: 0 }, me: { like: false } }])
    }
    expect((await bert.post(url, { kind: 'bookmark' })).statusCode).toBe(400)
  })

  it('returns 404 for likes that lose a race against a deletion', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const { id } = await newPost(ada)
    const [liked, deleted] = await Promise.all([bert.post(`/feed/${id}/reactions`), ada.delete(`/feed/${id}`)])
    expect([201, 404]).toContain(liked.statusCode)
    expect(deleted.statusCode).toBe(200)
    const late = await bert.post(`/feed/${id}/reactions`)
    expect([late.statusCode, codeOf(late)]).toEqual([404, 'post_not_found'])
  })
})
