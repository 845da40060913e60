import { defineError } from '@eep/core'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  login,
  newName,
  newRegistration,
  PASSWORD,
  register,
  sessionCookieOf,
  signUp,
} from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'

const { database, instance } = await openInstances()
const app = await instance()

describe('POST /auth/register', () => {
  it('answers with a token and the new account', async () => {
    const body = { ...newRegistration('ada-lovelace'), full_name: 'Ada Lovelace' }
    const response = await register(app, body)
    expect(response.statusCode).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      user: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: 'ada-lovelace@example.com',
        email_owned: false,
        email_verified: false,
        username: 'ada-lovelace',
        full_name: 'Ada Lovelace',
        language: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        tier: 'community',
        profiles: [{ id: expect.any(Number), profile_type: 'person', username: 'ada-lovelace', role: 'owner' }],
        active_profile_id: expect.any(Number),
        deletion_scheduled_at: null,
        isAdmin: false,
      },
    })
    const { user } = response.json()
    expect(user.active_profile_id).toBe(user.profiles[0].id)
  })

  it('creates a public person profile with the same name', async () => {
    const { username } = (await signUp(app)).account
    const response = await app.inject({ url: `/u/${username}`, query: { format: 'json' } })
    expect(response.statusCode).toBe(200)
    expect(response.headers['x-profile-username']).toBe(username)
    expect(response.body).not.toContain('@example.com')
  })

  it('sets an HttpOnly, SameSite and Secure session cookie', async () => {
    const response = await register(app, newRegistration())
    const { expires_at, user } = response.json()
    expect(sessionCookieOf(response)).toEqual({
      name: '__Host-eep_session',
      value: expect.any(String),
      httpOnly: true,
      sameSite: 'Lax',
      secure: true,
      path: '/',
      maxAge: 604_800,
    })
    const seconds = (Date.parse(expires_at) - Date.parse(user.created_at)) / 1000
    expect(Math.abs(seconds - 604_800)).toBeLessThan(2)
  })

  it('omits Secure when the service uses plain http', async () => {
    const local = await instance({ publicUrl: 'http://127.0.0.1:3000' })
    const cookie = sessionCookieOf(await register(local, newRegistration()))
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    expect(cookie).not.toHaveProperty('secure')
  })

  const wrong: [string, string, Record<string, unknown>][] = [
    ['/email', 'a missing email address', { email: undefined }],
    ['/email', 'an email address without a host', { email: 'ada' }],
    ['/email', 'an email address that is too long', { email: `${'a'.repeat(250)}@example.com` }],
    ['/email', 'an email address with a header in it', { email: 'ada@example.com\r\nBcc: all@example.com' }],
    ['/password', 'a password of 100 kB', { password: 'Ab1'.repeat(33_334) }],
    ['/username', 'an empty username', { username: '' }],
    ['/username', 'a username in capitals', { username: 'Ada' }],
    ['/username', 'a username that begins with a hyphen', { username: '-ada' }],
    ['/username', 'a username that ends with a hyphen', { username: 'ada-' }],
    ['/username', 'a username with a path', { username: 'ada/../bob' }],
    ['/username', 'a username of lookalikes', { username: 'аda' }],
  ]
  it.each(wrong)('points at %s for %s', async (path, _what, part) => {
    const response = await register(app, { ...newRegistration(), ...part })
    expect(response.statusCode).toBe(400)
    expect(response.json().error).toMatchObject({ code: 'validation_failed', details: { in: 'body' } })
    expect(response.json().error.details.issues[0].path).toBe(path)
  })

  it.each(['is_admin', 'isAdmin', 'tier', 'id', 'email_verified', 'owner_id', 'token_version'])(
    'refuses a body that brings %s',
    async (field) => {
      const body = newRegistration()
      const response = await register(app, { ...body, [field]: field === 'tier' ? 'team' : true })
      expect(response.statusCode).toBe(400)
      expect(response.json().error.message).toContain(field)
      expect((await login(app, body.email)).statusCode).toBe(401)
    },
  )

  it('rejects requests that an HTML form of another site could send', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const payload = JSON.stringify(newRegistration())
      const response = await client(app).post('/auth/register', payload, {
        'content-type': type,
        origin: 'https://evil.example',
      })
      expect([400, 415], type).toContain(response.statusCode)
      expect(sessionCookieOf(response)).toBeUndefined()
    }
  })

  it.each([
    ['Short 1', ['too_short']],
    ['all lower 1', ['no_uppercase']],
    ['ALL UPPER 1', ['no_lowercase']],
    ['No Numbers', ['no_number']],
    [`Ab1${'x'.repeat(126)}`, ['too_long']],
    ['Password123', ['common']],
    ['abc', ['too_short', 'no_uppercase', 'no_number']],
  ])('rejects the weak password %j with a reason', async (password, reasons) => {
    const response = await register(app, { ...newRegistration(), password })
    expect(response.statusCode).toBe(400)
    expect(response.json().error).toMatchObject({ code: 'weak_password', details: { reasons } })
    expect(response.body).not.toContain(password)
  })

  it('accepts a long password in any script unchanged', async () => {
    const body = { ...newRegistration(), password: `Übergröße 7 ${'🗝'.repeat(100)} ` }
    expect((await register(app, body)).statusCode).toBe(201)
    expect((await login(app, body.email, body.password)).statusCode).toBe(200)
    expect((await login(app, body.email, body.password.trim())).statusCode).toBe(401)
    expect((await login(app, body.email, body.password.normalize('NFD'))).statusCode).toBe(401)
  })

  it.each(['admin', 'support', 'api', 'auth', 'discover'])('reserves the username %s', async (username) => {
    const response = await register(app, newRegistration(username))
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('username_reserved')
  })

  it('recognizes an email address in another case', async () => {
    const body = newRegistration()
    await register(app, body)
    const response = await register(app, { ...newRegistration(), email: body.email.toUpperCase() })
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('email_taken')
  })

  it('rejects the username of another account', async () => {
    const { username } = (await signUp(app)).account
    const response = await register(app, { ...newRegistration(), username })
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('username_taken')
  })

  it('rejects the username of a person profile of another account, and stores nothing', async () => {
    const { headers } = await signUp(app)
    const taken = newName()
    const made = await client(app).post(
      '/profiles',
      { profile_type: 'person', username: taken, type_data: {} },
      headers,
    )
    expect(made.statusCode).toBe(200)

    const body = { ...newRegistration(), username: taken }
    const response = await register(app, body)
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('username_taken')
    expect((await register(app, { ...body, username: newName() })).statusCode).toBe(201)
  })

  it('stores nothing when another account takes the person profile in between', async () => {
    const { headers } = await signUp(app)
    const body = newRegistration()
    const late = await instance({
      hooks: {
        async beforeRegister({ username }) {
          await client(app).post('/profiles', { profile_type: 'person', username, type_data: {} }, headers)
        },
      },
    })
    const response = await register(late, body)
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('username_taken')
    expect((await register(app, { ...body, username: newName() })).statusCode).toBe(201)
  })

  it('gives a username to exactly one of many concurrent requests', async () => {
    const username = newName()
    const bodies = Array.from({ length: 20 }, () => ({ ...newRegistration(), username }))
    const responses = await Promise.all(bodies.map((body) => register(app, body)))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(19).fill(409)])
    const losers = responses.filter(({ statusCode }) => statusCode === 409)
    expect(new Set(losers.map(codeOf))).toEqual(new Set(['username_taken']))

    const again = await Promise.all(bodies.map(({ email }) => login(app, email)))
    expect(again.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('gives an email address to exactly one of many concurrent requests', async () => {
    const { email } = newRegistration()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        register(app, { ...newRegistration(), email: index % 2 ? email : email.toUpperCase() }),
      ),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    const losers = responses.filter(({ statusCode }) => statusCode !== 201)
    expect(new Set(losers.map(codeOf))).toEqual(new Set(['email_taken']))
  })

  it('calls the hook of the host before anything is stored', async () => {
    const membersOnly = defineError('members_only', 403, 'Only members may register')
    const seen: unknown[] = []
    const guarded = await instance({
      hooks: {
        beforeRegister(asked) {
          seen.push(asked)
          throw membersOnly()
        },
      },
    })
    const body = newRegistration()
    const response = await register(guarded, body)
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('members_only')
    expect(seen).toEqual([{ email: body.email, username: body.username }])
    expect((await register(app, body)).statusCode).toBe(201)
  })

  it.each(['\u200b', '\u3164 \u00ad', '\ufe0f', '\u2800'])(
    'refuses a full name of invisible characters, %j',
    async (name) => {
      const response = await register(app, { ...newRegistration(), full_name: name })
      expect([response.statusCode, codeOf(response)]).toEqual([400, 'validation_failed'])
      expect(response.json().error.details.issues).toMatchObject([{ path: '/full_name', message: 'Must not be blank' }])
    },
  )

  it('emits events for the account and its profile', async () => {
    const start = await endOfLog(database.storage)
    const { account } = await signUp(app)
    const told = await eventsAfter(database.storage, start)
    expect(told).toMatchObject([
      { type: 'accounts.account_registered', data: { accountId: account.id, username: account.username } },
      { type: 'profiles.profile_created', data: { type: 'person', username: account.username } },
    ])
    for (const event of told) {
      expect(event).toMatchObject({ accountId: account.id, profileId: account.active_profile_id })
    }
  })

  it('rejects input that is expensive to validate with little CPU time', async () => {
    for (const part of ['a'.repeat(900_000), 'a.'.repeat(450_000), '-'.repeat(900_000), ' '.repeat(900_000)]) {
      const start = process.cpuUsage()
      const body = { email: `${part}@${part.slice(0, 50_000)}`, password: part, username: part, full_name: `a${part}a` }
      for (const field of ['email', 'password', 'username', 'full_name'] as const) {
        const response = await register(app, { ...newRegistration(), [field]: body[field] })
        expect(response.statusCode).toBe(400)
      }
      const { user } = process.cpuUsage(start)
      expect(user / 1_000).toBeLessThan(4_000)
    }
  })

  it('stores the password as argon2id', async () => {
    const { account, token } = await signUp(app)
    const stored = await database.storage.read.accounts.getPasswordHash(account.id)
    expect(stored).toMatch(/^\$argon2id\$v=19\$/)
    expect(stored).not.toContain(PASSWORD)
    expect(JSON.stringify(await app.eep.accounts.authenticate(token))).not.toContain('$argon2id$')
  })
})
