import { defineError } from '@eep/core'
import type { HostAuth, Mailer } from '@eep/core/ports'
import { LOG_START } from '@eep/core/ports'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, me, newName, newRegistration, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp, openStorage, PUBLIC_URL, type TestApp, type TestAppOptions } from '../support/app.ts'
import { client } from '../support/client.ts'
import { connectApp } from '../support/connected-app.ts'
import { watchedStorage } from '../support/watched-storage.ts'

interface HostUser {
  readonly externalId: string
  readonly email: string
  readonly emailVerified: boolean
  readonly isAdmin?: boolean
  readonly fullName?: string
}

let database: Awaited<ReturnType<typeof openStorage>>
let app: TestApp
const closers: (() => Promise<void>)[] = []

const sessionEnded = defineError('host_session_ended', 401, 'Your session has ended; sign in again')

/** The host’s sessions: a cookie of the host contains the user. */
const identity: HostAuth = {
  async authenticate({ headers }) {
    const session = /(?:^|; )host=([^;]+)/.exec(headers.cookie ?? '')?.[1]
    if (session === 'broken') throw new Error('the host cannot read its sessions')
    if (session === 'ended') throw sessionEnded()
    return session === undefined ? undefined : JSON.parse(Buffer.from(session, 'base64url').toString())
  },
}

/** An instance of the service on the same database. */
async function instance(options: TestAppOptions = {}): Promise<TestApp> {
  const made = await createTestApp({ storage: database.another(), ...options })
  closers.push(made.close)
  return made.app
}

beforeAll(async () => {
  database = await openStorage()
  app = await instance({ auth: { hostAuth: identity } })
})

afterAll(async () => {
  for (const close of closers) await close()
  await database.close()
})

const notInvited = defineError('not_invited', 403, 'This service is for those who were invited')

let count = 0
const newUser = (changes: Partial<HostUser> = {}): HostUser => {
  const name = `${newName()}.host`
  return { externalId: `user-${++count}`, email: `${name}@example.com`, emailVerified: true, ...changes }
}

/** The headers of a browser that is signed in at the host. */
const sessionOf = (user: HostUser) => ({
  cookie: `host=${Buffer.from(JSON.stringify(user)).toString('base64url')}`,
})
const meAs = (user: HostUser, at = app) => me(at, sessionOf(user))

