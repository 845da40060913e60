import { serviceProbe } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  login,
  makeAdministrator,
  me,
  PASSWORD,
  sessionCookieOf,
  signOut,
  signUp,
} from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { watchedStorage } from '../support/watched-storage.ts'

type Headers = Record<string, string>

const { clock, at } = createClock()
const { database, instance } = await openInstances({ clock })
const app = await instance()
const elsewhere = await instance()

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const list = async (headers: Headers, query = '') => (await client(app).get(`/auth/sessions${query}`, headers)).json()
const remove = (headers: Headers, path = '') => client(app).delete(`/auth/sessions${path}`, headers)

/** Another session of an account, signed in with Firefox. */
async function signInAgain(email: string): Promise<Headers> {
  const response = await client(app).post('/auth/login', { email, password: PASSWORD }, { 'user-agent': FIREFOX })
  return bearer(response.json().token)
}

const statusOn = async (instanceOfService: typeof app, headers: Headers) =>
  (await me(instanceOfService, headers)).statusCode

describe('POST /auth/logout', () => {
  /** A sign-in with both tokens: the headers of a browser and of another client. */
  const bothOf = (response: Awaited<ReturnType<typeof login>>) => {
    const cookie = sessionCookieOf(response)?.value ?? ''
    return { cookie, asCookie: { cookie: `__Host-eep_session=${cookie}` }, asBearer: bearer(response.json().token) }
  }

  it('ends the cookie on every instance, and neither the bearer token of the sign-in nor another session', async () => {
    const { account, headers } = await signUp(app)
    const { cookie, asCookie, asBearer } = bothOf(await login(app, account.email))
    expect(await statusOn(elsewhere, asCookie)).toBe(200)
    expect(await statusOn(elsewhere, bearer(cookie))).toBe(401)
    const response = await client(app).with(asCookie).post('/auth/logout')
    expect(response.statusCode).toBe(200)
    expect(sessionCookieOf(response)).toMatchObject({ value: '', maxAge: 0 })
    for (const service of [app, elsewhere]) {
      const refused = await me(service, asCookie)
      expect([refused.statusCode, codeOf(refused)]).toEqual([401, 'invalid_token'])
      expect(await statusOn(service, bearer(cookie))).toBe(401)
      expect(await statusOn(service, asBearer)).toBe(200)
      expect(await statusOn(service, headers)).toBe(200)
    }
    const { data } = await list(asBearer)
    expect(data.filter(({ current }: { readonly current: boolean }) => current)).toMatchObject([{ uses: ['bearer'] }])
    expect(data).toHaveLength(2)
    expect((await client(app).with(asCookie).post('/auth/logout')).statusCode).toBe(401)
  })

  it('ends the session with its last token, and a bearer token that the cookie holds', async () => {
    const { account, headers } = await signUp(app)
    const { asCookie, asBearer } = bothOf(await login(app, account.email))
    expect((await client(app).with(asCookie).post('/auth/logout')).statusCode).toBe(200)
    expect((await signOut(app, asBearer)).statusCode).toBe(200)
    expect(await statusOn(elsewhere, asBearer)).toBe(401)
    expect((await list(headers)).data).toHaveLength(1)
  })

  it('ends what the cookie holds when a bearer token identifies the caller', async () => {
    const { account, headers } = await signUp(app)
    const { asCookie } = bothOf(await login(app, account.email))
    expect(
      (
        await client(app)
          .with({ ...headers, ...asCookie })
          .post('/auth/logout')
      ).statusCode,
    ).toBe(200)
    expect([await statusOn(elsewhere, asCookie), await statusOn(elsewhere, headers)]).toEqual([401, 200])
  })

  it('leaves no token of a session that its owner ended', async () => {
    const { account, headers } = await signUp(app)
    const { asCookie, asBearer } = bothOf(await login(app, account.email))
    const [{ id }] = (await list(headers)).data.filter(({ current }: { current: boolean }) => !current)
    expect((await remove(headers, `/${id}`)).statusCode).toBe(200)
    expect([await statusOn(elsewhere, asCookie), await statusOn(elsewhere, asBearer)]).toEqual([401, 401])
  })

  it('keeps API keys valid', async () => {
    const { headers } = await signUp(app)
    const key = await newKey(app, headers)
    await signOut(app, headers)
    expect(await statusOn(app, key.headers)).toBe(200)
  })
})

describe('every session of an account', () => {
  it.each([
    [
      'the password changes',
      (headers: Headers) =>
        client(app).put(
          '/auth/change-password',
          { current_password: PASSWORD, new_password: 'Another staple 8 horse' },
          headers,
        ),
    ],
    [
      'the account is deleted',
      (headers: Headers) => client(app).send('DELETE', '/auth/account', { password: PASSWORD }, headers),
    ],
  ])('ends when %s', async (_when, act) => {
    const { account, headers } = await signUp(app)
    const other = await signInAgain(account.email)
    expect((await act(headers)).statusCode).toBe(200)
    for (const each of [headers, other]) expect(await statusOn(elsewhere, each)).toBe(401)
    const kept = await database.storage.read.sessions.listOfAccount(account.id, clock(), { limit: 10 })
    expect(kept.items).toHaveLength(_when === 'the password changes' ? 1 : 0)
  })

  it('ends when the account is banned, and stays ended when the ban is lifted', async () => {
    const [{ account, headers }, boss] = [await signUp(app), await signUp(app)]
    await makeAdministrator(database, boss)
    for (const banned of [true, false]) {
      const decided = await client(app).as(boss).put(`/admin/users/${account.id}`, { banned })
      expect(decided.statusCode).toBe(200)
      expect(await statusOn(elsewhere, headers)).toBe(401)
    }
    expect((await list(bearer((await login(app, account.email)).json().token))).data).toHaveLength(1)
  })
})

