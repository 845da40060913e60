import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { watchedStorage } from '../support/watched-storage.ts'

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

let test: Awaited<ReturnType<typeof createTestApp>>
let number = 0
const fresh = () => `board-${++number}`

beforeAll(async () => {
  // Members are put into the storage here, past what would empty the cache.
  test = await createTestApp({ limits: { readCacheEntries: 0 } })
})
afterAll(() => test.close())

async function made(headers: Headers, url: string, payload: Fields) {
  const response = await client(test.app).with(headers).post(url, payload)
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.json()
}

const join = (profileId: number, accountId: string, role: 'admin' | 'editor' | 'viewer') =>
  test.storage.transaction((tx) => tx.members.put({ profileId, accountId, role, createdAt: new Date() }))

async function organization(headers: Headers, fields: Fields = {}) {
  const username = fresh()
  await made(headers, '/profiles', { profile_type: 'organization', username, ...fields })
  const { id } = (await client(test.app).with(headers).get(`/profiles/o/${username}`)).json()
  return { id: id as number, username }
}

describe('the dashboard', () => {
  const dashboard = async (headers: Headers, query = '') => {
    const response = await client(test.app).with(headers).get(`/dashboard/profiles${query}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  it('lists the profiles of an account with their type data and metrics', async () => {
    const { headers, account } = await signUp(test.app)
    const type_data = { legal_name: 'Engines Ltd', founded: 1843 }
    const { id, username } = await organization(headers, { type_data, bio: 'Hello.', visibility: 'private' })
    const category = await made(headers, '/manage/categories', { profile_id: id, name: 'Notes' })
    const page = await made(headers, '/manage/pages', { profile_id: id, title: 'One', body: '', status: 'published' })
    for (const title of ['Two', 'Three']) {
      await made(headers, '/manage/pages', { profile_id: id, category_id: category.id, title, body: '' })
    }
    await made(headers, `/content/pages/${page.id}/reactions`, { kind: 'like' })

    const { profiles, pagination } = await dashboard(headers)
    expect(pagination).toEqual({ total: 2, has_more: false })
    expect(profiles[0]).toMatchObject({ username: account.username, profile_type: 'person', role: 'owner' })
    expect(profiles[1]).toEqual({
      id,
      did: `did:web:profiles.example:o:${username}`,
      profile_type: 'organization',
      username,
      full_name: null,
      bio: 'Hello.',
      avatar_url: null,
      cover_url: null,
      accent: null,
      capabilities: [],
      visibility: 'private',
      type_data,
      files: [],
      trust_score: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      url: `https://profiles.example/o/${username}`,
      role: 'owner',
      completion: { missing: ['avatar', 'socials', 'skills'], count: 3 },
      metrics: {
        pages: { draft: 2, published: 1, archived: 0 },
        categories: 1,
        reactions: { like: 1, bookmark: 0 },
        sales: 0,
      },
    })
  })

  it('lists the profiles of the caller’s teams after its own profiles, and no others', async () => {
    const [owner, member] = [await signUp(test.app), await signUp(test.app)]
    const shared = await organization(owner.headers, { visibility: 'private' })
    await organization(owner.headers)
    await join(shared.id, member.account.id, 'viewer')
    const { profiles, pagination } = await dashboard(member.headers)
    expect(profiles.map(({ id, role }: Fields) => [id, role])).toEqual([
      [member.account.active_profile_id, 'owner'],
      [shared.id, 'viewer'],
    ])
    expect(pagination.total).toBe(2)
    await test.storage.transaction((tx) => tx.members.delete(shared.id, member.account.id))
    expect((await dashboard(member.headers)).profiles).toHaveLength(1)
  })

  it('lists the dashboard in pages', async () => {
    const { headers } = await signUp(test.app)
    for (let more = 0; more < 4; more += 1) await organization(headers)
    const whole = (await dashboard(headers)).profiles.map(({ id }: Fields) => id)
    const seen: unknown[] = []
    for (let cursor = ''; ; ) {
      const { profiles, pagination } = await dashboard(headers, `?limit=2${cursor}`)
      seen.push(...profiles.map(({ id }: Fields) => id))
      expect(pagination.total).toBe(5)
      if (!pagination.has_more) break
      cursor = `&cursor=${pagination.next_cursor}`
    }
    expect(seen).toEqual(whole)
    expect(whole).toHaveLength(5)
    for (const query of [
      'limit=0',
      'limit=101',
      'cursor=nonsense',
      `cursor=${Buffer.from('[1]').toString('base64url')}`,
    ]) {
      expect((await client(test.app).with(headers).get(`/dashboard/profiles?${query}`)).statusCode, query).toBe(400)
    }
  })

  it('uses as many queries for many profiles as for one', async () => {
    const { headers } = await signUp(test.app)
    const { storage, asked } = watchedStorage(test.storage)
    const { app, close } = await createTestApp({
      storage,
      secret: 'a secret for tests, of thirty-two characters or more',
    })
    const count = async () => {
      const before = asked.length
      expect((await client(app).get('/dashboard/profiles', headers)).statusCode).toBe(200)
      return asked.length - before
    }
    await count()
    const one = await count()
    for (let more = 0; more < 6; more += 1) await organization(headers)
    // Consumers may read the new profiles in the background meanwhile.
    await expect.poll(count).toBe(one)
    await close()
  })

  it('reads the trust in profiles of several owners with one query, and not again while it is cached', async () => {
    const { headers, account } = await signUp(test.app)
    for (let more = 0; more < 3; more += 1) {
      const shared = await organization((await signUp(test.app)).headers)
      await join(shared.id, account.id, 'viewer')
    }
    const { storage, asked } = watchedStorage(test.storage)
    const { app, close } = await createTestApp({
      storage,
      secret: 'a secret for tests, of thirty-two characters or more',
    })
    const trustCalls = async () => {
      asked.length = 0
      const { profiles } = (await client(app).get('/dashboard/profiles', headers)).json()
      expect(profiles).toHaveLength(4)
      return asked.filter((call) => /listProofs|^(receipts|wallets|identities)\./.test(call))
    }
    expect(await trustCalls()).toEqual(['profileNumbers.listProofs'])
    // This instance is still reading the log, which empties its cache.
    await expect.poll(trustCalls).toEqual([])
    await close()
  })
})

