import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, me, newRegistration, register, signUp } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'

const DAY = 86_400_000

// Expired sessions are deleted by the clock of the database, so this one starts with it.
let now = Date.now()
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Awaited<ReturnType<typeof signUp>>
let bob: Awaited<ReturnType<typeof signUp>>
let number = 0
const fresh = () => `named-${++number}`

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

beforeAll(async () => {
  test = await createTestApp({ clock: () => new Date(now) })
  ada = await signUp(test.app, 'ada')
  bob = await signUp(test.app, 'bob')
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const rename = (path: string, username: string, headers: Headers = ada.headers) =>
  client(test.app).with(headers).put(`/profiles${path}`, { username })
const available = async (username: string, type = 'organization') =>
  (await get(`/check-username?username=${username}&type=${type}`)).json().available

async function organization(fields: Fields = {}, headers: Headers = ada.headers) {
  const username = fresh()
  const made = await client(test.app)
    .with(headers)
    .post('/profiles', { profile_type: 'organization', username, ...fields })
  expect(made.statusCode, made.body).toBe(200)
  return `/o/${username}`
}

/** An organization with a page, and where it went. */
async function renamed(fields: Fields = {}) {
  const path = await organization(fields)
  const { id } = (await get(`/profiles${path}`, ada.headers)).json()
  const category = await ada.post('/manage/categories', { profile_id: id, name: 'Notes' })
  const page = {
    profile_id: id,
    category_id: category.json().id,
    title: 'On engines',
    body: 'Text.',
    status: 'published',
  }
  expect((await ada.post('/manage/pages', page)).statusCode).toBe(201)
  const username = fresh()
  const answer = await rename(path, username)
  expect(answer.statusCode, answer.body).toBe(200)
  return { id, before: path, after: `/o/${username}`, answer }
}

describe('a profile that is renamed', () => {
  it('keeps its data at the new URL, with a new DID', async () => {
    const { id, before, after, answer } = await renamed({ bio: 'We make engines.' })
    expect(answer.json()).toMatchObject({ id, username: after.slice(3), bio: 'We make engines.' })
    const record = (await get(`${after}?format=json`)).json()
    expect(record).toMatchObject({ id, did: `did:web:profiles.example:o:${after.slice(3)}` })
    expect(record.links.self).toBe(PUBLIC_URL + after)
    const did = (await get(`${after}/did.json`)).json()
    expect(did.id).toBe(record.did)
    expect(did.alsoKnownAs).toEqual([PUBLIC_URL + after, `did:web:profiles.example:o:${before.slice(3)}`])
    expect((await get(`${after}/changelog`)).body).toContain('Profile updated: username')
  })

  it('redirects from its old URL and everything below it, with the query', async () => {
    const { before, after } = await renamed()
    for (const below of [
      '',
      '?format=json',
      '.json',
      '/freshness',
      '/badge.svg?x=1',
      '/changelog?limit=1',
      '/did.json',
      '/content',
      '/content/notes',
      '/content/notes/on-engines?format=toon&x=%2Fo',
    ]) {
      const answer = await get(before + below)
      expect(answer.statusCode, below).toBe(308)
      expect(answer.headers.location, below).toBe(after + below)
      expect(codeOf(answer)).toBe('profile_moved')
      expect(answer.headers['cache-control']).toBe('public, max-age=60')
      expect((await get(after + below)).statusCode, below).toBe(200)
    }
    expect((await get(`/profiles${before}`)).headers.location).toBe(`/profiles${after}`)
    const gates = await get(`/eep/gates/did:web:profiles.example:o:${before.slice(3)}`)
    expect(gates.statusCode).toBe(308)
    expect(decodeURIComponent(String(gates.headers.location))).toBe(
      `/eep/gates/did:web:profiles.example:o:${after.slice(3)}`,
    )
  })

  it('redirects every read by its old name or DID that the OpenAPI document describes', async () => {
    const { before, after } = await renamed()
    const [old, current] = [before.slice(3), after.slice(3)]
    const did = `did:web:profiles.example:o:${old}`
    const { paths } = (await get('/docs/openapi.json')).json<{ paths: Record<string, Record<string, object>> }>()
    const reads = Object.entries(paths).flatMap(([path, { get: read }]) =>
      read && /\{(did|username)\}/.test(path) ? [path] : [],
    )
    const led: string[] = []
    for (const path of reads) {
      const names: Record<string, string> = { did, username: old, prefix: 'o', type: 'organization' }
      const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? '1')
      const { statusCode, headers } = await get(address, ada.headers)
      if (statusCode !== 308) continue
      expect(headers.location).toContain(current)
      led.push(path)
    }
    expect(led).toEqual(expect.arrayContaining(['/{prefix}/{username}', '/eep/gates/{did}', '/eep/capabilities/{did}']))
  })

  it('redirects with the prefix of the listener', async () => {
    const { before, after } = await renamed()
    const { default: Fastify } = await import('fastify')
    const gateway = Fastify()
    await gateway.register(test.eep.http, { prefix: '/api' })
    const answer = await client(gateway).get(`/api${before}/content?limit=3`)
    expect([answer.statusCode, answer.headers.location]).toEqual([308, `/api${after}/content?limit=3`])
    await gateway.close()
  })

  it('redirects from all former names to the current one', async () => {
    const { before, after } = await renamed()
    const last = fresh()
    await rename(after, last)
    for (const path of [before, after]) expect((await get(path)).headers.location).toBe(`/o/${last}`)
    expect((await rename(`/o/${last}`, before.slice(3))).statusCode).toBe(200)
    expect((await get(before)).statusCode).toBe(200)
    expect((await get(after)).headers.location).toBe(before)
  })

  it('keeps its old name for 30 days', async () => {
    const { before, after } = await renamed()
    const name = before.slice(3)
    const make = (headers: Headers = bob.headers) =>
      client(test.app).with(headers).post('/profiles', { profile_type: 'organization', username: name })
    expect(await available(name)).toBe(false)
    expect(codeOf(await make())).toBe('username_taken')
    const other = await organization({}, bob.headers)
    expect(codeOf(await rename(other, name, bob.headers))).toBe('username_taken')
    expect(await available(name, 'place')).toBe(true)
    try {
      now += 30 * DAY - 1
      expect((await get(before)).statusCode).toBe(308)
      now += 1
      expect((await get(before)).statusCode).toBe(404)
      expect((await get(`${after}/did.json`)).json().alsoKnownAs).toEqual([PUBLIC_URL + after])
      expect(await available(name)).toBe(true)
      const { token } = (await login(test.app, bob.account.email)).json()
      expect((await make({ authorization: `Bearer ${token}` })).statusCode).toBe(200)
      expect((await get(before)).statusCode).toBe(200)
    } finally {
      now -= 30 * DAY
    }
  })

  it('serves another profile once the owner deletes it and reuses the old name', async () => {
    const { before } = await renamed()
    await ada.delete(`/profiles${(await get(before)).headers.location}`)
    expect((await get(before)).statusCode).toBe(404)
    const made = await ada.post('/profiles', { profile_type: 'organization', username: before.slice(3) })
    expect(made.statusCode).toBe(200)
    expect((await get(before)).statusCode).toBe(200)
  })

  it('does not reveal a renamed profile to readers who may not see it', async () => {
    const { before, after } = await renamed({ visibility: 'private' })
    const nothing = await get(`/o/${fresh()}`)
    for (const headers of [{}, bob.headers]) {
      const answer = await get(before, headers)
      expect(answer.statusCode).toBe(404)
      expect(answer.headers).not.toHaveProperty('location')
      expect(answer.body).toBe(nothing.body)
    }
    const own = await get(before, ada.headers)
    expect(own.headers).toMatchObject({ location: after, 'cache-control': 'private, no-store' })
  })

  it('returns 404 at its old name too while its account is being deleted', async () => {
    const leaver = await signUp(test.app)
    const path = await organization({}, leaver.headers)
    expect((await rename(path, fresh(), leaver.headers)).statusCode).toBe(200)
    expect((await get(path)).statusCode).toBe(308)
    const gone = await leaver.send('DELETE', '/auth/account', { password: 'Correct horse 7 battery' })
    expect(gone.statusCode, gone.body).toBe(200)
    expect((await get(path)).statusCode).toBe(404)
  })
})

describe('a new name', () => {
  it('applies a new name together with other changes, or none of them', async () => {
    const path = await organization({ bio: 'Old.' })
    const taken = (await organization()).slice(3)
    const refused = await ada.put(`/profiles${path}`, { username: taken, bio: 'New.' })
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'username_taken'])
    expect((await get(`${path}?format=json`)).json().bio).toBe('Old.')
    const username = fresh()
    const changed = await ada.put(`/profiles${path}`, { username, bio: 'New.' })
    expect(changed.json()).toMatchObject({ username, bio: 'New.' })
  })

  it('changes nothing when the new name equals the old one', async () => {
    const path = await organization()
    const { updated_at } = (await get(`${path}?format=json`)).json()
    now += 1_000
    expect((await rename(path, path.slice(3))).json()).toMatchObject({ username: path.slice(3), updated_at })
  })

  it.each([
    ['Not Valid', 400],
    ['', 400],
    ['-x', 400],
    ['x'.repeat(65), 400],
    ['admin', 409],
    ['completion', 409],
  ])('rejects the name %j', async (username, status) => {
    const path = await organization()
    expect((await rename(path, username)).statusCode).toBe(status)
    expect((await get(path)).statusCode).toBe(200)
  })

  it('lets only the owner rename a profile', async () => {
    const path = await organization()
    expect((await rename(path, fresh(), bob.headers)).statusCode).toBe(403)
    const { id } = (await get(`${path}?format=json`)).json()
    await test.storage.transaction((tx) =>
      tx.members.put({ profileId: id, accountId: bob.account.id, role: 'editor', createdAt: new Date(now) }),
    )
    expect((await bob.put(`/profiles${path}`, { bio: 'Edited.' })).statusCode).toBe(200)
    expect(codeOf(await rename(path, fresh(), bob.headers))).toBe('not_profile_owner')
    expect((await get(path)).statusCode).toBe(200)
  })

  it('limits the number of kept names', async () => {
    let path = await organization()
    for (let times = 0; times < 5; times += 1) {
      const username = fresh()
      expect((await rename(path, username)).statusCode).toBe(200)
      path = `/o/${username}`
    }
    expect(codeOf(await rename(path, fresh()))).toBe('too_many_names')
    expect((await rename(path, path.slice(3))).statusCode).toBe(200)
  })

  it('gives a new name to one of many profiles that request it concurrently', async () => {
    const paths = await Promise.all(Array.from({ length: 8 }, () => organization()))
    const username = fresh()
    const answers = await Promise.all(paths.map((path) => rename(path, username)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(409)])
  })

  it('gives a name either to a renamed or to a new profile when both request it concurrently', async () => {
    const path = await organization()
    const username = fresh()
    const answers = await Promise.all([
      rename(path, username),
      bob.post('/profiles', { profile_type: 'organization', username }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  it('refuses a name that is being given up at the same time', async () => {
    const path = await organization()
    const answers = await Promise.all([
      rename(path, fresh()),
      ...Array.from({ length: 4 }, () =>
        bob.post('/profiles', { profile_type: 'organization', username: path.slice(3) }),
      ),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 409, 409, 409, 409])
  })
})

describe('the person of an account', () => {
  it('renames the account with its person profile', async () => {
    const someone = await signUp(test.app)
    const before = someone.account.username
    const username = fresh()
    expect((await rename(`/u/${before}`, username, someone.headers)).statusCode).toBe(200)
    expect((await me(test.app, someone.headers)).json()).toMatchObject({
      username,
      profiles: [{ profile_type: 'person', username }],
    })
    expect((await get(`/u/${before}`)).headers.location).toBe(`/u/${username}`)
    expect(codeOf(await register(test.app, { ...newRegistration(before), email: 'y@example.com' }))).toBe(
      'username_taken',
    )
    expect(codeOf(await register(test.app, { ...newRegistration(username), email: 'x@example.com' }))).toBe(
      'username_taken',
    )
    expect((await rename(`/u/${username}`, before, someone.headers)).statusCode).toBe(200)
    expect((await me(test.app, someone.headers)).json().username).toBe(before)
  })

  it('reserves its old name against new users of the host', async () => {
    const someone = await signUp(test.app)
    const before = someone.account.username
    expect((await rename(`/u/${before}`, fresh(), someone.headers)).statusCode).toBe(200)
    const user = { externalId: 'u-1', email: `${before}@host.example`, emailVerified: true }
    const host = await createTestApp({
      storage: test.storage,
      clock: () => new Date(now),
      auth: { hostAuth: { authenticate: async () => user } },
    })
    const known = await me(host.app, {})
    expect(known.statusCode, known.body).toBe(200)
    expect(known.json().username).toMatch(new RegExp(`^${before}-[0-9a-f]{8}$`))
    await host.close()
  })

  it('rejects the name of another account', async () => {
    const [someone, other] = [await signUp(test.app), await signUp(test.app)]
    const taken = other.account.username
    await other.delete(`/profiles/u/${taken}`)
    expect(codeOf(await rename(`/u/${someone.account.username}`, taken, someone.headers))).toBe('username_taken')
    expect((await me(test.app, someone.headers)).json().username).toBe(someone.account.username)
  })

  it('keeps the name of the account when another of its person profiles is renamed', async () => {
    const someone = await signUp(test.app)
    const second = fresh()
    await someone.post('/profiles', { profile_type: 'person', username: second })
    expect((await rename(`/u/${second}`, fresh(), someone.headers)).statusCode).toBe(200)
    expect((await me(test.app, someone.headers)).json().username).toBe(someone.account.username)
  })
})
