import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newRegistration, PASSWORD, register } from '../support/accounts.ts'
import { downloaded, imported, jsonOf, resigned, unzip, zip } from '../support/archives.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { client, type Response } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { advice } from '../support/deals.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openInstances } from '../support/instances.ts'
import { newWorkspace } from '../support/workspaces.ts'

const { database, instance } = await openInstances({})
const app = await instance()
const ada = await createWriter(app, 'ada')
const gates = `/eep/gates/${(await ada.getJson('/u/ada?format=json')).did.replaceAll('%', '%25')}`
const [category, page] = [await ada.newCategory(), await ada.newPage()]
const workspace = await newWorkspace(app, ada)

/** Creates a profile of a type with a name. */
const profileOf = (profile_type: string, fields: object) => {
  const { username } = newRegistration()
  return ada.post('/profiles', { profile_type, username, ...fields })
}
const tier = (label: string) => ({ label, requirements: [], access: ['*'] })

async function addPasskey(name: string) {
  const options = (await ada.post('/auth/passkeys/registration/options', { password: PASSWORD })).json()
  return ada.post('/auth/passkeys', { response: createAuthenticator().create(options), name })
}

/** What writes a name, by the kind of the name. */
const WRITERS: Readonly<Record<string, (name: string) => Promise<Response>>> = {
  'the full name of an account': (name) => register(app, { ...newRegistration(), full_name: name }),
  'the full name of a profile': (name) => ada.put('/profiles/u/ada', { full_name: name }),
  'the name of an organization': (name) => profileOf('organization', { full_name: name }),
  'the legal name of an organization': (name) => profileOf('organization', { type_data: { legal_name: name } }),
  'the title of an event': (name) => profileOf('event', { full_name: name }),
  'the venue of an event': (name) => profileOf('event', { type_data: { venue: name } }),
  'a headline': (name) => ada.put('/profiles/u/ada', { type_data: { headline: name } }),
  'a skill': (name) => ada.put('/profiles/u/ada', { skills: [name] }),
  'the title of a new page': (name) => ada.postPage({ title: name }),
  'the title of a page': (name) => ada.putPage(page.id, { title: name }),
  'the name of a new category': (name) => ada.postCategory({ name }),
  'the name of a category': (name) => ada.putCategory(category.id, { name }),
  'the title of a section': (name) =>
    ada.put(`/profiles/${ada.profileId}/smart-sections`, { sections: [{ key: 'a', title: name, body: 'Text' }] }),
  'the label of a tier': (name) => ada.put(gates, { default_tier: 'a', tiers: { a: tier(name) } }),
  'the name of an API key': (name) => ada.post('/api-keys', { name }),
  'the name of a workspace': (name) => ada.post('/workspaces', { name }),
  'the new name of a workspace': (name) => ada.put(workspace.path, { name }),
  'the title of a document': (name) => ada.post(`${workspace.path}/documents`, { title: name, body: '' }),
  'the name of a passkey': addPasskey,
  'the name of a memory session': (name) =>
    ada.post('/memory/sessions', { profile_id: ada.profileId, ttl_seconds: 600, name }),
  'the name of a service': (name) => ada.post(gates.replace('/gates/', '/services/'), { ...advice(), name }),
  'the name of a file': (name) => upload(app, [field('username', 'ada'), fileOf('x', `${name}.txt`)], ada.headers),
}

/** Characters in names that a reader would not see as they are. */
const REFUSED = [
  ...['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'],
  ...['\u2028', '\u2029', '\u0001', '\u009B', '\u{E0000}', '\u{E0041}', '\u{E007F}'],
]
/** Marks that spell names of some languages, and a flag that tags spell. */
const KEPT =
  '\u0645\u06CC\u200C\u062E\u200D \u200Ea\u200F\u061C \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'