describe('the completion of a profile', () => {
  it('lists missing parts until a profile is complete', async () => {
    const { headers, account } = await signUp(test.app)
    const url = `/profiles/${account.active_profile_id}/completion`
    const completion = async () => (await client(test.app).with(headers).get(url)).json()
    expect(await completion()).toEqual({ missing: ['avatar', 'bio', 'socials', 'skills'], count: 4 })
    await client(test.app)
      .with(headers)
      .put('/manage/profile', { bio: 'Hello.', skills: ['gears'] })
    expect(await completion()).toEqual({ missing: ['avatar', 'socials'], count: 2 })
    const rest = { avatar_url: 'https://cdn.example/a.png', socials: { web: 'https://ada.example' } }
    await client(test.app).with(headers).put('/manage/profile', rest)
    expect(await completion()).toEqual({ missing: [], count: 0 })
  })

  it('shows the completion of a profile to its team only', async () => {
    const [owner, other] = [await signUp(test.app), await signUp(test.app)]
    const { id } = await organization(owner.headers)
    const url = `/profiles/${id}/completion`
    expect(codeOf(await other.get(url))).toBe('profile_not_found')
    await join(id, other.account.id, 'viewer')
    expect((await other.get(url)).statusCode).toBe(200)
    expect((await owner.get('/profiles/999999999/completion')).statusCode).toBe(404)
    expect((await owner.get('/profiles/x/completion')).statusCode).toBe(404)
  })
})

