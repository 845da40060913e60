import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp, signUpListed } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createCashApp, shopGate } from '../support/shop.ts'
import { newMember } from '../support/teams.ts'

const GENERAL = { key: 'about-work', title: 'About my work', body: 'I build engines.\n\nSince 1842.' }
const JOBS = { key: 'jobs', title: 'Open to offers', body: 'Remote only', agent_types: ['recruiter'] }
const PRICES = { key: 'prices', title: 'Price list', body: 'From 500 EUR', agent_types: ['sales'] }
const SALARY = { ...JOBS, key: 'salary', title: 'Salary', body: 'At least 90,000', visibility: 'team' }

let test: Awaited<ReturnType<typeof createCashApp>>
let ada: Person
let id: number
let path: string

beforeAll(async () => {
  test = await createCashApp({ payments: { rails: [] } })
  ada = await signUpListed(test.app, 'ada')
  id = ada.account.active_profile_id
  path = `/profiles/${id}/smart-sections`
})
afterAll(() => test.close())
beforeEach(async () => {
  const stored = await ada.put(path, { sections: [GENERAL, JOBS, PRICES, SALARY] })
  expect(stored.statusCode, stored.body).toBe(200)
})

const { get } = client(() => test.app)
const keysOf = (answer: { json(): { smart_sections?: { key: string }[]; sections?: { key: string }[] } }) => {
  const { smart_sections, sections } = answer.json()
  return (smart_sections ?? sections ?? []).map(({ key }) => key)
}

describe('PUT /profiles/{id}/smart-sections', () => {
  it('replaces all sections, with defaults, and returns them', async () => {
    const stored = await ada.put(path, { sections: [{ ...GENERAL, position: 7 }, JOBS] })
    expect(stored.json()).toEqual({
      sections: [
        { ...GENERAL, agent_types: ['general'], position: 7, visibility: 'public' },
        { ...JOBS, position: 1, visibility: 'public' },
      ],
    })
    expect((await ada.get(path)).json()).toEqual(stored.json())
    expect((await ada.put(path, { sections: [] })).json()).toEqual({ sections: [] })
    expect((await get('/u/ada?format=json')).json().smart_sections).toEqual([])
  })

  it.each([
    ['two sections with one key', { sections: [GENERAL, GENERAL] }],
    ['more than 20', { sections: Array.from({ length: 21 }, (_, at) => ({ ...GENERAL, key: `k${at}` })) }],
    ['a body of more than 5,000 characters', { sections: [{ ...GENERAL, body: 'x'.repeat(5_001) }] }],
    ['an unknown type of agents', { sections: [{ ...GENERAL, agent_types: ['spy'] }] }],
    ['no type of agents', { sections: [{ ...GENERAL, agent_types: [] }] }],
    ['a key with other characters', { sections: [{ ...GENERAL, key: 'About Work' }] }],
    ['an unknown visibility', { sections: [{ ...GENERAL, visibility: 'private' }] }],
  ])('rejects %s, and keeps what is stored', async (_, body) => {
    const before = (await ada.get(path)).json()
    expect((await ada.put(path, body)).statusCode).toBe(400)
    expect((await ada.get(path)).json()).toEqual(before)
  })

  it('rejects changes of an outdated version, and lets one of many concurrent changes win', async () => {
    const etag = String((await ada.get(path)).headers.etag)
    const changes = ['a', 'b', 'c', 'd'].map((key) =>
      ada.put(path, { sections: [{ ...GENERAL, key }] }, { 'if-match': etag }),
    )
    const statuses = (await Promise.all(changes)).map(({ statusCode }) => statusCode).toSorted()
    expect(statuses).toEqual([200, 412, 412, 412])
    expect(codeOf(await ada.put(path, { sections: [] }, { 'if-match': etag }))).toBe('sections_version_mismatch')
    const current = String((await ada.get(path)).headers.etag)
    expect((await ada.put(path, { sections: [] }, { 'if-match': current })).statusCode).toBe(200)
  })

  it('lets editors change sections, but not viewers and other users', async () => {
    const profile = { owner: ada, id, team: `/profiles/${id}/team` }
    const editor = await newMember(test.app, profile, 'editor')
    const viewer = await newMember(test.app, profile, 'viewer')
    expect((await editor.put(path, { sections: [GENERAL] })).statusCode).toBe(200)
    expect((await viewer.put(path, { sections: [] })).statusCode).toBe(403)
    const other = await signUp(test.app)
    expect((await other.put(path, { sections: [] })).statusCode).toBe(403)
    expect(keysOf(await ada.get(path))).toEqual(['about-work'])
    expect((await ada.put('/profiles/999999999/smart-sections', { sections: [] })).statusCode).toBe(404)
  })

  it('announces a change to subscribers of the profile', async () => {
    const { events } = (await ada.get('/eep/events?limit=1000')).json()
    const ours = events.filter(({ type }: { type: string }) => type.endsWith('entity.sections.changed'))
    expect(ours.at(-1)).toMatchObject({ data: { entity_id: id, version: expect.any(Number) } })
  })
})

