import { describe, expect, it } from 'vitest'
import { codeOf, me, signUp } from '../support/accounts.ts'
import { keyOf, listKeys, newExpiredKey, newKey, postKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox } from '../support/mailbox.ts'
import { watchedStorage } from '../support/watched-storage.ts'

const mailbox = createMailbox()
const { database, instance } = await openInstances({ email: { mailer: mailbox.mailer } })
const app = await instance()

const KEY = /^eep_[0-9A-Za-z]{49}$/
const remove = (url: string, headers: Record<string, string>) => client(app).delete(url, headers)
const regenerate = (id: number, headers: Record<string, string>) =>
  client(app).with(headers).post(`/api-keys/${id}/regenerate`)
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const status = async (headers: Record<string, string>, at = app) => (await me(at, headers)).statusCode

describe('POST /api-keys', () => {
  it('creates a key and returns it only once', async () => {
    const { headers } = await signUp(app)
    const response = await postKey(app, headers, { name: 'Nightly build' })
    expect(response.statusCode).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    const { key, ...rest } = response.json()
    expect(key).toMatch(KEY)
    expect(rest).toEqual({
      id: expect.any(Number),
      name: 'Nightly build',
      masked: `${key.slice(0, 8)}…${key.slice(-4)}`,
      prefix: 'eep_',
      scopes: expect.arrayContaining(['read:profiles', 'read:content', 'read:payments']),
      profile_id: null,
      expires_at: null,
      created_at: expect.any(String),
    })
    expect(rest.scopes.every((scope: string) => scope.startsWith('read:'))).toBe(true)

    const listed = await client(app).get('/api-keys', headers)
    expect(listed.statusCode).toBe(200)
    expect(listed.body).not.toContain(key)
    const { data, pagination } = listed.json()
    expect(data).toEqual([{ ...rest, last_used_at: null, usage: { total: 0, last_24h: 0, last_30d: 0 } }])
    expect(pagination).toEqual({ total: 1, has_more: false })
  })

  it('grants exactly the scopes that routes require', async () => {
    const { paths } = (await client(app).get('/docs/openapi.json')).json() as {
      paths: Record<string, Record<string, { 'x-scope'?: string }>>
    }
    const required = new Set(
      Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap((operation) => operation['x-scope'] ?? []),
      ),
    )
    const { headers } = await signUp(app)
    const { key: _, ...all } = (await postKey(app, headers, { name: 'Everything', scopes: [...required] })).json()
    expect(new Set(all.scopes)).toEqual(required)
    const refused = await postKey(app, headers, { name: 'Unknown scope', scopes: ['read:everything'] })
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'validation_failed'])
    expect(refused.json().error.details.issues[0].path).toBe('/scopes/0')
  })

  it('creates a key with the requested scopes', async () => {
    const { headers, account } = await signUp(app)
    const wanted = {
      name: 'Bound',
      scopes: ['write:gates', 'manage:keys'],
      expires_at: inAnHour(),
      profile_id: account.active_profile_id,
    }
    expect((await postKey(app, headers, wanted)).json()).toMatchObject(wanted)
  })

  it.each([
    ['a scope that does not exist', { scopes: ['write:everything'] }],
    ['no scope at all', { scopes: [] }],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an expiry that is not a time', { expires_at: 'tomorrow' }],
    ['an expiry after the year 9999', { expires_at: '9999-12-31T23:59:59-14:00' }],
    ['no name', { name: '' }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a name that is too long', { name: 'x'.repeat(65) }],
    ['another account', { account_id: '00000000-0000-4000-8000-000000000000' }],
  ])('rejects %s', async (_what, fields) => {
    const { headers } = await signUp(app)
    const response = await postKey(app, headers, fields)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('validation_failed')
    expect(await listKeys(app, headers)).toEqual([])
  })

  it('creates no key for a profile of another account', async () => {
    const { headers } = await signUp(app)
    const other = await signUp(app)
    const response = await postKey(app, headers, { profile_id: other.account.active_profile_id })
    expect(response.statusCode).toBe(403)
    expect(codeOf(response)).toBe('not_profile_owner')
    expect((await postKey(app, headers, { profile_id: 999_999_999 })).statusCode).toBe(404)
  })

  it('limits an account to a hundred keys, also under concurrent requests', async () => {
    const { headers } = await signUp(app)
    for (let made = 0; made < 98; made++) await newKey(app, headers)
    const last = await Promise.all(Array.from({ length: 6 }, () => postKey(app, headers)))
    expect(last.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409, 409, 409])
    expect(await listKeys(app, headers)).toHaveLength(100)
  })
})