describe('the own profile', () => {
  const EDITABLE = {
    full_name: 'Ada Lovelace',
    bio: 'Hello.',
    avatar_url: 'https://cdn.example/a.png',
    email: 'ada@example.com',
    skills: ['gears'],
    socials: { github: 'https://github.com/ada' },
    agent_instructions: 'Ask.',
    agent_rules: 'Do not shout.',
    keywords: ['steam'],
    custom_fields: { cogs: 12 },
  }

  it('uses the person profile of the account, and accepts the members of the interface', async () => {
    const { headers, account } = await signUp(test.app)
    await organization(headers)
    expect((await client(test.app).with(headers).get('/manage/profile')).json()).toMatchObject({
      id: account.active_profile_id,
      email: null,
    })
    for (const [field, value] of Object.entries(EDITABLE)) {
      const response = await client(test.app)
        .with(headers)
        .put('/manage/profile', { [field]: value })
      expect(response.statusCode, field).toBe(200)
      expect(response.json()[field], field).toEqual(value)
    }
    expect((await client(test.app).with(headers).get('/manage/profile')).json()).toMatchObject(EDITABLE)
    expect((await client(test.app).get(`/u/${account.username}?format=json`)).json().bio).toBe('Hello.')
  })

  it('ignores other members, and requires at least one known member', async () => {
    const { headers, account } = await signUp(test.app)
    const others = {
      visibility: 'private',
      capabilities: ['hireable'],
      username: 'someone-else',
      profile_type: 'agent',
      type_data: { headline: 'x' },
      id: 1,
      surprise: true,
    }
    const changed = await client(test.app)
      .with(headers)
      .put('/manage/profile', { ...others, bio: 'New.' })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toMatchObject({
      bio: 'New.',
      visibility: 'public',
      capabilities: [],
      username: account.username,
      profile_type: 'person',
      type_data: {},
      id: account.active_profile_id,
    })
    for (const body of [{}, others]) {
      const response = await client(test.app).with(headers).put('/manage/profile', body)
      expect([response.statusCode, codeOf(response)]).toEqual([400, 'no_editable_fields'])
    }
  })

  it('validates the own profile like any other', async () => {
    const { headers } = await signUp(test.app)
    for (const body of [
      { bio: 1 },
      { bio: 'x'.repeat(5001) },
      { skills: 'gears' },
      { email: 'invalid' },
      { bio: 'x', skills: [1] },
    ]) {
      const response = await client(test.app).with(headers).put('/manage/profile', body)
      expect(response.statusCode).toBe(400)
      expect(codeOf(response)).toBe('validation_failed')
    }
    expect((await client(test.app).with(headers).get('/manage/profile')).json().bio).toBeNull()
  })

  it('uses the acting profile if the request names one', async () => {
    const [owner, member] = [await signUp(test.app), await signUp(test.app)]
    const shared = await organization(owner.headers)
    const as = (headers: Headers, id: unknown) => ({ ...headers, 'x-active-profile-id': String(id) })
    const change = (headers: Headers) =>
      client(test.app).with(as(headers, shared.id)).put('/manage/profile', { bio: 'Acting.' })
    expect((await change(owner.headers)).json()).toMatchObject({ id: shared.id, bio: 'Acting.' })
    expect((await change(member.headers)).statusCode).toBe(403)
    await join(shared.id, member.account.id, 'viewer')
    expect((await client(test.app).with(as(member.headers, shared.id)).get('/manage/profile')).json()).toMatchObject({
      id: shared.id,
    })
    expect((await change(member.headers)).statusCode).toBe(403)
    await join(shared.id, member.account.id, 'editor')
    expect((await change(member.headers)).json()).toMatchObject({ id: shared.id, bio: 'Acting.' })

    await owner.put(`/profiles/o/${shared.username}`, { visibility: 'private' })
    const otherUser = await signUp(test.app)
    expect((await change(otherUser.headers)).statusCode).toBe(404)
    for (const id of ['x', '0', '-1', '1.5', '']) {
      expect((await client(test.app).with(as(owner.headers, id)).get('/manage/profile')).statusCode, id).toBe(400)
    }
    expect((await client(test.app).with(as(owner.headers, 999_999_999)).get('/manage/profile')).statusCode).toBe(404)
    const problem = { ...as(owner.headers, 999_999_999), accept: 'application/problem+json' }
    expect((await client(test.app).with(problem).get('/manage/profile')).headers['content-type']).toMatch(
      /problem\+json/,
    )
    const { paths } = (await client(test.app).get('/docs/openapi.json')).json()
    expect(paths['/manage/profile'].put.parameters).toContainEqual(
      expect.objectContaining({ name: 'x-active-profile-id', in: 'header', required: false }),
    )
  })

  it('uses another profile of the account without a person profile', async () => {
    const { headers, account } = await signUp(test.app)
    const { id, username } = await organization(headers)
    await client(test.app).with(headers).delete(`/profiles/u/${account.username}`)
    expect((await client(test.app).with(headers).get('/manage/profile')).json().id).toBe(id)
    await client(test.app).with(headers).delete(`/profiles/o/${username}`)
    for (const method of ['GET', 'PUT'] as const) {
      const response = await client(test.app)
        .with(headers)
        .send(method, '/manage/profile', method === 'PUT' ? { bio: 'x' } : undefined)
      expect([response.statusCode, codeOf(response)]).toEqual([404, 'profile_not_found'])
    }
  })
})

