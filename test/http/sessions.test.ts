import { randomUUID } from 'node:crypto'
import type { AccountChanges } from '@eep/core/ports'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { codeOf, login, me, newName, PASSWORD, sessionCookieOf, shareOfSlower, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { PUBLIC_URL, SECRET } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { countedStorage } from '../support/counted-storage.ts'
import { openInstances } from '../support/instances.ts'
import { countingAllButRequests } from '../support/rate-limits.ts'

const { clock, at } = createClock()
const { database, instance } = await openInstances({ clock })
const app = await instance()

const change = (id: string, changes: AccountChanges) =>
  database.storage.transaction((tx) => tx.accounts.save(id, changes))
const eventsSince = async (after: string, accountId: string) =>
  (await eventsAfter(database.storage, after)).filter((event) => event.accountId === accountId)
const daysLater = (days: number) => new Date(clock().getTime() + days * 86_400_000)

describe('POST /auth/login', () => {
  it('signs in with the email address in any spelling', async () => {
    const { account } = await signUp(app)
    const response = await login(app, account.email.toUpperCase())
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    const { token, token_type, user } = response.json()
    expect(token_type).toBe('Bearer')
    expect(user).toMatchObject({ id: account.id, active_profile_id: account.active_profile_id })
    expect(sessionCookieOf(response)).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax' })
    expect((await me(app, { authorization: `Bearer ${token}` })).statusCode).toBe(200)
  })

  it('starts another session each time', async () => {
    const { account, token } = await signUp(app)
    const tokens = [
      token,
      (await login(app, account.email)).json().token,
      (await login(app, account.email)).json().token,
    ]
    expect(new Set(tokens).size).toBe(3)
  })

  it.each([
    ['no password', { email: 'ada@example.com' }],
    ['no email address', { password: PASSWORD }],
    ['a password of another type', { email: 'ada@example.com', password: { $ne: '' } }],
    ['a field that it does not know', { email: 'ada@example.com', password: PASSWORD, remember: true }],
    ['an email address with a NUL', { email: 'ada\u0000@example.com', password: PASSWORD }],
    ['a password of 2,000 characters', { email: 'ada@example.com', password: 'a'.repeat(2_000) }],
  ])('refuses %s', async (_what, body) => {
    const response = await client(app).post('/auth/login', body)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('validation_failed')
  })

  it('answers an unknown email address like a wrong password', async () => {
    const { account } = await signUp(app)
    const wrongPassword = await login(app, account.email, 'Wrong password 1')
    const unknown = await login(app, 'unknown@example.com', 'Wrong password 1')
    expect(wrongPassword.statusCode).toBe(401)
    expect(unknown.statusCode).toBe(401)
    expect(codeOf(unknown)).toBe('invalid_credentials')
    expect(unknown.body).toBe(wrongPassword.body)
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrongPassword.headers))
    expect(unknown.headers['www-authenticate']).toMatch(/^Bearer resource_metadata=/)
    expect(sessionCookieOf(unknown)).toBeUndefined()
  })

  it('takes as long for an unknown email address as for a wrong password', async () => {
    const { account } = await signUp(app)
    const share = await shareOfSlower(account.email, (email) => login(app, email, 'Wrong password 1'))
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.7)
  })

  it('refuses every password for an account without one', async () => {
    const id = randomUUID()
    const email = `${id}@example.com`
    await database.storage.transaction((tx) =>
      tx.accounts.insert({ id, email, username: id, fullName: null, passwordHash: null, createdAt: clock() }),
    )
    const response = await login(app, email, '')
    expect(response.statusCode).toBe(400)
    expect((await login(app, email)).statusCode).toBe(401)
  })

  it('rehashes the password when the parameters have changed', async () => {
    const { account } = await signUp(app)
    const hashOf = async () => database.storage.read.accounts.getPasswordHash(account.id)
    const before = await hashOf()
    const stronger = await instance({ auth: { passwordHashing: { memoryKiB: 2_048, iterations: 3 } } })

    await login(stronger, account.email, 'Wrong password 1')
    expect(await hashOf()).toBe(before)
    expect((await login(stronger, account.email, PASSWORD)).statusCode).toBe(200)
    const after = await hashOf()
    expect(after).toContain('m=2048')
    expect(after).toContain('t=3')

    expect((await login(app, account.email)).statusCode).toBe(200)
    expect(await hashOf()).toBe(after)
  })

  it('reports a ban only after the correct password', async () => {
    const { account } = await signUp(app)
    await change(account.id, { bannedAt: clock() })
    const response = await login(app, account.email)
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('account_banned')
    expect(sessionCookieOf(response)).toBeUndefined()
    expect(codeOf(await login(app, account.email, 'Wrong password 1'))).toBe('invalid_credentials')
  })

  it('cancels a scheduled deletion', async () => {
    const { account } = await signUp(app)
    await change(account.id, { deletionScheduledAt: daysLater(30) })
    const response = await login(app, account.email)
    expect(response.statusCode).toBe(200)
    expect(response.json().user.deletion_scheduled_at).toBeNull()
    expect((await database.storage.read.accounts.get(account.id))?.deletionScheduledAt).toBeNull()
  })

  it('emits events for the session and for a canceled deletion', async () => {
    const { account } = await signUp(app)
    const start = await endOfLog(database.storage)
    await login(app, account.email)
    await login(app, account.email, 'Wrong password 1')
    await change(account.id, { deletionScheduledAt: daysLater(30) })
    await login(app, account.email)
    const events = await eventsSince(start, account.id)
    expect(events.map(({ type, profileId, data }) => [type, profileId, data])).toEqual([
      ['accounts.session_started', null, { accountId: account.id }],
      ['profiles.profile_restored', account.active_profile_id, { type: 'person', username: account.username }],
      ['accounts.deletion_cancelled', null, { accountId: account.id }],
      ['accounts.session_started', null, { accountId: account.id }],
    ])
  })

  it('keeps a scheduled deletion when the password is wrong', async () => {
    const { account } = await signUp(app)
    await change(account.id, { deletionScheduledAt: daysLater(30) })
    await login(app, account.email, 'Wrong password 1')
    expect((await database.storage.read.accounts.get(account.id))?.deletionScheduledAt).toEqual(daysLater(30))
  })

  it('rejects an account as soon as its deletion is due', async () => {
    const { account } = await signUp(app)
    await change(account.id, { deletionScheduledAt: clock() })
    const response = await login(app, account.email)
    expect(response.statusCode).toBe(401)
    expect(codeOf(response)).toBe('invalid_credentials')
  })

  it('refuses sign-ins over its capacity instead of letting all of them wait', async () => {
    const small = await instance({ auth: { passwordHashing: { memoryKiB: 1_024, concurrency: 1 } } })
    const responses = await Promise.all(
      Array.from({ length: 260 }, (_, index) => login(small, `unknown-${index}@example.com`, PASSWORD)),
    )
    const refused = responses.filter(({ statusCode }) => statusCode !== 401)
    expect(refused.length).toBeGreaterThan(0)
    for (const response of refused) {
      expect(response.statusCode).toBe(503)
      expect(codeOf(response)).toBe('login_capacity_exceeded')
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  it('allows five attempts per minute', async () => {
    const strict = await instance({ limits: { rateLimit: { multiplier: 1 } } })
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) {
      const response = await login(strict, 'unknown@example.com', PASSWORD)
      expect(response.headers['x-ratelimit-limit']).toBe('5')
      statuses.push(response.statusCode)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })
})

describe('guessing at an account from many addresses', () => {
  const tryFrom = (where: typeof app, remoteAddress: string, email: string, password = 'Wrong horse 7 battery') =>
    where.inject({ method: 'POST', url: '/auth/login', payload: { email, password }, remoteAddress })

  it.each(['an account', 'an unknown address'])(
    'refuses an address after twenty wrong passwords, at %s',
    async (what) => {
      const strict = await instance({ limits: { rateLimit: { multiplier: 1, store: countingAllButRequests() } } })
      const { account } = await signUp(app)
      const email = what === 'an account' ? account.email : `no-${account.email}`
      for (let round = 0; round < 20; round++) {
        expect((await tryFrom(strict, `192.0.2.${round % 4}`, email)).statusCode).toBe(401)
      }
      // The fourth address sent the twentieth. The others are refused at their next attempt.
      const refused = await tryFrom(strict, '192.0.2.3', email)
      expect(refused.statusCode).toBe(429)
      expect(codeOf(refused)).toBe('too_many_wrong_passwords')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900)
      expect((await tryFrom(strict, '192.0.2.3', email, PASSWORD)).statusCode).toBe(429)
      expect((await tryFrom(strict, '192.0.2.3', 'someone-else@example.com')).statusCode).toBe(401)
    },
  )

  it('does not lock out its owner', async () => {
    const strict = await instance({ limits: { rateLimit: { multiplier: 1, store: countingAllButRequests() } } })
    const { account } = await signUp(app)
    for (let round = 0; round < 25; round++) await tryFrom(strict, '192.0.2.9', account.email)
    expect((await tryFrom(strict, '198.51.100.7', account.email)).statusCode).toBe(401)
    expect((await tryFrom(strict, '198.51.100.7', account.email, PASSWORD)).statusCode).toBe(200)
  })

  it('counts wrong passwords of its sessions too, which then cannot confirm anything', async () => {
    const strict = await instance({ limits: { rateLimit: { multiplier: 1, store: countingAllButRequests() } } })
    const { account, headers } = await signUp(app)
    const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: object) =>
      strict.inject({ method, url, payload, headers, remoteAddress: '192.0.2.77' })
    const guess = { current_password: 'Wrong horse 7 battery', new_password: 'Another horse 9 battery' }
    for (let round = 0; round < 20; round++) {
      expect(codeOf(await send('PUT', '/auth/change-password', guess))).toBe('wrong_password')
    }
    await send('POST', '/auth/second-factor', {})
    const refused = [
      await send('PUT', '/auth/change-password', { ...guess, current_password: PASSWORD }),
      await send('DELETE', '/auth/account', { password: PASSWORD }),
      await send('DELETE', '/auth/passkeys/unknown', { password: PASSWORD }),
      await send('POST', '/auth/second-factor/confirm', { code: '000000', password: PASSWORD }),
      await tryFrom(strict, '192.0.2.77', account.email, PASSWORD),
    ]
    expect(refused.map(codeOf)).toEqual(refused.map(() => 'too_many_wrong_passwords'))
    expect((await tryFrom(strict, '198.51.100.7', account.email, PASSWORD)).statusCode).toBe(200)
  })
})