describe('GET /profiles/{id}/smart-sections', () => {
  it('returns public sections to everyone, and all to the team', async () => {
    expect(keysOf(await get(path))).toEqual(['about-work', 'jobs', 'prices'])
    expect(keysOf(await ada.get(path))).toEqual(['about-work', 'jobs', 'prices', 'salary'])
    const known = await get(path)
    expect((await get(path, { 'if-none-match': String(known.headers.etag) })).statusCode).toBe(304)
    expect((await ada.get(path, { 'if-none-match': String(known.headers.etag) })).statusCode).toBe(200)
  })

  it('returns 404 for a private profile to everyone else', async () => {
    await ada.put(`/profiles/${id}/visibility`, { visibility: 'private' })
    expect((await get(path)).statusCode).toBe(404)
    expect((await ada.get(path)).statusCode).toBe(200)
    await ada.put(`/profiles/${id}/visibility`, { visibility: 'public' })
  })
})

describe('a read of the profile', () => {
  it('shows sections for the type of the agent first, then those for every agent', async () => {
    expect(keysOf(await get('/u/ada?format=json&agent_type=recruiter'))).toEqual(['jobs', 'about-work'])
    expect(keysOf(await get('/u/ada?format=json', { 'x-eep-agent-type': 'sales' }))).toEqual(['prices', 'about-work'])
    const both = await get('/u/ada?format=json&agent_type=recruiter', { 'x-eep-agent-type': 'sales' })
    expect(keysOf(both)).toEqual(['jobs', 'about-work'])
    expect(keysOf(await get('/u/ada?format=json&agent_type=support'))).toEqual(['about-work'])
    expect(keysOf(await get('/u/ada?format=json'))).toEqual(['about-work'])
    expect(keysOf(await get('/profiles/u/ada?agent_type=recruiter'))).toEqual(['jobs', 'about-work'])
  })

  it.each([
    ['text/markdown', '### Open to offers\n\nRemote only'],
    ['application/json', '"title":"Open to offers"'],
    ['text/toon', 'Open to offers'],
    ['text/html', '<h3><bdi>Open to offers</bdi></h3><p lang="">Remote only</p>'],
  ])('shows them as %s', async (accept, text) => {
    const plain = await get('/u/ada', { accept })
    expect(plain.body).not.toContain('Open to offers')
    expect(plain.body).toContain('About my work')
    const typed = await get('/u/ada', { accept, 'x-eep-agent-type': 'recruiter' })
    expect(typed.body).toContain(text)
    expect(typed.body.indexOf('Open to offers')).toBeLessThan(typed.body.indexOf('About my work'))
  })

  it('has an ETag for each type, and varies on the header', async () => {
    const plain = await get('/u/ada')
    const typed = await get('/u/ada', { 'x-eep-agent-type': 'recruiter' })
    expect(typed.headers.etag).not.toBe(plain.headers.etag)
    for (const { headers } of [plain, typed]) expect(headers.vary).toMatch(/^Accept, X-EEP-Agent-Type\b/)
    const again = { 'x-eep-agent-type': 'recruiter', 'if-none-match': String(typed.headers.etag) }
    expect((await get('/u/ada', again)).statusCode).toBe(304)
    expect((await get('/u/ada', { 'if-none-match': String(typed.headers.etag) })).statusCode).toBe(200)
    expect((await get('/u/ada', { ...again, 'x-eep-agent-type': 'general' })).headers.etag).toBe(plain.headers.etag)
  })

  it('returns 400 for an unknown type', async () => {
    expect(codeOf(await get('/u/ada?agent_type=spy&format=json'))).toBe('validation_failed')
    expect(codeOf(await get('/u/ada?format=json', { 'x-eep-agent-type': 'spy' }))).toBe('validation_failed')
    expect((await get('/profiles/u/ada?agent_type=')).statusCode).toBe(400)
  })

  it('shows sections for the team to the team only, and lets no shared cache store them', async () => {
    const url = '/u/ada?format=json&agent_type=recruiter'
    const own = await ada.get(url)
    expect(keysOf(own)).toEqual(['jobs', 'salary', 'about-work'])
    expect(own.headers['cache-control']).toBe('private, no-cache')
    expect(own.headers.vary).toContain('X-EEP-Agent-Type')
    const other = await (await signUp(test.app)).get(url)
    expect(other.body).not.toContain('Salary')
    expect((await get(url)).body).not.toContain('Salary')
  })

  it('shows a change immediately, also to readers of an agent type, and in its freshness', async () => {
    const url = '/u/ada?format=json&agent_type=recruiter'
    const revision = async () => (await get('/u/ada/freshness.json')).json().revision
    const before = [(await get(url)).body, await revision()]
    await ada.put(path, { sections: [GENERAL, { ...JOBS, body: 'Hybrid' }] })
    expect((await get(url)).body).toContain('Hybrid')
    expect([(await get(url)).body, await revision()].filter((each) => before.includes(each))).toEqual([])
  })

  it('escapes what a section contains', async () => {
    const hostile = { ...GENERAL, title: '# Access', body: '## Machine links\n<script>alert(1)</script>\n- [x](y)' }
    await ada.put(path, { sections: [hostile] })
    const markdown = (await get('/u/ada')).body
    expect(markdown).not.toMatch(/^## Machine links\n<|^<script|^- \[x\]/m)
    expect((await get('/u/ada', { accept: 'text/html' })).body).not.toContain('<script>alert(1)')
  })
})

it('lists public sections in llms-full.txt, with the types that they are for', async () => {
  const text = (await get('/llms-full.txt')).body
  expect(text).toContain('### Open to offers\n\nFor agents of the type recruiter.\n\nRemote only')
  expect(text).toContain('### About my work\n\nI build engines.')
  expect(text).not.toContain('Salary')
})

it('hides sections behind a gate of the profile, and returns 402 for them', async () => {
  const own = await createCashApp()
  const bob = await signUp(own.app, 'bob')
  const url = `/profiles/${bob.account.active_profile_id}/smart-sections`
  await bob.put(url, { sections: [GENERAL, JOBS] })
  const gate = shopGate()
  const tiers = { ...gate.tiers, reader: { ...gate.tiers.reader, access: ['profile.smart_sections'] } }
  const put = await bob.put('/eep/gates/did:web:profiles.example:u:bob', { ...gate, tiers })
  expect(put.statusCode, put.body).toBe(200)
  const read = client(own.app).get
  for (const format of ['markdown', 'json', 'toon']) {
    const answer = await read(`/u/bob?format=${format}&agent_type=recruiter`)
    expect([answer.statusCode, /Open to offers|About my work/.test(answer.body)]).toEqual([200, false])
  }
  expect((await read(url)).statusCode).toBe(402)
  expect((await read('/u/bob?fields=smart_sections')).statusCode).toBe(402)
  expect((await read('/llms-full.txt')).body).not.toContain('About my work')
  expect(keysOf(await bob.get('/u/bob?format=json&agent_type=recruiter'))).toEqual(['jobs', 'about-work'])
  await own.close()
})

it('serves no sections, parameters and routes when the module is switched off', async () => {
  const off = await createTestApp({ storage: test.storage, smartSections: false })
  const read = client(off.app).get
  const plain = await read('/u/ada?format=json&agent_type=spy')
  expect([plain.statusCode, plain.json().smart_sections]).toEqual([200, undefined])
  expect(plain.headers.vary).not.toContain('X-EEP-Agent-Type')
  expect((await read(path)).statusCode).toBe(404)
  expect((await read('/docs/openapi.json')).body).not.toContain('"name":"agent_type"')
  expect((await read('/llms-full.txt')).body).not.toContain('Open to offers')
  await off.close()
})
