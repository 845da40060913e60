import { generateKeyPairSync } from 'node:crypto'
import { LOG_START } from '@eep/core/ports'
import { eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, makeAdministrator, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { downloaded, imported, jsonOf, type Members, resigned, unzip, zip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'

const OTHER = { publicUrl: 'https://other.example', secret: 'another secret for tests, of thirty-two characters' }
const DAY_MS = 86_400_000
const keys = generateKeyPairSync('ed25519')

type App = Awaited<ReturnType<typeof createTestApp>>
let now = Date.now()
let from: App
let to: App
let ada: Person
let members: Members
let names = 0

beforeAll(async () => {
  const clock = () => new Date(now)
  from = await createTestApp({ clock, ...OPEN_FEED })
  to = await createTestApp({ clock, ...OTHER, ...OPEN_FEED })
  ada = await signUp(from.app, 'ada')
  await fill()
})
// A job is awaited inside of tests only.
beforeEach(async () => {
  if (members !== undefined) return
  // Exports need a proof of the last ten minutes, and Ada signed in a day ago.
  await ada.post('/auth/prove', { password: PASSWORD })
  members = await unzip(await downloaded(from.app, ada, { profile_id: ada.account.active_profile_id }))
})
afterAll(async () => {
  await from.close()
  await to.close()
})

const post = async (person: Person, body: object): Promise<number> => {
  const made = await person.post('/feed', body)
  if (made.statusCode >= 300) throw new Error(made.body)
  return made.json().id
}

/** Posts, connections and memory of Ada. */
async function fill() {
  const bob = await signUp(from.app, 'bob')
  const fields = [field('username', 'ada'), field('profile_type', 'person')]
  const sent = await upload(from.app, [...fields, fileOf('Numbers.')], ada.headers)
  if (sent.statusCode >= 300) throw new Error(sent.body)
  const file = sent.json()
  const first = await post(ada, { body: `First #Numbers: <${file.url}>, for @u/bob`, attachments: [file.id] })
  now += DAY_MS
  await post(ada, { body: 'An answer to myself', reply_to: first })
  const others = await post(bob, { body: 'By Bob' })
  await post(ada, { body: 'An answer to Bob', reply_to: others })
  for (const [follower, followee] of [
    [ada, 'bob'],
    [bob, 'ada'],
  ] as const) {
    const followed = await follower.post(`/connections/u/${followee}`, {})
    if (followed.statusCode >= 300) throw new Error(followed.body)
  }
  const profile_id = ada.account.active_profile_id
  const body = { profile_id, agent_did: 'did:key:agent', name: 'Engines', ttl_seconds: 30 * 86_400 }
  const session = (await ada.post('/memory/sessions', body)).json()
  await ada.post('/memory/sessions', { profile_id, ttl_seconds: 60 })
  const entries = [
    { role: 'user', content: 'Needs gears', metadata: { step: 1 }, importance: 0.9 },
    { role: 'assistant', content: 'Ordered gears' },
  ]
  const added = await ada.post(`/memory/sessions/${session.id}/entries`, { entries })
  if (added.statusCode >= 300) throw new Error(added.body)
}

const text = (value: unknown) => JSON.stringify(value)

/** Ada's archive with changes, for a name that is free. */
async function archive(changes: Readonly<Record<string, string>> = {}): Promise<{ username: string; bytes: Buffer }> {
  names += 1
  const username = `ada-${names}`
  const profile = { ...jsonOf(members, 'profile.json'), username, profile_type: 'organization', type_data: {} }
  return { username, bytes: await zip(resigned(members, { 'profile.json': text(profile), ...changes }, keys)) }
}

const postsOf = async (app: App, username: string) =>
  (await client(app.app).get(`/feed/o/${username}?format=json`)).json().data as Record<string, unknown>[]

describe('an import with posts, connections and memory', { timeout: 120_000 }, () => {
  it('restores posts with their dates, replies and files, and leaves out replies to others', async () => {
    const eve = await signUp(to.app)
    const { username, bytes } = await archive()
    const { result, error } = await imported(to.app, eve, bytes)
    expect(error).toBe(null)
    expect(result).toMatchObject({ counts: { posts: 2 } })
    const [answer, first] = await postsOf(to, username)
    const [, exportedAnswer, exportedFirst] = jsonOf(members, 'feed.json')
    expect([answer?.created_at, first?.created_at]).toEqual([exportedAnswer.created_at, exportedFirst.created_at])
    expect(answer).toMatchObject({ body: 'An answer to myself', reply_to: first?.id })
    expect(first).toMatchObject({ hashtags: ['numbers'] })
    expect(first?.body).toMatch(/^First #Numbers: <https:\/\/other\.example\/files\/\d+>, for @u\/bob$/)
    expect(first?.attachments).toHaveLength(1)
    expect(text(first)).not.toContain('"mention"')
    expect(result?.skipped_items).toContainEqual({
      member: 'feed.json',
      item: String(jsonOf(members, 'feed.json')[0].id),
      reason: 'reply_target_missing',
    })
  })

  it('follows no profile of another service that has the same name, and reports why', async () => {
    const bob = await signUp(to.app, 'bob')
    const eve = await signUp(to.app)
    const { bytes } = await archive()
    const { result } = await imported(to.app, eve, bytes)
    expect(result).toMatchObject({ counts: { connections: 0 } })
    const item = 'did:web:profiles.example:u:bob'
    expect(result?.skipped_items).toEqual(
      expect.arrayContaining([
        { member: 'connections.json', item, reason: 'profile_not_found' },
        { member: 'connections.json', item, reason: 'follower' },
      ]),
    )
    expect((await bob.get('/connections/followers')).json().data).toEqual([])
  })

  it('follows profiles of this service by their DIDs, without a notification', async () => {
    const eve = await signUp(from.app)
    const bob = await signUp(from.app)
    const hidden = await signUp(from.app)
    await hidden.put(`/profiles/u/${hidden.account.username}`, { visibility: 'private' })
    const didOf = (name: string) => `did:web:profiles.example:u:${name}`
    const following = (did: string) => ({ side: 'following', did, created_at: '2999-01-01T00:00:00Z' })
    const dids = [
      didOf(bob.account.username),
      didOf(bob.account.username),
      didOf(hidden.account.username),
      didOf('missing'),
      'did:key:z6Mk',
    ]
    const { username, bytes } = await archive({ 'connections.json': text(dids.map(following)) })
    const dry = await imported(from.app, eve, bytes, { dry_run: 'true' })
    const { result } = await imported(from.app, eve, bytes)
    expect(result?.counts).toEqual(dry.result?.counts)
    expect(result?.skipped_items).toEqual(dry.result?.skipped_items)
    const followers = (await bob.get('/connections/followers')).json().data
    expect(text(followers)).toContain(username)
    expect(text(followers)).not.toContain('2999')
    // A private profile looks like one that does not exist.
    const reasons = Object(result).skipped_items.filter(
      (each: { member: string }) => each.member === 'connections.json',
    )
    expect(reasons.map((each: { reason: string }) => each.reason)).toEqual(Array(3).fill('profile_not_found'))
    expect((await hidden.get('/connections/followers')).json().data).toEqual([])
    expect(text((await bob.get('/notifications')).json())).not.toContain(username)
  })

  it('follows no more profiles than the plan allows, and reports the others', async () => {
    const small = await createTestApp({ limits: { plans: { community: { maxFollows: 1 } } } })
    try {
      const [bob, cleo, eve] = [await signUp(small.app), await signUp(small.app), await signUp(small.app)]
      const dids = [bob, cleo].map(({ account }) => `did:web:profiles.example:u:${account.username}`)
      const listed = dids.map((did) => ({ side: 'following', did, created_at: '2026-01-01T00:00:00Z' }))
      const { bytes } = await archive({ 'connections.json': text(listed), 'feed.json': '[]' })
      const { result } = await imported(small.app, eve, bytes)
      expect(result).toMatchObject({ counts: { connections: 1 } })
      expect(result?.skipped_items).toContainEqual({
        member: 'connections.json',
        item: dids[1],
        reason: 'follow_limit_reached',
      })
      const refused = await eve.post(`/connections/u/${cleo.account.username}`, {})
      expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'follow_limit_reached'])
      expect((await cleo.get('/connections/followers')).json().data).toEqual([])
    } finally {
      await small.close()
    }
  })

  it('restores memory with its agents, times and ends, and can search it', async () => {
    const eve = await signUp(to.app)
    const { bytes } = await archive()
    const { result } = await imported(to.app, eve, bytes)
    expect(result).toMatchObject({ counts: { memory_sessions: 2, memory_entries: 2 } })
    const { id } = Object(result).profile
    const [exported] = jsonOf(members, 'memory/sessions.json').filter((each: { name: string | null }) => each.name)
    const sessions = (await eve.get(`/memory/sessions?profile_id=${id}`)).json().data
    const session = sessions.find((each: { name: string | null }) => each.name === 'Engines')
    const { entries, bytes: size, agent_did, expires_at, created_at } = exported
    expect(session).toMatchObject({ entries, bytes: size, agent_did, expires_at, created_at })
    expect(session.id).not.toBe(exported.id)
    const kept = (await eve.get(`/memory/sessions/${session.id}/entries`)).json().data
    const before = jsonOf(members, `memory/${exported.id}.json`)
    const withoutId = ({ id: _, ...entry }: { readonly id: number }) => entry
    expect(kept.map(withoutId)).toEqual(before.map(withoutId))
    const found = await eve.post(`/memory/sessions/${session.id}/recall`, { query: 'gears', token_budget: 100 })
    expect(found.json().data).toHaveLength(2)
    const created = await eventsAfter(to.storage, LOG_START)
    const ids = created.flatMap(({ type, data }) => (type === 'memory.session_created' ? [data.sessionId] : []))
    for (const each of sessions) expect(ids).toContain(each.id)
  })

  it('leaves out memory that has expired or exceeds the plan, and reports it', async () => {
    const small = await createTestApp({
      ...OTHER,
      clock: () => new Date(now),
      limits: { plans: { community: { maxMemorySessions: 1 } } },
    })
    try {
      const sessions = jsonOf(members, 'memory/sessions.json')
      const gone = { ...sessions[0], id: crypto.randomUUID(), expires_at: '2020-01-01T00:00:00Z' }
      const { bytes } = await archive({ 'memory/sessions.json': text([gone, ...sessions]) })
      const { result } = await imported(small.app, await signUp(small.app), bytes)
      expect(result).toMatchObject({ counts: { memory_sessions: 1 } })
      const reasons = Object(result).skipped_items.filter((each: { member: string }) =>
        each.member.startsWith('memory'),
      )
      expect(reasons.map((each: { reason: string }) => each.reason)).toEqual(['expired', 'too_many_memory_sessions'])
    } finally {
      await small.close()
    }
  })

  it('stores nothing in a dry run, and nothing twice when the archive is sent again', async () => {
    const eve = await signUp(to.app)
    const { username, bytes } = await archive()
    const dry = await imported(to.app, eve, bytes, { dry_run: 'true' })
    expect(dry.result).toMatchObject({ counts: { posts: 2, memory_sessions: 2 }, skipped_items_count: 3 })
    expect((await client(to.app).get(`/feed/o/${username}?format=json`)).statusCode).toBe(404)
    expect((await imported(to.app, eve, bytes)).status).toBe('succeeded')
    expect((await imported(to.app, eve, bytes)).error?.code).toBe('username_taken')
    expect(await postsOf(to, username)).toHaveLength(2)
    expect((await eve.get('/manage/limits')).json().usage).toMatchObject({ memory_sessions: 2, memory_entries: 2 })
  })

  it('posts as the importing account only, within its limit on links and the posts of its plan', async () => {
    const strict = await createTestApp({
      ...OTHER,
      clock: () => new Date(now),
      limits: { rateLimit: { multiplier: 1 }, plans: { community: { maxPosts: 3 } } },
      feed: { postsPerHour: 3, linksPerPost: 1, newAccounts: { days: 1, postsPerHour: 2, linksPerPost: 1 } },
    })
    try {
      const of = (id: number, more: object = {}) => ({
        id,
        body: `Post ${id}`,
        reply_to: null,
        attachments: [],
        created_at: '2026-05-01T10:00:00Z',
        ...more,
      })
      const links = 'https://spam.example/1 https://spam.example/2'
      const foreign = { attachments: [777_777, 999_999], profile_id: 1, account_id: ada.account.id }
      const posts = [
        of(1, { body: links }),
        of(2, foreign),
        of(3),
        of(4),
        of(5, { created_at: '2026-05-01T09:00:00Z' }),
      ]
      const { username, bytes } = await archive({ 'feed.json': text(posts), 'connections.json': '[]' })
      const eve = await signUp(strict.app)
      const { result, error } = await imported(strict.app, eve, bytes)
      expect([error, result?.skipped_items]).toEqual([
        null,
        [
          { member: 'feed.json', item: '1', reason: 'too_many_links' },
          { member: 'feed.json', item: '4', reason: 'post_limit_reached' },
        ],
      ])
      const shown = (await client(strict.app).get(`/feed/o/${username}?format=json`)).json().data
      const facts = shown.map((post: { body: string; attachments: readonly unknown[] }) => [
        post.body,
        post.attachments,
      ])
      expect(facts).toEqual([
        ['Post 3', []],
        ['Post 2', []],
        ['Post 5', []],
      ])
      const refused = await eve.post('/feed', { body: 'One more' })
      expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'post_limit_reached'])
    } finally {
      await strict.close()
    }
  })

  it('imports no posts for an account that may not post', async () => {
    const eve = await signUp(to.app)
    const admin = await signUp(to.app)
    await makeAdministrator(to, admin)
    await admin.put(`/admin/users/${eve.account.id}/posting`, { open: false })
    const { result } = await imported(to.app, eve, (await archive()).bytes)
    expect(result).toMatchObject({ counts: { posts: 0, memory_sessions: 2 } })
    const reasons = Object(result).skipped_items.filter((each: { member: string }) => each.member === 'feed.json')
    expect(reasons.map((each: { reason: string }) => each.reason)).toEqual(Array(3).fill('posting_closed'))
  })

  it('refuses posts, connections and memory that the service would not accept', async () => {
    const eve = await signUp(to.app)
    const [first] = jsonOf(members, 'feed.json')
    const [session] = jsonOf(members, 'memory/sessions.json')
    const path = [...members.keys()].find((each) => /^memory\/[0-9a-f-]{36}/.test(each)) ?? ''
    const wrong: Record<string, string>[] = [
      { 'feed.json': text([{ ...first, body: '' }]) },
      { 'feed.json': text([{ ...first, body: 'a\u0000b' }]) },
      { 'feed.json': text([{ ...first, body: 'x'.repeat(9_000) }]) },
      { 'feed.json': text([first, first]) },
      { 'feed.json': text({}) },
      { 'connections.json': text([{ side: 'above', did: 'did:key:a', created_at: first.created_at }]) },
      { 'connections.json': text([{ side: 'following', did: 7, created_at: first.created_at }]) },
      { 'memory/sessions.json': text([session, session]) },
      { 'memory/sessions.json': text([{ ...session, agent_did: 'not a DID' }]) },
      { 'memory/sessions.json': text([{ ...session, id: '../profile' }]) },
      { [path]: text([{ id: 1, role: 'owner', content: 'x', created_at: first.created_at }]) },
      { [path]: text([{ id: 1, role: 'user', content: 'x'.repeat(40_000), created_at: first.created_at }]) },
    ]
    for (const changes of wrong) {
      const { bytes } = await archive(changes)
      const { error } = await imported(to.app, eve, bytes, { dry_run: 'true' })
      expect(error?.code, Object.entries(changes).join().slice(0, 200)).toBe('invalid_archive')
    }
  })
})