describe('a key', () => {
  it('accepts a key as X-API-Key or as bearer token', async () => {
    const { headers, account } = await signUp(app)
    const { key } = await newKey(app, headers)
    for (const carrier of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
    ]) {
      const response = await me(app, carrier)
      expect(response.statusCode).toBe(200)
      expect(response.json().id).toBe(account.id)
    }
  })

  it('does not reveal to a key whether its account is an administrator', async () => {
    const { headers, account } = await signUp(app)
    const { headers: byKey } = await newKey(app, headers)
    await database.storage.transaction((tx) => tx.accounts.save(account.id, { isAdmin: true }))
    expect((await me(app, headers)).json().isAdmin).toBe(true)
    expect((await me(app, byKey)).json()).not.toHaveProperty('isAdmin')
  })

  it('prefers a key to a cookie, even an invalid key', async () => {
    const { token } = await signUp(app)
    const response = await me(app, { 'x-api-key': 'eep_nothing', cookie: `__Host-eep_session=${token}` })
    expect(response.statusCode).toBe(401)
    expect(codeOf(response)).toBe('invalid_api_key')
    expect(response.headers['www-authenticate']).toContain('invalid_token')
  })

  it('authenticates a key with one read and no write', async () => {
    const { storage, asked } = watchedStorage(database.storage)
    const counting = await instance({ storage })
    const { headers } = await signUp(app)
    const key = await newKey(app, headers, { scopes: ['read:payments'] })
    asked.length = 0
    const url = '/eep/payment/receipts'
    expect((await client(counting).as(key).get(url)).statusCode).toBe(200)
    expect(asked).toEqual(['apiKeys.getByHash', 'receipts.list'])
  })

  it('rejects a key with a wrong checksum without a read', async () => {
    const { storage, asked } = watchedStorage(database.storage)
    const counting = await instance({ storage })
    const { headers } = await signUp(app)
    const { key } = await newKey(app, headers)
    const mistyped = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)
    for (const text of [mistyped, key.slice(0, -1), `${key}0`, 'eep_', 'x', key.toUpperCase()]) {
      const response = await me(counting, { 'x-api-key': text })
      expect(response.statusCode, text).toBe(401)
      expect(codeOf(response)).toBe('invalid_api_key')
    }
    // The background work writes at any moment.
    expect(asked.filter((each) => each !== 'write')).toEqual([])
  })

  it('does not store a key in plain text', async () => {
    const { headers, account } = await signUp(app)
    const { key, id } = await newKey(app, headers)
    const stored = await database.storage.read.apiKeys.get(id, account.id)
    expect(JSON.stringify(stored)).not.toContain(key)
    expect(JSON.stringify(stored)).not.toContain(key.slice(10, 40))
  })

  it('rejects an expired key', async () => {
    const { headers } = await signUp(app)
    const key = await newExpiredKey(app, headers)
    expect(codeOf(await me(app, key.headers))).toBe('invalid_api_key')
    expect(await listKeys(app, headers)).toEqual([])
  })

  it.each([
    ['is banned', { bannedAt: new Date() }],
    ['is about to be deleted', { deletionScheduledAt: new Date(Date.now() + 86_400_000) }],
  ])('rejects a key whose account %s', async (_when, changes) => {
    const { headers, account } = await signUp(app)
    const key = await newKey(app, headers)
    await database.storage.transaction((tx) => tx.accounts.save(account.id, changes))
    expect(codeOf(await me(app, key.headers))).toBe('invalid_api_key')
  })

  it('accepts a key from any origin, because browsers do not send it automatically', async () => {
    const { headers } = await signUp(app)
    const key = await newKey(app, headers, { scopes: ['manage:keys'] })
    expect((await postKey(app, { ...key.headers, origin: 'https://evil.example' }, {})).statusCode).toBe(201)
  })
})

