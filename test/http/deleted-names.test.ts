import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, newRegistration, PASSWORD, register, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestStorage } from '../support/app.ts'
import { client } from '../support/client.ts'

const DAY = 86_400_000

type Account = Awaited<ReturnType<typeof signUp>>

let now = Date.now()
let database: TestStorage
let test: Awaited<ReturnType<typeof createTestApp>>
let owner: Account
let guest: Account
let otherUser: Account
let number = 0

beforeAll(async () => {
  database = await openStorage()
  test = await createTestApp({ storage: database.storage, clock: () => new Date(now) })
  owner = await signUp(test.app, 'owner-of-gates')
  guest = await signUp(test.app, 'guest-of-gates')
  otherUser = await signUp(test.app, 'other-user-of-gates')
  const page = { profile_id: owner.account.active_profile_id, title: 'Kept', body: 'Words.', status: 'published' }
  expect((await owner.post('/manage/pages', page)).statusCode).toBe(201)
})
afterAll(async () => {
  await test.close()
  await database.close()
})

const { get } = client(() => test.app)
const didOf = (path: string) => `did:web:profiles.example${path.replaceAll('/', ':')}`
const makeNamed = (username: string, account: Account) =>
  account.post('/profiles', { profile_type: 'organization', username })
const rename = (path: string, username: string, account: Account) => account.put(`/profiles${path}`, { username })

async function organization(account: Account) {
  const username = `house-${++number}`
  const made = await makeNamed(username, account)
  expect(made.statusCode, made.body).toBe(200)
  return `/o/${username}`
}

async function remove(path: string, account: Account) {
  const removed = await account.delete(`/profiles${path}`)
  expect(removed.statusCode, removed.body).toBe(200)
}

/** Lets those in who have one of these DIDs. */
async function allow(...dids: string[]) {
  const tiers = {
    public: { requirements: [], access: ['profile.*'] },
    inner: { requirements: [{ type: 'allowlist', dids }], access: ['content.*'] },
  }
  const config = { default_tier: 'public', tiers }
  const stored = await owner.put(`/eep/gates/${didOf('/u/owner-of-gates')}`, config)
  expect(stored.statusCode, stored.body).toBe(200)
}
const reads = async (account: Account) => (await account.get('/u/owner-of-gates/content/kept')).statusCode === 200

async function signIn(account: Account): Promise<Account> {
  const { email } = account.account
  const answer = await client(test.app).post('/auth/login', { email, password: PASSWORD })
  const { token } = answer.json()
  const headers = { authorization: `Bearer ${token}` }
  return { ...account, ...client(test.app).with(headers), token, headers }
}

