import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { downloaded, exported, hashOf, isSigned, jsonOf, pathOf, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const DAY_MS = 24 * 3_600_000
let now = Date.now()
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Writer

beforeAll(async () => {
  test = await createTestApp({ clock: () => new Date(now) })
  ada = await createWriter(test.app, 'ada')
})
afterAll(() => test.close())

const ofProfile = (id: number, more: object = {}) => ({ profile_id: id, ...more })

describe('POST /export', () => {
  it('writes the profile, its pages with versions, and its files into a ZIP whose manifest lists each member', async () => {
    await ada.put('/profiles/u/ada', { bio: 'I write notes on engines.' })
    const notes = await ada.newCategory({ name: 'Notes' })
    const page = await ada.newPage({ title: 'The engine', body: 'First.', category_id: notes.id })
    await ada.putPage(page.id, { body: 'Second.' })
    const sent = await upload(test.app, [field('username', 'ada'), fileOf('some bytes')], ada.headers)
    const file = sent.json().id

    const members = await unzip(await downloaded(test.app, ada, ofProfile(ada.profileId)))
    expect([...members.keys()]).toEqual(
      expect.arrayContaining([
        'profile.json',
        'profile.md',
        'content/_categories.json',
        'content/notes/the-engine.md',
        'content/notes/the-engine.json',
        'files.json',
        `files/${file}/notes.txt`,
        'manifest.json',
      ]),
    )
    expect(jsonOf(members, 'profile.json')).toMatchObject({ username: 'ada', bio: 'I write notes on engines.' })
    expect(String(members.get('profile.md'))).toContain('I write notes on engines.')
    expect(String(members.get('content/notes/the-engine.md'))).toMatch(
      /^---\ntitle: .*The engine.*\n[\s\S]*---\n\nSecond\.\n$/,
    )
    const record = jsonOf(members, 'content/notes/the-engine.json')
    expect(record.versions.map(({ body }: { body: string }) => body)).toEqual(['Second.', 'First.'])
    expect(String(members.get(`files/${file}/notes.txt`))).toBe('some bytes')

    const manifest = jsonOf(members, 'manifest.json')
    const listed = Object.fromEntries(
      manifest.members.map(({ path, sha256 }: Record<string, string>) => [path, sha256]),
    )
    const found = [...members].filter(([path]) => path !== 'manifest.json')
    expect(listed).toEqual(Object.fromEntries(found.map(([path, bytes]) => [path, hashOf(bytes)])))
  })

  it('signs the manifest with a key of the service', async () => {
    const { manifest } = await exportedJson(ada)
    const { keys } = (await client(test.app).get('/.well-known/jwks.json')).json()
    expect(keys).toContainEqual(manifest.key)
    const { signature, ...unsigned } = manifest
    expect(await isSigned(unsigned, signature, manifest.key)).toBe(true)
    expect(await isSigned({ ...unsigned, issuer: 'https://other.example' }, signature, manifest.key)).toBe(false)
  })

  it('exports the text and data of a profile as one JSON object on request', async () => {
    const { members } = await exportedJson(ada)
    expect(members['profile.json']).toMatchObject({ username: 'ada' })
    expect(members['profile.md']).toMatch(/^---\n/)
    expect(Object.keys(members).filter((path) => path.startsWith('files/'))).toEqual([])
  })

  it('is permitted to owners and administrators of the team only', async () => {
    const org = await newOrganization(test.app)
    const [admin, editor] = [await newMember(test.app, org, 'admin'), await newMember(test.app, org, 'editor')]
    expect((await exported(test.app, admin, ofProfile(org.id))).status).toBe('succeeded')
    for (const other of [editor, await signUp(test.app)]) {
      const refused = await other.post('/export', ofProfile(org.id))
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
    }
  })

  it('leaves out the email address for administrators, who cannot read it either', async () => {
    const org = await newOrganization(test.app)
    await org.owner.put(org.path, { email: 'office@example.com' })
    const admin = await newMember(test.app, org, 'admin')
    const emailFor = async (person: Person) => {
      const members = await unzip(await downloaded(test.app, person, ofProfile(org.id)))
      return jsonOf(members, 'profile.json').email
    }
    expect([await emailFor(org.owner), await emailFor(admin)]).toEqual(['office@example.com', undefined])
  })

  it('is limited to 20 requests a day for each profile and account', async () => {
    const org = await newOrganization(test.app)
    const statuses: number[] = []
    // Ended one by one, so that the limit of waiting jobs is not reached.
    for (let request = 1; request <= 20; request++) {
      const sent = await org.owner.post('/export', ofProfile(org.id, { format: 'json' }))
      statuses.push(sent.statusCode)
      await org.owner.delete(`/jobs/${sent.json().id}`)
    }
    expect(new Set(statuses)).toEqual(new Set([202]))
    const refused = await org.owner.post('/export', ofProfile(org.id))
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_exports'])
    // The window began with the first request, a moment ago.
    const waits = Number(refused.headers['retry-after']) * 1_000
    expect(waits).toBeGreaterThan(DAY_MS - 600_000)
    expect(waits).toBeLessThanOrEqual(DAY_MS)
    expect((await org.owner.post('/export', { account: true })).statusCode).toBe(202)
  })

  it('returns 404 for a profile that does not exist', async () => {
    expect(codeOf(await ada.post('/export', ofProfile(999_999)))).toBe('profile_not_found')
  })
})

describe('the address of an export', () => {
  it('needs no session, and serves ranges, so that a download can continue', async () => {
    const job = await exported(test.app, ada, ofProfile(ada.profileId))
    const path = pathOf(String(job.result?.url))
    const whole = await client(test.app).get(path)
    expect(whole.headers['content-type']).toBe('application/zip')
    expect(whole.headers['cache-control']).toBe('private, no-store')
    const part = await client(test.app).get(path, { range: 'bytes=2-9' })
    expect([part.statusCode, part.rawPayload]).toEqual([206, whole.rawPayload.subarray(2, 10)])
    expect(hashOf(whole.rawPayload)).toBe(job.result?.sha256)
  })

  it('is valid for 24 hours, unless it is changed', async () => {
    const job = await exported(test.app, ada, ofProfile(ada.profileId))
    const path = pathOf(String(job.result?.url))
    const started = now
    expect(Date.parse(String(job.result?.expires_at)) - started).toBeLessThanOrEqual(DAY_MS)
    const statuses: number[] = []
    for (const [at, url] of [
      [DAY_MS - 60_000, path],
      [DAY_MS + 1_000, path],
      [0, path.replace(/expires=\d+/, 'expires=99999999999')],
      [0, path.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`)],
    ] as const) {
      now = started + at
      statuses.push((await client(test.app).get(url)).statusCode)
    }
    now = started
    expect(statuses).toEqual([200, 404, 404, 404])
  })

  it('ends when the same account exports the profile again', async () => {
    const org = await newOrganization(test.app)
    const admin = await newMember(test.app, org, 'admin')
    const export_ = async (who: Person) =>
      pathOf(String((await exported(test.app, who, ofProfile(org.id))).result?.url))
    const [first, other] = [await export_(org.owner), await export_(admin)]
    const ofAccount = pathOf(String((await exported(test.app, org.owner, { account: true })).result?.url))
    const second = await export_(org.owner)
    const statuses = []
    for (const path of [first, second, other, ofAccount]) statuses.push((await client(test.app).get(path)).statusCode)
    expect(statuses).toEqual([404, 200, 200, 200])
  })

  it('ends with the role and with the sessions of its requester', async () => {
    const org = await newOrganization(test.app)
    const [admin, other] = [await newMember(test.app, org, 'admin'), await newMember(test.app, org, 'admin')]
    const paths: string[] = []
    for (const [person, body] of [
      [admin, ofProfile(org.id)],
      [other, ofProfile(org.id)],
      [admin, { account: true }],
      [other, { account: true }],
    ] as const) {
      paths.push(pathOf(String((await exported(test.app, person, body)).result?.url)))
    }
    const statuses = () => Promise.all(paths.map(async (path) => (await client(test.app).get(path)).statusCode))
    expect(await statuses()).toEqual([200, 200, 200, 200])
    const removed = await org.owner.delete(`${org.team}/${admin.account.id}`)
    expect(removed.statusCode, removed.body).toBe(200)
    expect(await statuses()).toEqual([404, 200, 200, 200])
    const changed = await other.put('/auth/change-password', {
      current_password: PASSWORD,
      new_password: 'Another-Engine-1843',
    })
    expect(changed.statusCode, changed.body).toBe(200)
    expect(await statuses()).toEqual([404, 404, 200, 404])
  })

  it('ends with the profile', async () => {
    const org = await newOrganization(test.app)
    const job = await exported(test.app, org.owner, ofProfile(org.id))
    await org.owner.delete(org.path)
    const gone = await client(test.app).get(pathOf(String(job.result?.url)))
    expect([gone.statusCode, codeOf(gone)]).toEqual([404, 'export_not_found'])
  })
})

async function exportedJson(person: Writer) {
  const bytes = await downloaded(test.app, person, ofProfile(person.profileId, { format: 'json' }))
  return JSON.parse(String(bytes))
}

describe('GET /export', () => {
  const list = async (query: string, as: Person = ada) => (await as.get(`/export${query}`)).json()

  it('lists the exports of a profile with state, size, expiry and the address of the latest', async () => {
    const org = await newOrganization(test.app)
    const query = `?profile_id=${org.id}`
    expect((await list(query, org.owner)).data).toEqual([])
    const first = await exported(test.app, org.owner, ofProfile(org.id))
    const [only] = (await list(query, org.owner)).data
    expect(only).toEqual({
      id: first.id,
      profile_id: org.id,
      format: 'zip',
      state: 'succeeded',
      progress: 100,
      size: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      url: expect.stringContaining(`/export/${first.id}/`),
      expires_at: expect.any(String),
      error: null,
      created_at: expect.any(String),
      finished_at: expect.any(String),
    })
    const bytes = await client(test.app).get(pathOf(only.url))
    expect([bytes.statusCode, hashOf(bytes.rawPayload), bytes.rawPayload.length]).toEqual([200, only.sha256, only.size])

    now += 600_001
    const late = (await list(query, org.owner)).data[0]
    const { result } = (await org.owner.get(`/jobs/${first.id}`)).json()
    const [listed] = (await org.owner.get('/jobs?kind=export')).json().data
    expect([late.url, result.url, listed.result.url, result.sha256]).toEqual([null, null, null, only.sha256])
    await org.owner.post('/auth/prove', { password: PASSWORD })
    expect((await org.owner.get(`/jobs/${first.id}`)).json().result.url).toContain(only.url)
    now += 1_000
    const second = await exported(test.app, org.owner, ofProfile(org.id, { format: 'json' }))
    const both = await list(query, org.owner)
    expect(both.pagination.total).toBe(2)
    expect(both.data.map(({ id, url }: { id: string; url: string | null }) => [id, url === null])).toEqual([
      [second.id, false],
      [first.id, true],
    ])
    const page = await list(
      `${query}&limit=1&cursor=${(await list(`${query}&limit=1`, org.owner)).pagination.next_cursor}`,
      org.owner,
    )
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual([first.id])

    now += DAY_MS
    expect((await list(query, org.owner)).data[0]).toMatchObject({ id: second.id, state: 'succeeded', url: null })
  })

  it('lists only what the caller requested, also exports of the account', async () => {
    const org = await newOrganization(test.app)
    const admin = await newMember(test.app, org, 'admin')
    const own = await exported(test.app, admin, ofProfile(org.id))
    expect((await list(`?profile_id=${org.id}`, org.owner)).data).toEqual([])
    const whole = await exported(test.app, admin, { account: true })
    const all = await admin.get('/export')
    expect(all.headers['cache-control']).toBe('private, no-store')
    const ids = all.json().data.map(({ id, profile_id: about }: { id: string; profile_id: number }) => [id, about])
    expect(ids).toEqual([
      [whole.id, null],
      [own.id, org.id],
    ])
  })

  it('is refused to editors and other accounts, and rejects values that do not name a profile', async () => {
    const org = await newOrganization(test.app, undefined, { visibility: 'private' })
    const editor = await newMember(test.app, org, 'editor')
    expect(codeOf(await editor.get(`/export?profile_id=${org.id}`))).toBe('not_profile_owner')
    expect(codeOf(await ada.get(`/export?profile_id=${org.id}`))).toBe('profile_not_found')
    for (const query of ['?profile_id=x', '?profile_id=0', '?profile_id=1.5', '?cursor=x', '?limit=0'])
      expect((await ada.get(`/export${query}`)).statusCode, query).toBe(400)
  })
})