describe('GET /auth/me', () => {
  it('returns the account for a token and a cookie', async () => {
    const { token, headers, account } = await signUp(app)
    const byToken = await me(app, headers)
    expect(byToken.statusCode).toBe(200)
    expect(byToken.headers['cache-control']).toBe('no-store')
    expect(byToken.json()).toEqual(account)
    expect((await me(app, { cookie: `__Host-eep_session=${token}` })).json()).toEqual(account)
    expect(
      (await me(app, { cookie: `other=1; __Host-eep_session=${token}`, origin: 'https://evil.example' })).statusCode,
    ).toBe(200)
  })

  it('lists every profile of the account, the first one as active', async () => {
    const { headers, account } = await signUp(app)
    const username = newName()
    await client(app).post('/profiles', { profile_type: 'organization', username, type_data: {} }, headers)
    const user = (await me(app, headers)).json()
    expect(user.profiles).toEqual([
      { id: account.active_profile_id, profile_type: 'person', username: account.username, role: 'owner' },
      { id: expect.any(Number), profile_type: 'organization', username, role: 'owner' },
    ])
    expect(user.active_profile_id).toBe(account.active_profile_id)
  })

  it('shows administrators that they are one, but not their API keys', async () => {
    const { headers, account } = await signUp(app)
    await change(account.id, { isAdmin: true })
    expect((await me(app, headers)).json().isAdmin).toBe(true)

    const key = await newKey(app, headers, { scopes: ['read:profiles'] })
    const toKey = (await me(app, key.headers)).json()
    expect(toKey.id).toBe(account.id)
    expect(toKey).not.toHaveProperty('isAdmin')
  })

  it.each([
    ['the version of its tokens has risen', { tokenVersion: 1_000 }],
    ['the account is banned', { bannedAt: new Date() }],
    ['the account is to be deleted', { deletionScheduledAt: new Date(Date.now() + 86_400_000) }],
  ] satisfies [string, AccountChanges][])('refuses a token immediately when %s', async (_when, changes) => {
    const { headers, account } = await signUp(app)
    expect((await me(app, headers)).statusCode).toBe(200)
    await change(account.id, changes)
    const response = await me(app, headers)
    expect(response.statusCode).toBe(401)
    expect(codeOf(response)).toBe('invalid_token')
    expect(response.headers['www-authenticate']).toMatch(/^Bearer resource_metadata="[^"]+", error="invalid_token"/)
  })

  it('refuses a token after seven days', async () => {
    const { headers } = await signUp(app)
    const end = clock().getTime() + 604_800_000
    expect((await at(end - 1_000, () => me(app, headers))).statusCode).toBe(200)
    const response = await at(end, () => me(app, headers))
    expect(response.statusCode).toBe(401)
    expect(codeOf(response)).toBe('invalid_token')
  })

  it('refuses a token that was changed, unsigned, or signed elsewhere', async () => {
    const { token } = await signUp(app)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const foreign = await instance({ secret: 'another secret for tests, of thirty-two characters' })
    const elsewhere = await instance({ publicUrl: 'https://other.example' })
    const tokens = [
      `${unsigned}.${payload}.`,
      `${unsigned}.${payload}.${signature}`,
      `${header}.${Buffer.from('{"sub":"admin"}').toString('base64url')}.${signature}`,
      `${header}.${payload}.${signature.slice(1)}`,
      `${header}.${payload}`,
      'x',
      (await signUp(foreign)).token,
      (await signUp(elsewhere)).token,
    ]
    for (const each of tokens) {
      const response = await me(app, { authorization: `Bearer ${each}` })
      expect(response.statusCode, each).toBe(401)
      expect(codeOf(response)).toBe('invalid_token')
    }
  })

  it('accepts tokens of a rotated secret, and signs with the new one', async () => {
    const { token: old, account } = await signUp(app)
    const rotated = await instance({ secret: ['a newer secret for tests, of thirty-two characters', SECRET] })
    expect((await me(rotated, { authorization: `Bearer ${old}` })).statusCode).toBe(200)
    const { token } = (await login(rotated, account.email, PASSWORD)).json()
    expect(decodeProtectedHeader(token).kid).not.toBe(decodeProtectedHeader(old).kid)
    expect((await me(rotated, { authorization: `Bearer ${token}` })).statusCode).toBe(200)
    expect((await me(app, { authorization: `Bearer ${token}` })).statusCode).toBe(401)
  })
})

