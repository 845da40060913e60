import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, makeAdministrator, PASSWORD, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'

type Test = Awaited<ReturnType<typeof createTestApp>>
type Person = Awaited<ReturnType<typeof signUp>>

let test: Test
let root: Person
const NAMED = 'named@example.com'

beforeAll(async () => {
  test = await createTestApp({ auth: { adminEmails: [NAMED] } })
  root = await signUp(test.app, 'grace')
  await makeAdministrator(test, root)
})
afterAll(() => test.close())

const get = (url: string, { headers }: Pick<Person, 'headers'> = root) => client(test.app).get(url, headers)
const decide = (id: string, payload: object, { headers }: Pick<Person, 'headers'> = root) =>
  client(test.app).put(`/admin/users/${id}`, payload, headers)

interface User {
  readonly id: string
  readonly username: string
}
const named = async (query: string): Promise<readonly string[]> =>
  (await get(`/admin/users?limit=100&${query}`)).json().data.map(({ username }: User) => username)

describe('the accounts', () => {
  it('lists accounts to administrators in pages, newest first', async () => {
    for (const name of ['list-one', 'list-two', 'list-three']) await signUp(test.app, name)
    const whole = await named('q=list-')
    expect(whole).toEqual(['list-three', 'list-two', 'list-one'])
    const first = (await get('/admin/users?q=list-&limit=2')).json()
    expect(first.pagination).toMatchObject({ total: 3, has_more: true })
    const second = (await get(`/admin/users?q=list-&limit=2&cursor=${first.pagination.next_cursor}`)).json()
    expect([...first.data, ...second.data].map(({ username }: User) => username)).toEqual(whole)
    expect(second.pagination).toEqual({ total: 3, has_more: false })
    expect(first.data[0]).toEqual({
      id: expect.any(String),
      email: expect.stringMatching(/@/),
      email_verified: false,
      username: 'list-three',
      full_name: null,
      tier: 'community',
      granted_tier: null,
      is_admin: false,
      banned_at: null,
      deletion_scheduled_at: null,
      created_at: expect.any(String),
      subscription: null,
    })
    for (const cursor of ['nonsense', Buffer.from('["x","y"]').toString('base64url')]) {
      expect((await get(`/admin/users?cursor=${cursor}`)).statusCode).toBe(400)
    }
  })

  it('finds accounts by email address, name, id, tier, ban and rights, and treats wildcards literally', async () => {
    const { account } = await signUp(test.app, 'needle')
    expect(await named('q=NEEDLE')).toEqual(['needle'])
    expect(await named(`q=${account.id}`)).toEqual(['needle'])
    expect(await named(`q=${encodeURIComponent(account.email)}`)).toEqual(['needle'])
    expect(await named('q=%25')).toEqual([])
    expect(await named('q=need_e')).toEqual([])
    expect(await named('is_admin=true')).toEqual(['grace'])
    await decide(account.id, { tier: 'team', banned: true })
    expect(await named('tier=team')).toEqual(['needle'])
    expect(await named('banned=true')).toEqual(['needle'])
    expect(await named('banned=false')).not.toContain('needle')
  })

  it('shows the subscriptions of accounts', async () => {
    const { account } = await signUp(test.app, 'subscriber')
    const at = new Date()
    await test.storage.transaction((tx) =>
      tx.subscriptions.put({
        id: account.id,
        accountId: account.id,
        tier: 'pro',
        processor: 'stripe',
        processorSubscriptionId: 'sub_listed',
        processorCustomerId: 'cus_listed',
        status: 'trialing',
        currency: 'usd',
        priceAtCreationCents: 1_200,
        nextTier: null,
        nextPriceCents: null,
        trialEnd: at,
        currentPeriodEnd: at,
        cancelAtPeriodEnd: false,
        canceledAt: null,
        createdAt: at,
        updatedAt: at,
      }),
    )
    const [listed] = (await get('/admin/users?q=subscriber')).json().data
    expect(listed.subscription).toEqual({
      tier: 'pro',
      processor: 'stripe',
      status: 'trialing',
      current_period_end: at.toISOString(),
    })
  })
})

