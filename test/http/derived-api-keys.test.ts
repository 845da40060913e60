import { afterAll, describe, expect, it } from 'vitest'
import { codeOf, me, newName, signUp } from '../support/accounts.ts'
import { keyOf, listKeys, newKey, postKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

const { app, close } = await createTestApp()
afterAll(close)

const remove = (url: string, headers: Record<string, string>) => client(app).delete(url, headers)
const regenerate = (id: number, headers: Record<string, string>) =>
  client(app).with(headers).post(`/api-keys/${id}/regenerate`)
const regenerateAll = (id: number, headers: Record<string, string>) =>
  client(app).with(headers).post(`/api-keys/${id}/regenerate?cascade=true`)
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const status = async (headers: Record<string, string>) => (await me(app, headers)).statusCode

describe('a key that manages keys', () => {
  it('creates and replaces keys with at most its own permissions', async () => {
    const { headers } = await signUp(app)
    const end = inAnHour()
    const maker = await newKey(app, headers, { scopes: ['manage:keys', 'read:content'], expires_at: end })
    const made = await postKey(app, maker.headers)
    expect(made.json()).toMatchObject({ scopes: ['read:content'], expires_at: end, profile_id: null })

    const wider = await postKey(app, maker.headers, { scopes: ['write:gates'] })
    expect(wider.statusCode).toBe(403)
    expect(wider.json().error).toMatchObject({ code: 'insufficient_scope', details: { required: ['write:gates'] } })
    for (const expires_at of [null, new Date(Date.parse(end) + 1).toISOString()]) {
      expect(codeOf(await postKey(app, maker.headers, { expires_at }))).toBe('key_scope_escalation')
    }
    expect((await regenerate(maker.id, maker.headers)).statusCode).toBe(200)
  })

  it('cannot replace a key with broader permissions', async () => {
    const { headers } = await signUp(app)
    const maker = await newKey(app, headers, { scopes: ['manage:keys'] })
    const wide = await newKey(app, headers, { scopes: ['write:gates'] })
    const response = await regenerate(wide.id, maker.headers)
    expect(codeOf(response)).toBe('insufficient_scope')
    expect(await status(wide.headers)).toBe(200)
    expect((await remove(`/api-keys/${wide.id}`, maker.headers)).statusCode).toBe(200)
  })
})

describe('a key that a key made', () => {
  const MAKER = { scopes: ['manage:keys', 'read:content'] }

  it('revokes derived keys recursively when their parent is revoked', async () => {
    const { headers } = await signUp(app)
    const maker = await newKey(app, headers, MAKER)
    const child = await newKey(app, maker.headers, MAKER)
    const grandchild = await newKey(app, child.headers)
    const own = await newKey(app, headers)
    expect((await remove(`/api-keys/${maker.id}`, headers)).statusCode).toBe(200)
    const states = await Promise.all([maker, child, grandchild, own].map((key) => status(key.headers)))
    expect(states).toEqual([401, 401, 401, 200])
    expect((await listKeys(app, headers)).map(({ id }) => id)).toEqual([own.id])
  })

  it('keeps a derived key when its parent is replaced, and revokes it with the replacement', async () => {
    const { headers } = await signUp(app)
    const maker = await newKey(app, headers, MAKER)
    const child = await newKey(app, maker.headers, MAKER)
    const grandchild = await newKey(app, child.headers)
    const replaced = keyOf(await regenerate(maker.id, maker.headers))
    const states = () => Promise.all([maker, child, grandchild, replaced].map((key) => status(key.headers)))
    expect(await states()).toEqual([401, 200, 200, 200])
    await remove(`/api-keys/${replaced.id}`, headers)
    expect(await states()).toEqual([401, 401, 401, 401])
  })

  it('revokes derived keys when their parent is replaced with cascade=true', async () => {
    const { headers } = await signUp(app)
    const maker = await newKey(app, headers, MAKER)
    const child = await newKey(app, maker.headers, MAKER)
    const grandchild = await newKey(app, child.headers)
    const replaced = keyOf(await regenerateAll(maker.id, headers))
    const states = await Promise.all([child, grandchild, replaced].map((key) => status(key.headers)))
    expect(states).toEqual([401, 401, 200])
    expect((await client(app).with(headers).post(`/api-keys/${replaced.id}/regenerate?cascade=maybe`)).statusCode).toBe(
      400,
    )
  })

  it('does not keep a derived key that replaces its parent', async () => {
    const { headers } = await signUp(app)
    const maker = await newKey(app, headers, MAKER)
    const child = await newKey(app, maker.headers, MAKER)
    const grandchild = await newKey(app, child.headers, MAKER)
    for (const key of [child, grandchild]) {
      const refused = await regenerate(maker.id, key.headers)
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'key_scope_escalation'])
    }
    const replaced = keyOf(await regenerateAll(maker.id, grandchild.headers))
    const states = await Promise.all([maker, child, grandchild, replaced].map((key) => status(key.headers)))
    expect(states).toEqual([401, 401, 401, 200])
  })

  it('keeps the parent of a replaced key, and derives keys that a key replaced', async () => {
    const { headers } = await signUp(app)
    const maker = await newKey(app, headers, MAKER)
    const child = keyOf(await regenerate((await newKey(app, maker.headers)).id, headers))
    const own = await newKey(app, headers, { scopes: ['read:content'] })
    const taken = keyOf(await regenerate(own.id, maker.headers))
    await remove(`/api-keys/${maker.id}`, headers)
    expect([await status(child.headers), await status(taken.headers)]).toEqual([401, 401])
  })
})