describe.each(Object.entries(WRITERS).map(([what, write], at) => [what, write, at] as const))('%s', (_, write, at) => {
  // All names have one of two schemas, which the tests of text-fields.ts give every character: here each character meets some names.
  it.each(REFUSED.filter((_each, turn) => turn % 4 === at % 4))('is refused with %j', async (character) => {
    for (const name of [`${character}admin`, `Ada${character}nimda`, `admin${character}`]) {
      const response = await write(name)
      expect([name, response.statusCode, response.json().error?.code]).toEqual([name, 400, 'validation_failed'])
      expect(response.json().error.message).toMatch(/Must not contain line breaks, control characters or/)
    }
  })

  it('may have the marks that spell names', async () => {
    const response = await write(KEPT)
    expect(response.statusCode, response.body).toBeLessThan(300)
  })
})

describe('names that are stored with characters that reorder text', () => {
  it('do not refuse a save of another field', async () => {
    const { profileId, put, getJson, account } = await createWriter(app)
    const path = `/profiles/u/${account.username}`
    await database.storage.transaction(async (tx) => {
      await tx.profiles.save(profileId, {
        updatedAt: new Date(),
        fullName: '\u202Eadmin',
        typeData: { headline: '\u202Eboss', location: 'Here' },
      })
    })
    expect((await put(path, { bio: 'Text' })).statusCode).toBe(200)
    expect((await put(path, { type_data: { location: 'There' } })).statusCode).toBe(200)
    const { type_data } = await getJson(`/u/${account.username}?format=json`)
    expect(type_data).toEqual({ headline: 'boss', location: 'There' })
  })

  it('do not refuse an import, which cleans them', async () => {
    const bob = await createWriter(app)
    const { username } = bob.account
    await bob.newCategory({ name: 'Shelf' })
    await bob.newPage({ title: 'Looms', slug: 'looms' })
    const did = (await bob.getJson(`/u/${username}?format=json`)).did.replaceAll('%', '%25')
    await bob.put(`/eep/gates/${did}`, { default_tier: 'a', tiers: { a: tier('Free') } })
    const members = await unzip(await downloaded(app, bob, { profile_id: bob.profileId }))
    const odd = (path: string, from: string, to: string) => String(members.get(path)).replaceAll(from, to)
    const pagePath = [...members.keys()].find((path) => path.includes('looms') && path.endsWith('.json')) ?? ''
    const profile = { ...jsonOf(members, 'profile.json'), username: `${username}-2`, full_name: 'B\u202Eob\u2028' }
    const changed = resigned(
      members,
      {
        'profile.json': JSON.stringify(profile),
        [pagePath]: odd(pagePath, '"Looms"', '"L\u2066ooms"'),
        'content/_categories.json': odd('content/_categories.json', '"Shelf"', '"\u202EShelf"'),
        'gates.json': odd('gates.json', '"Free"', '"\u202EFree"'),
      },
      generateKeyPairSync('ed25519'),
    )
    const job = await imported(app, bob, await zip(changed))
    expect(job.status, JSON.stringify(job)).toBe('succeeded')
    const answer = await bob.getJson(`/u/${username}-2?format=json`)
    expect(answer.full_name).toBe('Bob')
    const contents = JSON.stringify(await bob.getJson(`/u/${username}-2/content?format=json`))
    expect(contents).toContain('"Looms"')
    expect(contents).toContain('"Shelf"')
    const gate = await bob.getJson(`/eep/gates/${answer.did.replaceAll('%', '%25')}`)
    expect(JSON.stringify(gate)).toContain('"Free"')
  })
})

describe('a name on pages', () => {
  it('is isolated from the text around it', async () => {
    const { username } = (await profileOf('person', { full_name: '\u05D0\u05D3\u05D4' })).json()
    const html = (await client(app).get(`/u/${username}`, { accept: 'text/html' })).body
    expect(html).toContain('<h1 dir="rtl"><bdi>\u05D0\u05D3\u05D4</bdi></h1>')
    const badge = (await client(app).get(`/u/${username}/badge.svg`)).body
    expect(badge).toContain('direction="rtl" unicode-bidi="isolate">\u05D0\u05D3\u05D4</text>')
  })
})