describe('POST /auth/logout', () => {
  const cookieSession = async () => ({ cookie: `__Host-eep_session=${(await signUp(app)).token}` })

  it('clears the cookie', async () => {
    const response = await client(app)
      .with(await cookieSession())
      .post('/auth/logout')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ success: true })
    const gone = { value: '', maxAge: 0, path: '/', httpOnly: true, secure: true, sameSite: 'Lax' }
    expect(sessionCookieOf(response)).toMatchObject(gone)
  })

  it('ends nothing with a bearer token alone', async () => {
    for (const origin of [PUBLIC_URL, 'https://evil.example']) {
      const { headers } = await signUp(app)
      expect(
        (
          await client(app)
            .with({ ...headers, origin })
            .post('/auth/logout')
        ).statusCode,
      ).toBe(200)
      expect((await me(app, headers)).statusCode).toBe(200)
    }
  })

  it('clears the cookie of an ended session', async () => {
    const response = await client(app).with({ cookie: '__Host-eep_session=x.y.z' }).post('/auth/logout')
    expect(response.statusCode).toBe(401)
    expect(String(response.headers['set-cookie'])).toMatch(/^__Host-eep_session=;.* Max-Age=0;/)
    const open = await client(app).get('/check-username?username=ada', { cookie: '__Host-eep_session=x.y.z' })
    expect(open.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['Origin', { origin: 'https://evil.example' }],
    ['opaque Origin', { origin: 'null' }],
    ['Origin on another port', { origin: `${PUBLIC_URL}:8443` }],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    [
      'Origin beside a Sec-Fetch-Site of this origin',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
  ])('refuses a cookie that comes with a foreign %s', async (_what, headers) => {
    const response = await client(app)
      .with({ ...(await cookieSession()), ...headers })
      .post('/auth/logout')
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('csrf')
    expect(sessionCookieOf(response)).toBeUndefined()
  })

  it('accepts a cookie from its own pages', async () => {
    const headers = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }
    const response = await client(app)
      .with({ ...(await cookieSession()), ...headers })
      .post('/auth/logout')
    expect(response.statusCode).toBe(200)
  })

  it('identifies the caller with one read', async () => {
    const { calls, storage } = countedStorage(database.storage)
    const counting = await instance({ storage })
    const { headers } = await signUp(app)
    calls.length = 0
    expect((await client(counting).with(headers).post('/auth/logout')).statusCode).toBe(200)
    expect(calls).toEqual(['sessions.getWithAccount'])
  })
})