describe('a key of one profile', () => {
  /** A user with two profiles, and a key for the first. */
  async function boundKey() {
    const { headers, account } = await signUp(app)
    const company = newName()
    await client(app).post('/profiles', { profile_type: 'organization', username: company, type_data: {} }, headers)
    const profiles: { id: number; profile_type: string }[] = (await me(app, headers)).json().profiles
    const [own, other] = profiles.map(({ id }) => id)
    const scopes = ['manage:keys', 'write:gates', 'read:profiles', 'read:gates']
    const key = await newKey(app, headers, { scopes, profile_id: own })
    return { headers, account, company, own, other, key }
  }

  const putGates = (did: string, headers: Record<string, string>) =>
    client(app).put(
      `/eep/gates/${did}`,
      { default_tier: 'free', tiers: { free: { requirements: [], access: ['content.*'] } } },
      headers,
    )

  it('acts for its profile only', async () => {
    const { account, company, key, headers } = await boundKey()
    expect((await putGates(`did:web:profiles.example:u:${account.username}`, key.headers)).statusCode).toBe(200)
    const other = `did:web:profiles.example:o:${company}`
    const refused = await putGates(other, key.headers)
    expect(refused.statusCode).toBe(403)
    expect(codeOf(refused)).toBe('not_profile_owner')

    await client(app).put(`/profiles/o/${company}`, { visibility: 'private' }, headers)
    expect((await putGates(other, key.headers)).statusCode).toBe(404)
    expect((await client(app).as(key).get(`/o/${company}`)).statusCode).toBe(404)
    expect((await client(app).get(`/o/${company}`, headers)).statusCode).toBe(200)
  })

  it("sees only its profile and that profile's keys", async () => {
    const { headers, own, other, key } = await boundKey()
    const elsewhere = await newKey(app, headers, { profile_id: other })
    const everywhere = await newKey(app, headers)
    expect((await me(app, key.headers)).json()).toMatchObject({ active_profile_id: own, profiles: [{ id: own }] })
    expect((await me(app, elsewhere.headers)).json()).toMatchObject({ active_profile_id: other })
    expect((await listKeys(app, key.headers)).map(({ id }) => id)).toEqual([key.id])
    for (const { id } of [elsewhere, everywhere]) {
      expect((await regenerate(id, key.headers)).statusCode).toBe(404)
      expect((await remove(`/api-keys/${id}`, key.headers)).statusCode).toBe(404)
    }
    expect(codeOf(await postKey(app, key.headers, { profile_id: null }))).toBe('key_scope_escalation')
    expect(codeOf(await postKey(app, key.headers, { profile_id: other }))).toBe('key_scope_escalation')
    expect((await postKey(app, key.headers)).json()).toMatchObject({ profile_id: own })
  })

  it('revokes the key of a profile with the profile', async () => {
    const { headers, company, other } = await boundKey()
    const key = await newKey(app, headers, { profile_id: other })
    expect((await remove(`/profiles/o/${company}`, headers)).statusCode).toBe(200)
    expect(await status(key.headers)).toBe(401)
  })
})