describe('the name of a deleted profile', () => {
  it('rejects the name of a deleted profile for other accounts, for new profiles and renames', async () => {
    const path = await organization(guest)
    const name = path.slice(3)
    await remove(path, guest)
    expect(codeOf(await makeNamed(name, otherUser))).toBe('username_taken')
    const other = await organization(otherUser)
    expect(codeOf(await rename(other, name, otherUser))).toBe('username_taken')
    expect((await get(other)).statusCode).toBe(200)
    for (const query of [`username=${name}&type=organization`, `username=${name}`]) {
      expect((await get(`/check-username?${query}`)).json()).toEqual({ available: false })
    }
    expect((await get(`/check-username?username=${name}&type=place`)).json()).toEqual({ available: true })
  })

  it('lets the account that owned the profile use the name again', async () => {
    const path = await organization(guest)
    await remove(path, guest)
    expect((await makeNamed(path.slice(3), guest)).statusCode).toBe(200)
  })

  it('reserves at most 100 names per year for an account, and then rejects new profiles', async () => {
    const looping = await signUp(test.app, 'looping-of-names')
    const ownerAccountId = looping.account.id
    const at = new Date(now)
    const earlier = Array.from({ length: 99 }, (_, index) => ({
      type: 'place' as const,
      nameHash: `loop ${index}`,
      ownerAccountId,
      wasReadable: false,
      at,
    }))
    await database.storage.transaction((tx) => tx.profiles.reserveNames(earlier))
    const path = await organization(looping)
    await remove(path, looping)
    for (const name of [path.slice(3), 'looping-once-more']) {
      const refused = await makeNamed(name, looping)
      expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'too_many_deleted_profiles'])
    }
    // Nothing of it is reserved for the refused name, and others are not affected.
    expect((await makeNamed('looping-once-more', guest)).statusCode).toBe(200)
    const before = now
    now += 366 * DAY
    expect((await makeNamed(path.slice(3), await signIn(looping))).statusCode).toBe(200)
    now = before
  })

  it('reserves the former names of a renamed profile too', async () => {
    const path = await organization(guest)
    const after = `${path}-renamed`
    expect((await rename(path, after.slice(3), guest)).statusCode).toBe(200)
    await remove(after, guest)
    for (const name of [path, after]) {
      expect(codeOf(await makeNamed(name.slice(3), otherUser))).toBe('username_taken')
    }
  })

  it('resolves the DID of a deleted profile with 410 if the profile was readable, otherwise with 404', async () => {
    const path = await organization(guest)
    await remove(path, guest)
    const gone = await get(`/resolve?did=${didOf(path)}`)
    expect([gone.statusCode, codeOf(gone)]).toEqual([410, 'did_deactivated'])
    expect(gone.json()).toMatchObject({ didDocument: null, didDocumentMetadata: { deactivated: true } })
    const secret = await organization(guest)
    await guest.put(`/profiles${secret}`, { visibility: 'private' })
    await remove(secret, guest)
    expect((await get(`/resolve?did=${didOf(secret)}`)).statusCode).toBe(404)
    expect((await get(`/resolve?did=${didOf('/o/never-there')}`)).statusCode).toBe(404)
  })

  it('returns profile_deleted at the addresses of a deleted profile that was readable: 410 as a page, 404 in other formats', async () => {
    const path = await organization(guest)
    const former = `${path}-before`
    await rename(path, former.slice(3), guest)
    await rename(former, path.slice(3), guest)
    await remove(path, guest)
    const below = [
      '',
      '/content',
      '/content/any/page',
      '/changelog',
      '/freshness',
      '/badge.svg',
      '/card.png',
      '/did.json',
    ]
    for (const address of [...below.map((end) => path + end), `${path}.json`, former, `${former}/content`]) {
      const gone = await get(address)
      expect([address, gone.statusCode, codeOf(gone)]).toEqual([address, 404, 'profile_deleted'])
      expect(gone.headers['cache-control']).toBe('public, max-age=60')
    }
    expect((await client(test.app).send('HEAD', path)).statusCode).toBe(404)
    const page = await get(`${path}/content/page`, { accept: 'text/html', 'accept-language': 'de' })
    expect([page.statusCode, page.headers['content-type']]).toEqual([410, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<h1>Nicht mehr verfügbar</h1>')
    // Routes for owners and programs name a profile that does not exist.
    expect((await get(`/profiles${path}`)).statusCode).toBe(404)
    expect((await guest.delete(`/profiles${path}`)).statusCode).toBe(404)
  })

  it('returns 404 at the addresses of a deleted profile that was private', async () => {
    const path = await organization(guest)
    await guest.put(`/profiles${path}`, { visibility: 'private' })
    await remove(path, guest)
    for (const end of ['', '/content', '/did.json']) expect((await get(path + end)).statusCode).toBe(404)
  })

  it('does not reveal a private profile that has the name of a deleted one', async () => {
    const path = await organization(guest)
    await remove(path, guest)
    const made = { profile_type: 'organization', username: path.slice(3), visibility: 'private' }
    expect((await guest.post('/profiles', made)).statusCode).toBe(200)
    for (const end of ['', '/content', '/did.json']) {
      expect([(await get(path + end)).statusCode, (await guest.get(path + end)).statusCode]).toEqual([404, 200])
    }
    await guest.put(`/profiles${path}`, { visibility: 'public' })
    expect((await get(path)).statusCode).toBe(200)
  })
})