describe('GET /auth/sessions', () => {
  it('lists the sessions of the account, newest first, and marks the current one', async () => {
    const { account, headers } = await signUp(app)
    await signUp(app)
    const later = await at(clock().getTime() + 1_000, () => signInAgain(account.email))
    const { data, pagination } = await list(headers)
    expect(pagination).toEqual({ total: 2, has_more: false })
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: new Date(clock().getTime() + 1_000).toISOString(),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
        user_agent: 'Firefox on Linux',
        current: false,
        uses: ['cookie', 'bearer'],
      },
      expect.objectContaining({ user_agent: 'lightMyRequest', current: true }),
    ])
    expect((await list(later)).data.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    const first = await list(headers, '?limit=1')
    expect(first.pagination).toMatchObject({ total: 2, has_more: true })
    const second = await list(headers, `?limit=1&cursor=${first.pagination.next_cursor}`)
    expect([...first.data, ...second.data]).toEqual(data)
  })
})

describe('DELETE /auth/sessions', () => {
  it('ends one session of the account, which is refused from the next request on', async () => {
    const { account, headers } = await signUp(app)
    const other = await signInAgain(account.email)
    const [{ id }] = (await list(headers)).data.filter(({ current }: { current: boolean }) => !current)
    expect((await remove(headers, `/${id}`)).statusCode).toBe(200)
    expect(await statusOn(elsewhere, other)).toBe(401)
    expect(await statusOn(elsewhere, headers)).toBe(200)
    const again = await remove(headers, `/${id}`)
    expect(again.statusCode).toBe(404)
    expect(codeOf(again)).toBe('session_not_found')
  })

  it('clears the cookie when it ends the current session', async () => {
    const { headers } = await signUp(app)
    const [{ id }] = (await list(headers)).data
    expect(sessionCookieOf(await remove(headers, `/${id}`))).toMatchObject({ value: '' })
    expect(await statusOn(app, headers)).toBe(401)
  })

  it('ends no session of another account, and none by an id that is not a UUID', async () => {
    const [one, two] = [await signUp(app), await signUp(app)]
    const [{ id }] = (await list(one.headers)).data
    for (const path of [`/${id}`, '/no-uuid', '/1']) expect((await remove(two.headers, path)).statusCode).toBe(404)
    expect(await statusOn(app, one.headers)).toBe(200)
  })

  it('ends all other sessions', async () => {
    const { account, headers } = await signUp(app)
    const others = [await signInAgain(account.email), await signInAgain(account.email)]
    const bystander = await signUp(app)
    const response = await remove(headers)
    expect(response.json()).toEqual({ success: true, ended: 2 })
    for (const each of others) expect(await statusOn(elsewhere, each)).toBe(401)
    for (const each of [headers, bystander.headers]) expect(await statusOn(elsewhere, each)).toBe(200)
  })
})

describe('the cost of sessions', () => {
  it('uses one query for an authenticated request, and none for a public read', async () => {
    const { storage, asked } = watchedStorage(database.storage)
    const watched = await instance({ storage })
    const { headers, account } = await signUp(watched)
    asked.length = 0
    await me(watched, headers)
    expect(asked).toEqual(['sessions.getWithAccount', 'members.listProfiles'])
    await client(watched).get(`/u/${account.username}`)
    asked.length = 0
    expect((await client(watched).get(`/u/${account.username}`)).statusCode).toBe(200)
    expect(asked).toEqual([])
  })

  it('writes the last use of a session at most every five minutes', async () => {
    const { storage, asked } = watchedStorage(database.storage)
    const probe = serviceProbe()
    const watched = await instance({ storage, modules: [probe.module] })
    const { headers } = await signUp(watched)
    const start = clock().getTime()
    const useAt = (seconds: number) => at(start + seconds * 1_000, () => me(watched, headers))
    asked.length = 0
    for (const seconds of [1, 200, 299]) await useAt(seconds)
    expect(asked).not.toContain('write')
    for (const seconds of [300, 301, 450]) {
      await useAt(seconds)
      await probe.services.accounts?.close()
    }
    expect(asked.filter((one) => one === 'write')).toHaveLength(1)
    const [{ last_used_at }] = (await list(headers)).data
    expect(last_used_at).toBe(new Date(start + 300_000).toISOString())
  })
})

describe('the limit of authentication routes', () => {
  it('does not count reads of the account, its wallets and sessions', async () => {
    const strict = await instance({ limits: { rateLimit: { multiplier: 1 } } })
    const { headers } = await signUp(app)
    for (const url of ['/auth/me', '/auth/siwe/wallets', '/auth/sessions']) {
      const response = await client(strict).get(url, headers)
      expect(response.headers['x-ratelimit-limit'], url).toBe('100')
      expect(response.headers['ratelimit-policy'], url).toContain('"default"')
    }
    const policies = async (method: 'POST' | 'PUT' | 'DELETE', url: string) =>
      (await client(strict).send(method, url, {}, headers)).headers['x-ratelimit-limit']
    for (const url of [
      '/auth/login',
      '/auth/register',
      '/auth/forgot-password',
      '/auth/reset-password',
      '/auth/verify',
    ]) {
      expect(await policies('POST', url), url).toBe('5')
    }
    expect(await policies('PUT', '/auth/change-password')).toBe('5')
    expect(await policies('DELETE', '/auth/account')).toBe('5')
    expect(await policies('POST', '/auth/siwe/nonce')).toBe('5')
    expect(await policies('POST', '/auth/logout')).toBe('100')
  })
})