describe('a decision', () => {
  it('grants a tier until it is revoked', async () => {
    const person = await signUp(test.app)
    const { id } = person.account
    expect((await decide(id, { tier: 'pro' })).json()).toMatchObject({ tier: 'pro', granted_tier: 'pro' })
    expect((await get('/auth/me', person)).json().tier).toBe('pro')
    expect((await get('/manage/limits', person)).json().max_files).toBe(1_000)
    expect((await decide(id, { tier: 'community' })).json()).toMatchObject({ tier: 'community', granted_tier: null })
    expect((await get('/auth/me', person)).json().tier).toBe('community')
  })

  it('keeps the pages of a banned account public, its changelog among them', async () => {
    const writer = await createWriter(test.app)
    const { account, contents } = writer
    const page = await writer.newPage({ title: 'Engines' })
    const profile = `/u/${account.username}`
    const paths = [profile, `${profile}/did.json`, `${profile}/changelog`, `/trust${profile}`, contents, page.path]
    const answers = async () => {
      const read = await Promise.all(paths.map((path) => client(test.app).get(path, { accept: 'application/json' })))
      return read.map(({ statusCode, body }, index) => [paths[index], statusCode, body])
    }
    const before = await answers()
    expect(before.map(([, status]) => status)).toEqual(paths.map(() => 200))
    expect((await decide(account.id, { banned: true })).statusCode).toBe(200)
    expect(await answers()).toEqual(before)
  })

  it('bans sessions, keys and signing in immediately, until the ban is lifted', async () => {
    const person = await signUp(test.app)
    const { id, email } = person.account
    const { key } = await newKey(test.app, person.headers)
    const asKey = () => client(test.app).get('/api-keys', { 'x-api-key': key })
    const signIn = () => client(test.app).post('/auth/login', { email, password: PASSWORD })
    expect((await asKey()).statusCode).not.toBe(401)
    expect((await decide(id, { banned: true })).json().banned_at).toEqual(expect.any(String))
    expect((await get('/auth/me', person)).statusCode).toBe(401)
    expect((await asKey()).statusCode).toBe(401)
    expect([(await signIn()).statusCode, codeOf(await signIn())]).toEqual([403, 'account_banned'])
    expect((await decide(id, { banned: false })).json().banned_at).toBeNull()
    const again = await signIn()
    expect(again.statusCode).toBe(200)
    const sessions = await get('/auth/sessions', { headers: { authorization: `Bearer ${again.json().token}` } })
    expect(sessions.json().pagination.total).toBe(1)
    // A session from before the ban stays ended.
    expect((await get('/auth/me', person)).statusCode).toBe(401)
  })

  it('finds one account by its whole email address, whatever its case', async () => {
    const { account } = await signUp(test.app, 'found-by-mail')
    const { email } = account
    expect(await named(`email=${encodeURIComponent(email)}`)).toEqual(['found-by-mail'])
    expect(await named(`email=${encodeURIComponent(email.toUpperCase())}`)).toEqual(['found-by-mail'])
    expect(await named(`email=${encodeURIComponent(email.slice(1))}`)).toEqual([])
    expect(await named(`email=${encodeURIComponent(email)}&banned=true`)).toEqual([])
    for (const wrong of ['nothing', '', `${'x'.repeat(250)}@example.com`, `${email}%00`]) {
      const response = await get(`/admin/users?email=${wrong}`)
      expect([response.statusCode, codeOf(response)], wrong).toEqual([400, 'validation_failed'])
    }
  })

  it('returns one account, as it is listed', async () => {
    const { account, headers } = await signUp(test.app, 'got-by-id')
    const response = await get(`/admin/users/${account.id}`)
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(response.json()).toEqual((await get('/admin/users?q=got-by-id')).json().data[0])
    expect((await get(`/admin/users/${account.id}`, { headers })).statusCode).toBe(403)
    for (const id of ['00000000-0000-4000-8000-000000000000', 'got-by-id', "'"]) {
      const missing = await get(`/admin/users/${id}`)
      expect([missing.statusCode, codeOf(missing)], id).toEqual([404, 'user_not_found'])
    }
  })

  it('grants and revokes administrator rights', async () => {
    const person = await signUp(test.app)
    expect((await get('/admin/stats', person)).statusCode).toBe(403)
    expect((await decide(person.account.id, { is_admin: true })).json().is_admin).toBe(true)
    expect((await get('/admin/stats', person)).statusCode).toBe(200)
    await decide(person.account.id, { is_admin: false })
    expect((await get('/admin/stats', person)).statusCode).toBe(403)
  })

  it('rejects decisions of administrators about themselves or about configured administrators', async () => {
    for (const own of [{ banned: true }, { is_admin: false }]) {
      expect(codeOf(await decide(root.account.id, own))).toBe('cannot_modify_self')
    }
    expect((await decide(root.account.id, { tier: 'team' })).statusCode).toBe(200)
    const person = await signUp(test.app)
    await test.storage.transaction((tx) =>
      tx.accounts.save(person.account.id, { email: NAMED, emailVerified: true, emailOwned: true }),
    )
    // The session from before the address was verified does not administer.
    expect((await get('/admin/stats', person)).statusCode).toBe(403)
    const { token } = (await login(test.app, NAMED)).json()
    expect((await get('/admin/stats', { headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(200)
    for (const taken of [{ is_admin: false }, { banned: true }, { tier: 'pro', banned: true }]) {
      expect(codeOf(await decide(person.account.id, taken))).toBe('named_administrator')
    }
    const [listed] = (await get(`/admin/users?q=${person.account.id}`)).json().data
    expect(listed.is_admin).toBe(true)
  })

  it('records a decision with its author and the previous values', async () => {
    const { account } = await signUp(test.app)
    await decide(account.id, { tier: 'team', is_admin: true })
    await decide(account.id, { banned: true })
    const { data, pagination } = (await get(`/admin/audit?target=accounts/${account.id}`)).json()
    expect(pagination.total).toBe(2)
    expect(data).toMatchObject([
      { action: 'account.decided', before: { banned: false }, after: { banned: true, tier: 'team' } },
      {
        actor_account_id: root.account.id,
        before: { tier: 'community', granted_tier: null, banned: false, is_admin: false },
        after: { tier: 'team', granted_tier: 'team', banned: false, is_admin: true },
      },
    ])
  })

  it('rejects a decision that is empty, names an unknown tier, or is about an unknown account', async () => {
    const { account } = await signUp(test.app)
    for (const body of [{}, { tier: 'enterprise' }]) {
      expect((await decide(account.id, body)).statusCode, JSON.stringify(body)).toBe(400)
    }
    expect((await decide('00000000-0000-4000-8000-000000000000', { tier: 'pro' })).statusCode).toBe(404)
    expect((await decide('unknown', { tier: 'pro' })).statusCode).toBe(404)
  })

  it('applies concurrent decisions of two administrators about one account completely', async () => {
    const { account } = await signUp(test.app)
    const decisions = [{ tier: 'pro' }, { banned: true }, { is_admin: true }]
    for (const { statusCode } of await Promise.all(decisions.map((one) => decide(account.id, one)))) {
      expect(statusCode).toBe(200)
    }
    const [listed] = (await get(`/admin/users?q=${account.id}`)).json().data
    expect(listed).toMatchObject({ tier: 'pro', is_admin: true, banned_at: expect.any(String) })
    expect((await get(`/admin/audit?target=accounts/${account.id}`)).json().pagination.total).toBe(3)
  })

  it.each([{ is_admin: false }, { banned: true }])(
    'carries out one of two concurrent decisions of administrators about each other: %o',
    async (taken) => {
      const [ada, bob] = [await signUp(test.app), await signUp(test.app)]
      for (const { account } of [ada, bob]) await decide(account.id, { is_admin: true })
      const answers = await Promise.all([decide(bob.account.id, taken, ada), decide(ada.account.id, taken, bob)])
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      const both = await Promise.all([ada, bob].map(({ account }) => test.storage.read.accounts.get(account.id)))
      expect(both.filter((account) => account?.isAdmin && !account.bannedAt)).toHaveLength(1)
    },
  )
})

describe('administration', () => {
  it('returns statistics', async () => {
    const before = (await get('/admin/stats')).json()
    const { headers, account } = await signUp(test.app)
    await client(test.app).post(
      '/manage/pages',
      { profile_id: account.active_profile_id, title: 'One', body: 'Text', status: 'published' },
      headers,
    )
    const after = (await get('/admin/stats')).json()
    expect(after).toEqual({
      ...before,
      accounts: {
        ...before.accounts,
        total: before.accounts.total + 1,
        last_30_days: before.accounts.last_30_days + 1,
        by_tier: { ...before.accounts.by_tier, community: before.accounts.by_tier.community + 1 },
      },
      profiles: { total: before.profiles.total + 1, by_type: { person: before.profiles.by_type.person + 1 } },
      pages: { total: before.pages.total + 1, published: before.pages.published + 1 },
    })
  })
})