describe('an allowlist that names a profile of this service', () => {
  it('denies another profile that gets the name, also after the gate is saved again', async () => {
    const path = await organization(guest)
    await allow(didOf(path))
    expect(await reads(guest)).toBe(true)
    await remove(path, guest)
    expect(await reads(guest)).toBe(false)
    expect((await makeNamed(path.slice(3), guest)).statusCode).toBe(200)
    expect(await reads(guest)).toBe(false)
    await allow(didOf(path), 'did:key:z6MkAnother')
    expect(await reads(guest)).toBe(false)
    await allow('did:key:z6MkAnother')
    await allow(didOf(path))
    expect(await reads(guest)).toBe(true)
  })

  it('keeps an allowlist entry with a renamed profile when another profile takes its old name', async () => {
    const path = await organization(guest)
    await allow(didOf(path))
    expect((await rename(path, `${path.slice(3)}-b`, guest)).statusCode).toBe(200)
    expect(await reads(guest)).toBe(true)
    now += 31 * DAY
    otherUser = await signIn(otherUser)
    guest = await signIn(guest)
    owner = await signIn(owner)
    expect((await makeNamed(path.slice(3), otherUser)).statusCode).toBe(200)
    expect(await reads(otherUser)).toBe(false)
    expect(await reads(guest)).toBe(true)
  })

  it('grants nothing to a name that no profile had when it was added', async () => {
    await allow(didOf('/o/not-yet-there'))
    expect((await makeNamed('not-yet-there', guest)).statusCode).toBe(200)
    expect(await reads(guest)).toBe(false)
    await allow('did:key:z6MkAnother')
    await allow(didOf('/o/not-yet-there'))
    expect(await reads(guest)).toBe(true)
  })

  it('ignores a stored binding of a DID of another service', async () => {
    const profileId = owner.account.active_profile_id
    const foreign = 'did:web:elsewhere.example:u:guest-of-gates'
    await allow(foreign)
    const gate = await database.storage.read.gates.get(profileId)
    if (!gate) throw new Error('no gate')
    const boundDids = { [foreign]: guest.account.active_profile_id }
    const changedBy = owner.account.id
    await database.storage.transaction((tx) => tx.gates.put({ ...gate, changedBy, boundDids }))
    const other = await createTestApp({ storage: database.another(), clock: () => new Date(now) })
    const url = '/u/owner-of-gates/content/kept'
    expect((await client(other.app).as(guest).get(url)).statusCode).toBe(403)
    await other.close()
  })
})

describe('the names of a purged account', () => {
  it('keeps names of a purged account unavailable, and stores none in plain text', async () => {
    const leaver = await signUp(test.app, 'leaver-of-names')
    const path = await organization(leaver)
    await rename(path, 'leavers-second-name', leaver)
    const purging = await createTestApp({
      storage: database.another(),
      auth: { purgeIntervalMs: 1_000, expiry: { deletionGraceDays: 1 / 86_400 } },
    })
    const left = await client(purging.app).as(leaver).send('DELETE', '/auth/account', { password: PASSWORD })
    expect(left.statusCode, left.body).toBe(200)
    const { id } = leaver.account
    await expect.poll(() => database.storage.read.accounts.get(id), { timeout: 60_000 }).toBeUndefined()
    await purging.close()
    for (const username of ['leaver-of-names', 'leavers-second-name']) {
      expect((await get(`/check-username?username=${username}`)).json()).toEqual({ available: false })
    }
    const again = await register(test.app, newRegistration('leaver-of-names'))
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'username_taken'])
    expect((await get(`/resolve?did=${didOf('/u/leaver-of-names')}`)).statusCode).toBe(410)
    for (const url of ['/u/leaver-of-names', path]) {
      expect([url, (await get(url, { accept: 'text/html' })).statusCode]).toEqual([url, 410])
    }
    const rows = (await database.dump?.()) ?? []
    expect(rows.filter((row) => /leaver/.test(row))).toEqual([])
  })
})