describe('the limits', () => {
  const LIMITS = {
    community: [50, 5, 20, 250, 25, 50, 50, 30, 15, 5, 5, 60, 10_000, 5_000, 10_000, 20, 10_000, 10, 1000],
    pro: [1000, 20, 200, 10240, 100, 500, 500, 300, 60, 20, 25, 300, 50_000, 20_000, 50_000, 500, 10_000, 250, 500],
    team: [
      10000, 50, 1000, 102400, 250, 1024, 1024, 1500, 180, 20, 100, 1000, 200_000, 100_000, 100_000, 5_000, 10_000,
      2_500, 200,
    ],
  } as const

  it.each(['community', 'pro', 'team'] as const)(
    'returns the limits of the tier %s with current usage',
    async (tier) => {
      const { headers, account } = await signUp(test.app)
      const { id } = await organization(headers)
      await made(headers, '/manage/pages', { profile_id: id, title: 'One', body: '' })
      await test.storage.transaction((tx) => tx.accounts.save(account.id, { tier }))
      const { usage, ...limits } = (await client(test.app).with(headers).get('/manage/limits')).json()
      expect(Object.entries(limits)).toEqual(
        [
          'max_files',
          'max_batch_files',
          'max_batch_size_mb',
          'max_storage_mb',
          'max_audio_upload_mb',
          'max_video_upload_mb',
          'max_media_size_mb',
          'transcription_minutes_per_month',
          'max_media_duration_minutes_per_file',
          'concurrent_streams',
          'max_file_mb',
          'api_requests_per_minute',
          'max_posts',
          'max_follows',
          'max_archive_members',
          'max_memory_sessions',
          'max_memory_entries_per_session',
          'max_memory_mb',
          'commission_bps',
        ].map((name, index) => [name, LIMITS[tier][index]]),
      )
      expect(usage).toEqual({
        profiles: 2,
        pages: 1,
        files: 0,
        storage_mb: 0,
        transcription_minutes: 0,
        transcription_minutes_reserved: 0,
        memory_sessions: 0,
        memory_entries: 0,
        memory_bytes: 0,
      })
    },
  )

  it('returns the limits that the host configured', async () => {
    const generous = await createTestApp({
      limits: { plans: { community: { commissionBps: 300, limits: { maxFiles: 7 } } } },
    })
    const { headers } = await signUp(generous.app)
    const limits = (await client(generous.app).get('/manage/limits', headers)).json()
    expect(limits).toMatchObject({ max_files: 7, max_batch_files: 5, commission_bps: 300 })
    await generous.close()
  })
})