describe('scopes', () => {
  it('rejects a key without the scope of the route, and names the scope', async () => {
    const { headers } = await signUp(app)
    const key = await newKey(app, headers, { scopes: ['read:content'] })
    const response = await client(app).as(key).get('/eep/payment/receipts')
    expect(response.statusCode).toBe(403)
    expect(response.json().error).toMatchObject({ code: 'insufficient_scope', details: { required: 'read:payments' } })
  })

  it('lets a key with read:content read the drafts of its account, and no other key', async () => {
    const writer = await createWriter(app)
    await writer.newPage({ title: 'Unfinished', status: 'draft' })
    const may = await newKey(app, writer.headers, { scopes: ['read:content'] })
    const mayNot = await newKey(app, writer.headers, { scopes: ['read:profiles'] })
    const url = `${writer.contents}/unfinished`
    expect((await client(app).as(may).get(url)).statusCode).toBe(200)
    expect((await client(app).as(mayNot).get(url)).statusCode).toBe(404)
    expect((await client(app).get(url)).statusCode).toBe(404)
  })
})

describe('GET /api-keys', () => {
  it('returns the usage of keys', async () => {
    const { headers } = await signUp(app)
    const key = await newKey(app, headers)
    await newKey(app, headers, { name: 'Unused' })
    const before = Date.now()
    for (let round = 0; round < 3; round++) await me(app, key.headers)
    const [used, unused] = await listKeys(app, headers)
    expect(used?.usage).toEqual({ total: 3, last_24h: 3, last_30d: 3 })
    expect(Math.abs(Date.parse(used?.last_used_at ?? '') - before)).toBeLessThan(5_000)
    expect(unused).toMatchObject({ name: 'Unused', last_used_at: null, usage: { total: 0 } })
  })

  it('adds up the usage that every instance counted, at the latest when they stop', async () => {
    const { headers } = await signUp(app)
    const key = await newKey(app, headers)
    const other = await createTestApp({ storage: database.another() })
    await me(other.app, key.headers)
    await me(app, key.headers)
    await other.close()
    expect((await listKeys(app, headers))[0]?.usage.total).toBe(2)
  })

  it('does not list the keys of other accounts', async () => {
    const owner = await signUp(app)
    const key = await newKey(app, owner.headers)
    const other = await signUp(app)
    expect(await listKeys(app, other.headers)).toEqual([])
    expect((await remove(`/api-keys/${key.id}`, other.headers)).statusCode).toBe(404)
    expect((await regenerate(key.id, other.headers)).statusCode).toBe(404)
    expect(await status(key.headers)).toBe(200)
  })
})

describe('DELETE /api-keys/{id}', () => {
  it('revokes a key immediately, on every instance', async () => {
    const other = await instance({ storage: database.another() })
    const { headers } = await signUp(app)
    const key = await newKey(app, headers)
    expect([await status(key.headers), await status(key.headers, other)]).toEqual([200, 200])
    const response = await remove(`/api-keys/${key.id}`, headers)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ success: true })
    expect([await status(key.headers), await status(key.headers, other)]).toEqual([401, 401])
    expect(await listKeys(app, headers)).toEqual([])
  })

  it('returns 404 for unknown and revoked keys', async () => {
    const { headers } = await signUp(app)
    const { id } = await newKey(app, headers)
    await remove(`/api-keys/${id}`, headers)
    for (const unknown of [id, 999_999_999]) {
      const response = await remove(`/api-keys/${unknown}`, headers)
      expect(response.statusCode).toBe(404)
      expect(codeOf(response)).toBe('api_key_not_found')
    }
  })
})