describe('a user of the host', () => {
  it('creates an account with a profile on the first request of a user', async () => {
    const user = newUser({ fullName: 'Ada Lovelace' })
    const response = await meAs(user)
    expect(response.statusCode).toBe(200)
    const account = response.json()
    expect(account).toMatchObject({
      email: user.email,
      email_verified: true,
      username: user.email.split('@')[0]?.replace('.', '-'),
      full_name: 'Ada Lovelace',
      profiles: [{ profile_type: 'person', role: 'owner' }],
      isAdmin: false,
    })
    expect((await client(app).get(`/u/${account.username}`)).statusCode).toBe(200)
    expect((await meAs(user)).json()).toEqual(account)
  })

  it('creates one account for concurrent first requests', async () => {
    const other = await instance({ auth: { hostAuth: identity } })
    const user = newUser()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => meAs(user, index % 2 ? app : other)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
    expect(answers[0]?.json().profiles).toHaveLength(1)
    const events = await eventsAfter(database.storage, LOG_START)
    const registered = events.filter(({ type, accountId }) => {
      return type === 'accounts.account_registered' && accountId === answers[0]?.json().id
    })
    expect(registered).toHaveLength(1)
  })

  it('creates one account for a user of the host when its first concurrent requests name different email addresses', async () => {
    const user = newUser()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => meAs({ ...user, email: `${index}-${user.email}` })),
    )
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  })

  it('authenticates a known user with one read', async () => {
    const { storage, asked } = watchedStorage(database.storage)
    const counting = await instance({ storage, auth: { hostAuth: identity } })
    const user = newUser()
    await meAs(user, counting)
    asked.length = 0
    const url = '/eep/payment/receipts'
    expect((await client(counting).get(url, sessionOf(user))).statusCode).toBe(200)
    expect(asked).toEqual(['identities.getAccount', 'receipts.list'])
  })

  it('gives each user of the host a unique username, also when many want the same', async () => {
    const users = ['a', 'b', 'c', 'd'].map((host) => newUser({ email: `grace@${host}.example` }))
    const names = (await Promise.all(users.map((user) => meAs(user)))).map((answer) => answer.json().username as string)
    expect(new Set(names).size).toBe(4)
    expect(names).toContain('grace')
    for (const name of names) expect(name).toMatch(/^grace(-[0-9a-f]{8})?$/)
  })

  it('gives a user of the host the rights of an account', async () => {
    const user = newUser()
    const username = newName()
    const place = { profile_type: 'place', username, type_data: {} }
    expect((await client(app).post('/profiles', place, sessionOf(user))).statusCode).toBe(200)
    const change = await client(app).put(`/profiles/l/${username}`, { full_name: 'Bletchley Park' }, sessionOf(user))
    expect(change.statusCode).toBe(200)
    const otherRequest = {
      url: `/profiles/l/${username}`,
      headers: sessionOf(newUser()),
      payload: { full_name: 'Mine' },
    }
    expect((await app.inject({ method: 'PUT', ...otherRequest })).statusCode).toBe(403)
  })

  it('keeps the account of a user whose email address changes at the host', async () => {
    const user = newUser()
    const { id } = (await meAs(user)).json()
    const moved = { ...user, email: `moved-${user.email}`, emailVerified: false }
    expect((await meAs(moved)).json()).toMatchObject({ id, email: moved.email, email_verified: false })
    const taken = { ...user, email: newUser().email }
    await meAs(newUser({ email: taken.email }))
    expect((await meAs(taken)).json()).toMatchObject({ id, email: moved.email })
  })

  it('shows a lower trust score immediately when the new address is not verified', async () => {
    const user = newUser()
    const { username } = (await meAs(user)).json()
    const score = async () => (await client(app).get(`/u/${username}.json`)).json().trust_score
    const before = await score()
    expect(await score()).toBe(before)
    await meAs({ ...user, email: `moved-${user.email}`, emailVerified: false })
    expect(await score()).toBeLessThan(before)
  })

  it('emits one event for each email address that the host has verified', async () => {
    const start = await endOfLog(database.storage)
    const user = newUser()
    const { id } = (await meAs(user)).json()
    const moved = { ...user, email: `moved-${user.email}` }
    for (const seen of [user, moved, moved]) expect((await meAs(seen)).json().email_verified).toBe(true)
    const events = await eventsAfter(database.storage, start)
    const verified = events.filter(({ type, accountId }) => type === 'accounts.email_verified' && accountId === id)
    expect(verified).toHaveLength(2)
  })

  it('disconnects the apps of a user whose email address the host changes', async () => {
    const user = newUser()
    const { id } = (await meAs(user)).json()
    const token = await connectApp(database.storage, id)
    const isConnected = async () =>
      (await database.storage.read.connectedApps.getByAccessHash(token, new Date())) !== undefined
    await meAs(user)
    expect(await isConnected()).toBe(true)
    await meAs({ ...user, email: `moved-${user.email}` })
    expect(await isConnected()).toBe(false)
  })

  it('sends no email to an earlier address of a user of the host', async () => {
    const forgotten: string[] = []
    let fails = true
    const mailer: Mailer = {
      send: async () => {},
      async forget(address) {
        if (fails) throw new Error('the disk is full')
        forgotten.push(address)
      },
    }
    const at = await instance({ auth: { hostAuth: identity }, email: { mailer } })
    const user = newUser()
    const moved = { ...user, email: `moved-${user.email}` }
    await meAs(user, at)
    expect((await meAs(moved, at)).json().email).toBe(user.email)
    fails = false
    expect((await meAs(moved, at)).json().email).toBe(moved.email)
    await meAs(moved, at)
    expect(forgotten).toEqual([user.email])
  })

  it('keeps email to an earlier address that the host had not verified', async () => {
    const forgotten: string[] = []
    const mailer: Mailer = { send: async () => {}, forget: async (address) => void forgotten.push(address) }
    const at = await instance({ auth: { hostAuth: identity }, email: { mailer } })
    const user = newUser({ emailVerified: false })
    const moved = { ...user, email: `moved-${user.email}`, emailVerified: true }
    await meAs(user, at)
    expect((await meAs(moved, at)).json().email).toBe(moved.email)
    expect(forgotten).toEqual([])
  })

  it('does not link an account of another user of the host', async () => {
    const user = newUser()
    await meAs(user)
    const other = newUser({ email: user.email.toUpperCase() })
    const response = await meAs(other)
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('email_taken')
    expect((await client(app).get('/discover', sessionOf(other))).statusCode).toBe(200)
  })

  it('rejects a banned user of the host, who can still read public content anonymously', async () => {
    const user = newUser()
    const { id, username } = (await meAs(user)).json()
    await database.storage.transaction((tx) => tx.accounts.save(id, { bannedAt: new Date() }))
    const response = await meAs(user)
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('account_banned')
    expect((await client(app).get(`/u/${username}`, sessionOf(user))).statusCode).toBe(200)
  })

  it('makes a user an administrator when the host does, but not its keys', async () => {
    const user = newUser({ isAdmin: true })
    expect((await meAs(user)).json().isAdmin).toBe(true)
    const key = await newKey(app, sessionOf(user))
    expect((await me(app, key.headers)).json()).not.toHaveProperty('isAdmin')
    expect((await meAs({ ...user, isAdmin: false })).json().isAdmin).toBe(false)
    // For users whom the service signs in, the email addresses of administrators still apply.
    const named = newUser()
    const at = await instance({ auth: { hostAuth: identity, adminEmails: [named.email] } })
    expect((await meAs(named, at)).json().isAdmin).toBe(true)
    expect((await meAs(newUser(), at)).json().isAdmin).toBe(false)
    const unproven = newUser({ emailVerified: false })
    const other = await instance({ auth: { hostAuth: identity, adminEmails: [unproven.email] } })
    expect((await meAs(unproven, other)).json().isAdmin).toBe(false)
  })

  it('rejects a user whose account is being deleted, until the host restores it', async () => {
    const user = newUser()
    const { id, username } = (await meAs(user)).json()
    await database.storage.transaction(async (tx) => {
      await tx.accounts.save(id, { deletionScheduledAt: new Date(Date.now() + 86_400_000) })
      await tx.profiles.withdrawOfAccount(id, new Date())
    })
    const response = await meAs(user)
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('deletion_scheduled')
    expect(await app.eep.hostUsers.recover(user.externalId)).toBe(true)
    expect(await app.eep.hostUsers.recover(user.externalId)).toBe(false)
    expect(await app.eep.hostUsers.recover('unknown')).toBe(false)
    expect((await meAs(user)).statusCode).toBe(200)
    expect((await client(app).get(`/u/${username}`)).statusCode).toBe(200)
  })

  it('rejects a user when a hook of the host rejects the registration', async () => {
    const refused = newUser()
    const strict = await instance({
      auth: { hostAuth: identity },
      hooks: {
        beforeRegister({ email }) {
          if (email === refused.email) throw notInvited()
        },
      },
    })
    const response = await meAs(refused, strict)
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('not_invited')
    expect(await database.storage.read.accounts.get({ email: refused.email })).toBeUndefined()
    expect((await meAs(newUser(), strict)).statusCode).toBe(200)
  })
})