describe('POST /api-keys/{id}/regenerate', () => {
  it('replaces a key by a new one with the same permissions', async () => {
    const { headers, account } = await signUp(app)
    const wanted = { name: 'Rotated', scopes: ['read:content'], expires_at: inAnHour() }
    const response = await postKey(app, headers, { ...wanted, profile_id: account.active_profile_id })
    const old = keyOf(response)
    const { key: _, id: __, masked: ___, created_at: ____, ...kept } = response.json()

    const replaced = await regenerate(old.id, headers)
    expect(replaced.statusCode).toBe(200)
    expect(replaced.json()).toMatchObject(kept)
    const fresh = keyOf(replaced)
    expect(fresh.key).toMatch(KEY)
    expect(fresh.id).not.toBe(old.id)
    expect([await status(old.headers), await status(fresh.headers)]).toEqual([401, 200])
    expect((await listKeys(app, headers)).map(({ id }) => id)).toEqual([fresh.id])
  })

  it('gives the new key to exactly one of many concurrent requests', async () => {
    const { headers } = await signUp(app)
    const { id } = await newKey(app, headers)
    const answers = await Promise.all(Array.from({ length: 8 }, () => regenerate(id, headers)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(404)])
    expect(await listKeys(app, headers)).toHaveLength(1)
  })

  it('returns 404 for unknown and revoked keys', async () => {
    const { headers } = await signUp(app)
    const { id } = await newKey(app, headers)
    await remove(`/api-keys/${id}`, headers)
    expect((await regenerate(id, headers)).statusCode).toBe(404)
    expect((await regenerate(999_999_999, headers)).statusCode).toBe(404)
  })
})

describe('the email about a new key', () => {
  it('notifies the owner when a session creates or replaces a key', async () => {
    const { headers, account } = await signUp(app)
    const response = await postKey(app, headers, { name: 'Free money at https://evil.example' })
    expect(response.statusCode).toBe(201)
    const created = await mailbox.take(account.email, 'apiKey')
    expect(created.text).toContain(`With the key ${response.json().masked}`)
    expect(created.text).toContain('change your password, which ends every session, and revoke the key')
    expect(created.text).not.toContain(keyOf(response).key)
    expect(created.text).not.toContain('evil.example')

    const replaced = await regenerate(keyOf(response).id, headers)
    const rotated = await mailbox.take(account.email, 'apiKey')
    expect(rotated.text).toContain(`With the key ${replaced.json().masked}`)
  })

  it('is sent when a key replaces itself, because the new key is independent', async () => {
    const { headers, account } = await signUp(app)
    const key = await newKey(app, headers, { scopes: ['manage:keys'] })
    await mailbox.take(account.email, 'apiKey')
    const replaced = await regenerate(key.id, key.headers)
    const { text } = await mailbox.take(account.email, 'apiKey')
    expect(text).toContain(`With the key ${replaced.json().masked}`)
  })

  it('is not sent about keys that end with the key that created or replaced them', async () => {
    const { headers, account } = await signUp(app)
    const maker = await newKey(app, headers, { scopes: ['manage:keys'] })
    await mailbox.take(account.email, 'apiKey')
    const made = await newKey(app, maker.headers)
    expect((await regenerate(made.id, maker.headers)).statusCode).toBe(200)
    expect(await mailbox.has(account.email, 'apiKey')).toBe(false)
  })

  it('is sent to an account ten times an hour at most', async () => {
    const limited = await instance({ limits: { rateLimit: { multiplier: 1 } } })
    const { headers, account } = await signUp(limited)
    for (let made = 0; made < 12; made++) await newKey(limited, headers)
    for (let sent = 0; sent < 10; sent++) await mailbox.take(account.email, 'apiKey')
    expect(await mailbox.has(account.email, 'apiKey')).toBe(false)
  })
})