describe('an account from before', () => {
  it('gives an existing account to the user whose email address the host has verified', async () => {
    const own = await instance()
    const { account } = await signUp(own)
    await database.storage.transaction((tx) => tx.accounts.save(account.id, { emailVerified: true, emailOwned: true }))
    expect((await meAs(newUser({ email: account.email, emailVerified: false }))).statusCode).toBe(409)
    expect((await meAs(newUser({ email: account.email }))).json()).toMatchObject({ id: account.id })
  })

  it('takes an unverified account from its creator when a user of the host has verified the address', async () => {
    const own = await instance()
    const { account, headers } = await signUp(own)
    const key = await newKey(own, headers)
    expect((await meAs(newUser({ email: account.email }))).json()).toMatchObject({
      id: account.id,
      email_verified: true,
    })
    expect((await me(app, headers)).statusCode).toBe(401)
    expect((await me(app, key.headers)).statusCode).toBe(401)
    expect((await login(own, account.email)).statusCode).toBe(401)
  })
})

describe('host authentication', () => {
  const CLOSED = [
    ['POST', '/auth/register'],
    ['POST', '/auth/login'],
    ['POST', '/auth/forgot-password'],
    ['POST', '/auth/reset-password'],
    ['PUT', '/auth/change-password'],
  ] as const

  it('has no routes for registration, sign-in and passwords', async () => {
    const { paths } = (await client(app).get('/docs/openapi.json')).json()
    for (const [method, url] of CLOSED) {
      expect(paths).not.toHaveProperty([url])
      const response = await client(app).send(method, url, newRegistration(), sessionOf(newUser()))
      expect(response.statusCode, url).toBe(404)
    }
    const open = (await client(await instance()).get('/docs/openapi.json')).json()
    for (const [, url] of CLOSED) expect(open.paths).toHaveProperty([url])
    for (const url of ['/auth/me', '/auth/logout', '/auth/account']) expect(paths).toHaveProperty([url])
  })

  it('rejects signed-out visitors of the pages of an account, as there is no sign-in page to send them to', async () => {
    for (const url of ['/dashboard', '/account/plan', '/account/notifications', '/account/transfers']) {
      const page = await client(app).get(url, { accept: 'text/html' })
      expect([page.statusCode, page.headers.location], url).toEqual([401, undefined])
    }
    const dashboard = await client(app).get('/dashboard', { accept: 'text/html', ...sessionOf(newUser()) })
    expect(dashboard.statusCode).toBe(200)
  })

  it('accepts keys and tokens of accounts that the host does not know', async () => {
    const user = newUser()
    const { id } = (await meAs(user)).json()
    const key = await newKey(app, sessionOf(user))
    expect((await me(app, key.headers)).json().id).toBe(id)
    expect((await me(app, { authorization: `Bearer ${key.key}` })).json().id).toBe(id)

    const own = await instance()
    const { headers, token, account } = await signUp(own)
    expect((await me(app, headers)).json().id).toBe(account.id)
    expect((await me(app, { cookie: `__Host-eep_session=${token}` })).json().id).toBe(account.id)
    expect((await me(app, {})).statusCode).toBe(401)
  })

  it('treats an API key as a key also when a user is signed in at the host', async () => {
    const user = newUser()
    const key = await newKey(app, sessionOf(user))
    const both = { ...sessionOf(newUser()), ...key.headers }
    expect((await me(app, both)).json()).toMatchObject({ email: user.email })
    expect((await client(app).post('/profiles', {}, both)).statusCode).toBe(403)
  })

  it.each([
    ['Origin', { origin: 'https://evil.example' }],
    ['opaque Origin', { origin: 'null' }],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ])('rejects changes with a foreign %s', async (_what, foreign) => {
    const user = newUser()
    const headers = { ...sessionOf(user), ...foreign }
    const response = await client(app).post('/api-keys', { name: 'Stolen' }, headers)
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('csrf')
    expect((await me(app, headers)).statusCode).toBe(200)
    expect((await client(app).post('/api-keys', { name: 'Own' }, { ...headers, origin: PUBLIC_URL })).statusCode).toBe(
      201,
    )
  })

  it('returns an error of the host for its session, and serves public pages without a caller', async () => {
    const ended = { cookie: 'host=ended' }
    const response = await me(app, ended)
    expect([response.statusCode, codeOf(response)]).toEqual([401, 'host_session_ended'])
    const { username } = (await meAs(newUser())).json()
    expect((await client(app).get(`/u/${username}`, ended)).statusCode).toBe(200)
  })

  it('refuses requests when the host fails, and does not treat them as anonymous', async () => {
    const response = await me(app, { cookie: 'host=broken' })
    expect(response.statusCode).toBe(500)
    expect(response.headers).toHaveProperty('x-ratelimit-remaining')
  })
})
