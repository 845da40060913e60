import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { downloaded, imported, jsonOf, type Members, resigned, sendArchive, unzip, zip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { field, fileOf, PNG, upload } from '../support/files.ts'
import { ended } from '../support/media.ts'

const AT = new Date()
const OTHER_URL = 'https://other.example'
const OTHER_SECRET = 'another secret for tests, of thirty-two characters or more'

type App = Awaited<ReturnType<typeof createTestApp>>
let from: App
let to: App
let ada: Person

beforeAll(async () => {
  // Scores depend on the age of accounts.
  const clock = () => AT
  from = await createTestApp({ clock })
  to = await createTestApp({
    clock,
    publicUrl: OTHER_URL,
    secret: OTHER_SECRET,
  })
  ada = await signUp(from.app, 'ada')
})
afterAll(async () => {
  await from.close()
  await to.close()
})

const TYPES = [
  ['person', 'u', { headline: 'Mathematician', languages: ['en'] }],
  ['organization', 'o', { industry: 'Engines', size: '11-50' }],
  ['place', 'l', { geo: { lat: 51.5, lng: -0.1 } }],
  ['asset', 'a', { category: 'Machine', identifier: 'A-1' }],
  ['product', 'p', { sku: 'E-1', brand: 'Engines' }],
  ['knowledge', 'k', { subject: 'Numbers', abstract: 'On numbers.' }],
  ['agent', 'agent', { provider: 'Engines', model: 'e-1' }],
  ['event', 'e', { starts_at: '2026-06-01T10:00:00Z', timezone: 'Europe/London' }],
  ['custom', 'x', { fields: { colour: 'green' } }],
] as const

let number = 0

/** A profile with texts, files, categories and pages of every status. */
async function newProfile(type: string, prefix: string, typeData: object = {}) {
  number += 1
  const username = `engine-${number}`
  const made = await ada.post('/profiles', { profile_type: type, username, type_data: typeData })
  if (made.statusCode !== 200) throw new Error(made.body)
  const { id } = (await ada.get(`/profiles/${prefix}/${username}`)).json()
  const fields = [field('username', username), field('profile_type', type)]
  const sent = await upload(from.app, [...fields, fileOf('Numbers.'), fileOf(PNG, 'dot.png')].slice(0), ada.headers)
  if (sent.statusCode !== 200) throw new Error(sent.body)
  const [text, image] = sent.json().files
  await ada.put(`/profiles/${prefix}/${username}`, {
    full_name: 'The *Engine* <b>',
    bio: `A bio.\n\nSee https://profiles.example/${prefix}/${username}/content.`,
    avatar_url: image.url,
    skills: ['numbers', 'gears'],
    socials: { github: 'https://github.com/engine' },
    keywords: ['engine'],
    agent_instructions: 'Be brief.',
    agent_rules: 'Ask first.',
    custom_fields: { depth: { of: ['a', 1, null] } },
  })
  const top = (await ada.post('/manage/categories', { profile_id: id, name: 'Notes', icon: 'N' })).json()
  const sub = { profile_id: id, name: 'Private notes', parent_id: top.id, visibility: 'private' }
  const below = (await ada.post('/manage/categories', sub)).json()
  const page = (more: object) => ada.post('/manage/pages', { profile_id: id, status: 'published', ...more })
  const first = (
    await page({ title: 'First', body: `See [the file](/files/${text.id}) and <${text.url}>.`, category_id: top.id })
  ).json()
  await ada.put(`/manage/pages/${first.id}`, { excerpt: 'A second version.', new_version: true })
  await page({ title: 'Top', body: '# Top\n\n| a | b |\n|---|---|\n| 1 | 2 |' })
  await page({ title: 'Draft', body: 'Not yet.', status: 'draft' })
  await page({ title: 'Hidden', body: 'Private.', category_id: below.id })
  const tiers = {
    public: { requirements: [], access: ['*'] },
    paid: {
      label: 'Paid',
      requirements: [{ type: 'payment', amount: 1, currency: 'usdc', per: 'day' }],
      access: [`files.f${text.id}`, 'content.top'],
    },
  }
  const did = `did:web:profiles.example:${prefix}:${username}`
  const gated = await ada.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })
  if (gated.statusCode !== 200) throw new Error(gated.body)
  const sections = [
    { key: 'work', title: 'Work', body: `See <${text.url}>.`, position: 3 },
    { key: 'jobs', title: 'Jobs', body: 'Remote only', agent_types: ['recruiter'] },
    { key: 'salary', title: 'Salary', body: 'At least 90,000', visibility: 'team' },
  ]
  const stored = await ada.put(`/profiles/${id}/smart-sections`, { sections })
  if (stored.statusCode !== 200) throw new Error(stored.body)
  await ada.post('/manage/reorder', { kind: 'pages', profile_id: id, parent_id: top.id, ids: [first.id] })
  return { id, type, prefix, username, textId: text.id, page: `notes/${first.slug}` }
}

type Profile = Awaited<ReturnType<typeof newProfile>>

/** The public representations of a profile, with the ids and the address of the service replaced. */
async function representations(app: App, { prefix, username, page }: Profile, origin: string) {
  const base = `/${prefix}/${username}`
  const found: Record<string, string> = {}
  for (const path of ['', '/content', `/content/${page}`, '/content/top', '/content/notes', '/content/draft']) {
    for (const format of ['json', 'markdown', 'toon', 'html']) {
      const answer = await client(app.app).get(`${base}${path}?format=${format}`)
      const text = answer.body.replaceAll(origin, 'ORIGIN').replaceAll(new URL(origin).host, 'HOST')
      const ids = text
        .replaceAll(/\/(files|media)\/\d+/g, '/$1/ID')
        .replaceAll(/files\.f\d+/g, 'files.fID')
        .replaceAll(/^( +)\d+,/gm, '$1ID,')
        .replaceAll(/("?(?:id|profile_id|category_id|parent_id)"?: ?)\d+/g, '$1ID')
      found[`${path} ${format}`] = `${answer.statusCode} ${ids}`
    }
  }
  return found
}

describe('POST /import', { timeout: 120_000 }, () => {
  it.each(TYPES)(
    'makes the same public documents of a profile of the type %s in every format',
    async (type, prefix, data) => {
      const profile = await newProfile(type, prefix, data)
      const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
      const bob = await signUp(to.app)
      const job = await imported(to.app, bob, bytes)
      expect(job.error).toBe(null)
      expect(job.result).toMatchObject({
        dry_run: false,
        signed_by: 'foreign',
        issuer: 'https://profiles.example',
        profile: { profile_type: type, username: profile.username },
        counts: {
          categories: 2,
          pages: 4,
          versions: 5,
          files: 2,
          gates: 1,
          sections: 3,
          services: 0,
          posts: 0,
          connections: 0,
        },
        skipped: [...'entitlements.csv messages.json events.ndjson'.split(' ')],
        problems: [],
      })
      expect(await representations(to, profile, OTHER_URL)).toEqual(
        await representations(from, profile, 'https://profiles.example'),
      )
    },
  )

  it('keeps gates, so that no paid page or file is open on the new service', async () => {
    const profile = await newProfile('knowledge', 'k')
    const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    const job = await imported(to.app, await signUp(to.app), bytes)
    expect(job.error).toBe(null)
    const { files } = (await client(to.app).get(`/k/${profile.username}?format=json`)).json()
    const statuses: Record<string, number> = {}
    for (const { filename, id } of files) statuses[filename] = (await client(to.app).get(`/files/${id}`)).statusCode
    const page = await client(to.app).get(`/k/${profile.username}/content/top`)
    expect([statuses, page.statusCode]).toEqual([{ 'notes.txt': 402, 'dot.png': 200 }, 402])
  })

  it('keeps a file closed whose gate names everything below it', async () => {
    const profile = await newProfile('custom', 'x')
    const tiers = {
      public: { requirements: [], access: ['*'] },
      trusted: { requirements: [{ type: 'trust', min_score: 100 }], access: [`files.f${profile.textId}.*`] },
    }
    const did = `did:web:profiles.example:x:${profile.username}`
    expect((await ada.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })).statusCode).toBe(200)
    const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    expect((await imported(to.app, await signUp(to.app), bytes)).error).toBe(null)
    const { files } = (await client(to.app).get(`/x/${profile.username}?format=json`)).json()
    const { id } = files.find(({ filename }: { readonly filename: string }) => filename === 'notes.txt')
    expect((await client(to.app).get(`/files/${id}`)).statusCode).not.toBe(200)
  })

  it('restores drafts, private categories, versions and the bytes of files', async () => {
    const profile = await newProfile('organization', 'o')
    const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    const bob = await signUp(to.app)
    const job = await imported(to.app, bob, bytes)
    expect(job.error).toBe(null)
    const { id } = Object(job.result).profile
    const [before, after] = [await unzip(bytes), await unzip(await downloaded(to.app, bob, { profile_id: id }))]
    expect(after.size).toBe(before.size)
    const contents = (members: Members) =>
      [...members]
        .filter(([path]) => path.startsWith('files/'))
        .map(([path, content]) => [path.split('/').at(-1), content.toString('base64')])
        .sort()
    expect(contents(after)).toEqual(contents(before))
    const path = `content/${profile.page}.json`
    const versionsIn = (members: Members) =>
      jsonOf(members, path).versions.map(({ version, created_at }: Record<string, unknown>) => [version, created_at])
    expect(versionsIn(after)).toEqual(versionsIn(before))
  })

  it('restores the sections for types of agents, also those for the team', async () => {
    const profile = await newProfile('custom', 'x')
    const bob = await signUp(to.app)
    const job = await imported(to.app, bob, await downloaded(from.app, ada, { profile_id: profile.id }))
    const { id } = Object(job.result).profile
    const { sections } = (await ada.get(`/profiles/${profile.id}/smart-sections`)).json()
    const [work, ...others] = (await bob.get(`/profiles/${id}/smart-sections`)).json().sections
    expect(others).toEqual(sections.slice(1))
    expect(work.body).toMatch(/^See <https:\/\/other\.example\/files\/\d+>\.$/)
    expect({ ...work, body: sections[0].body }).toEqual(sections[0])
  })

  it('restores the services that it lists, with their times and without ratings', async () => {
    const profile = await newProfile('organization', 'o')
    const did = `did:web:profiles.example:o:${profile.username}`
    const details = {
      name: 'Consulting',
      category: 'consulting',
      pricing: { model: 'fixed', currency: 'usd', amount: 10 },
      delivery: 'async',
      description: `See https://profiles.example/o/${profile.username}.`,
    }
    const listed = await ada.post(`/eep/services/${did}`, details)
    expect(listed.statusCode, listed.body).toBeLessThan(300)
    const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    const bob = await signUp(to.app)
    const job = await imported(to.app, bob, bytes)
    expect(job.result).toMatchObject({ counts: { services: 1 } })
    const { services } = (await client(to.app).get(`/eep/services/did:web:other.example:o:${profile.username}`)).json()
    const description = `See https://other.example/o/${profile.username}.`
    const { id, ...rest } = listed.json()
    expect(services).toEqual([{ ...rest, description, id: expect.stringMatching(/^svc_[0-9a-f]{32}$/) }])
    expect(services[0].id).not.toBe(id)

    const members = await unzip(bytes)
    const [service] = jsonOf(members, 'services.json')
    for (const wrong of [
      { ...service, name: '' },
      { ...service, unknown: 1 },
      { ...service, created_at: 'today' },
    ]) {
      const changed = resigned(members, { 'services.json': JSON.stringify([wrong]) }, generateKeyPairSync('ed25519'))
      const refused = await imported(to.app, bob, await zip(changed), { dry_run: 'true' })
      expect(refused.error).toMatchObject({
        code: 'invalid_archive',
        message: expect.stringMatching(/^services\.json/),
      })
    }
  })

  it('changes nothing in a dry run, and reports what an import would make', async () => {
    const profile = await newProfile('product', 'p')
    const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    const bob = await signUp(to.app)
    const job = await imported(to.app, bob, bytes, { dry_run: 'true' })
    expect(job.result).toMatchObject({ dry_run: true, counts: { pages: 4, files: 2 }, problems: [] })
    expect((await client(to.app).get(`/p/${profile.username}`)).statusCode).toBe(404)
    expect((await imported(from.app, ada, bytes, { dry_run: 'true' })).result).toMatchObject({
      signed_by: 'own',
      problems: [{ code: 'username_taken' }],
    })
  })

  it('names the profile that the account already owns, such as the one it was registered with', async () => {
    const bytes = await downloaded(from.app, ada, { profile_id: ada.account.active_profile_id })
    const again = await imported(from.app, ada, bytes)
    expect(again).toMatchObject({
      status: 'failed',
      error: {
        code: 'username_taken',
        message: expect.stringMatching(/^You already own the profile u\/ada,.*Rename or delete/),
      },
    })
    const dry = await imported(from.app, ada, bytes, { dry_run: 'true' })
    expect(dry.result?.problems).toEqual([again.error])
    const stranger = await signUp(from.app)
    expect((await imported(from.app, stranger, bytes)).error).toMatchObject({ message: 'This username is taken' })
  })

  it('imports an archive once, however often and concurrently it is sent', async () => {
    const profile = await newProfile('event', 'e')
    const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    const [bob, eve] = [await signUp(to.app), await signUp(to.app)]
    const jobs = await Promise.all([
      imported(to.app, bob, bytes),
      imported(to.app, eve, bytes),
      imported(to.app, bob, bytes),
    ])
    const outcomes = jobs.map(({ status, error }) => error?.code ?? status).sort()
    expect(outcomes).toEqual(['succeeded', 'username_taken', 'username_taken'])
  })

  it('trusts archives that are signed with a key of a trusted issuer', async () => {
    const { keys } = (await client(from.app).get('/.well-known/jwks.json')).json()
    const trustedIssuers = [{ issuer: 'https://profiles.example', keys }]
    const third = await createTestApp({ publicUrl: OTHER_URL, secret: OTHER_SECRET, archives: { trustedIssuers } })
    try {
      const profile = await newProfile('agent', 'agent')
      const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
      const job = await imported(third.app, await signUp(third.app), bytes, { dry_run: 'true' })
      expect(job.result).toMatchObject({ signed_by: 'trusted' })
    } finally {
      await third.close()
    }
  })
})

describe('an archive that no service wrote', { timeout: 120_000 }, () => {
  let members: Members
  let bob: Person
  // A job is awaited inside of tests only.
  beforeEach(async () => {
    if (members) return
    const profile = await newProfile('place', 'l')
    bob = await signUp(to.app)
    members = await unzip(await downloaded(from.app, ada, { profile_id: profile.id }))
  })

  const refusalOf = async (bytes: Buffer) => (await imported(to.app, bob, bytes)).error?.code
  const keys = generateKeyPairSync('ed25519')
  /** The members with changes, and a manifest that fits and is signed with another key. */
  const forged = async (changes: Readonly<Record<string, string | Buffer | undefined>>) =>
    zip(resigned(members, changes, keys))

  it('is refused when a member was changed', async () => {
    expect(await refusalOf(await zip(new Map([...members, ['profile.json', Buffer.from('{}')]])))).toBe(
      'archive_tampered',
    )
    const json = String(members.get('content/top.json')).replace('Top', 'Tip')
    expect(await refusalOf(await zip(new Map([...members, ['content/top.json', Buffer.from(json)]])))).toBe(
      'archive_tampered',
    )
  })

  it('is refused when a file was changed, and leaves no files behind', async () => {
    const path = [...members.keys()].find((each) => each.endsWith('notes.txt')) ?? ''
    expect(await refusalOf(await zip(new Map([...members, [path, Buffer.from('numbers.')]])))).toBe('archive_tampered')
  })

  it('is refused when a member was added or removed, or the manifest was changed', async () => {
    const manifest = String(members.get('manifest.json'))
    const changed = manifest.replace('"https://profiles.example"', '"https://evil.example"')
    const without = new Map([...members].filter(([path]) => path !== 'files.json'))
    for (const bad of [new Map([...members, ['more.txt', Buffer.from('.')]]), without]) {
      expect(await refusalOf(await zip(bad))).toBe('archive_tampered')
    }
    expect(await refusalOf(await zip(new Map([...members, ['manifest.json', Buffer.from(changed)]])))).toBe(
      'archive_tampered',
    )
  })

  it('is refused when it is not a ZIP, is cut off, or has no manifest', async () => {
    const whole = await zip(members)
    for (const bad of [Buffer.from('not a ZIP'), Buffer.alloc(0), whole.subarray(0, whole.length / 2)]) {
      expect(await refusalOf(bad)).toBe('invalid_archive')
    }
    expect(await refusalOf(await zip(new Map([['profile.json', Buffer.from('{}')]])))).toBe('invalid_archive')
  })

  it('is refused when a path leaves its folder', async () => {
    for (const path of ['../evil.txt', '/etc/passwd', 'files/../../evil', 'a\\..\\b', 'C:/evil']) {
      const safe = 'x'.repeat(path.length)
      const bytes = await forged({ [safe]: 'text' })
      const named = Buffer.from(bytes.toString('latin1').replaceAll(safe, path), 'latin1')
      expect(await refusalOf(named), path).toBe('invalid_archive')
    }
  })

  it('is refused when it has a path twice, or a symbolic link', async () => {
    const twice = await forged({ 'aa.txt': 'text', 'bb.txt': 'text' })
    expect(await refusalOf(Buffer.from(twice.toString('latin1').replaceAll('bb.txt', 'aa.txt'), 'latin1'))).toBe(
      'invalid_archive',
    )
    const linked = await zip(resigned(members, { 'link.txt': '/etc/passwd' }, keys), { 'link.txt': 0o120777 })
    expect(await refusalOf(linked)).toBe('invalid_archive')
  })

  it('is refused when a member is compressed more than a text can be', async () => {
    expect(await refusalOf(await forged({ 'bomb.txt': Buffer.alloc(32 * 1_048_576) }))).toBe('archive_too_large')
  })

  it('is refused when a member is larger than its kind can be, or has too many values', async () => {
    const large = JSON.stringify(randomBytes(4 * 1_048_576).toString('base64'))
    const many = `[${'[],'.repeat(1_000_000)}[]]`
    for (const changes of [{ 'profile.json': large }, { 'gates.json': large }, { 'content/top.json': many }]) {
      expect(await refusalOf(await forged(changes)), Object.keys(changes).join()).toBe('archive_too_large')
    }
  })

  it('is refused when the DID of its manifest is not that of the profile', async () => {
    const { profile } = jsonOf(members, 'manifest.json')
    for (const changes of [
      { did: '' },
      { did: 'a' },
      { username: '' },
      { username: 'other' },
      { profile_type: 'planet' },
    ]) {
      const bytes = await zip(resigned(members, {}, keys, { profile: { ...profile, ...changes } }))
      expect(await refusalOf(bytes), JSON.stringify(changes)).toBe('invalid_archive')
    }
  })

  it('is refused when a text becomes too long by its new addresses', async () => {
    const issuer = 'http://a.b'
    const did = `did:web:a.b:l:a`
    const profile = jsonOf(members, 'profile.json')
    const page = jsonOf(members, 'content/top.json')
    const head = { issuer, profile: { ...jsonOf(members, 'manifest.json').profile, username: 'a', did } }
    for (const changes of [
      { 'profile.json': JSON.stringify({ ...profile, bio: `${did} `.repeat(300) }) },
      { 'content/top.json': JSON.stringify({ ...page, body: `${did} `.repeat(65_000) }) },
    ]) {
      const refused = await imported(to.app, bob, await zip(resigned(members, changes, keys, head)))
      expect(refused.error?.code, Object.keys(changes).join()).toBe('invalid_archive')
    }
  })

  it('is refused when its members are not what the service would accept', async () => {
    const profile = jsonOf(members, 'profile.json')
    const page = jsonOf(members, 'content/top.json')
    const files = jsonOf(members, 'files.json')
    const { sections } = jsonOf(members, 'smart-sections.json')
    const text = (value: unknown) => JSON.stringify(value)
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ 'profile.json': text({ ...profile, username: 'No Name' }) }, 'invalid_archive'],
      [{ 'profile.json': text({ ...profile, username: 'admin' }) }, 'username_reserved'],
      [{ 'profile.json': text({ ...profile, profile_type: 'planet' }) }, 'invalid_archive'],
      [{ 'profile.json': text({ ...profile, type_data: { moons: 2 } }) }, 'invalid_archive'],
      [{ 'profile.json': text({ ...profile, socials: { web: 'javascript:alert(1)' } }) }, 'invalid_archive'],
      [{ 'profile.json': undefined }, 'invalid_archive'],
      [{ 'profile.json': '{' }, 'invalid_archive'],
      [{ 'smart-sections.json': text({ sections: [sections[0], sections[0]] }) }, 'invalid_archive'],
      [{ 'smart-sections.json': text({ sections: [{ ...sections[0], agent_types: ['spy'] }] }) }, 'invalid_archive'],
      [{ 'content/top.json': text({ ...page, slug: '../x' }) }, 'invalid_archive'],
      [{ 'content/top.json': text({ ...page, category_id: 999_999 }) }, 'invalid_archive'],
      [{ 'content/top.json': text({ ...page, body: 'a\u0000b' }) }, 'invalid_archive'],
      [{ 'content/other.json': text(page) }, 'invalid_archive'],
      [{ 'files.json': text([...files, { ...files[0], id: 1 }]) }, 'invalid_archive'],
      [{ 'files.json': text([{ ...files[0], content_type: 'text/html' }]) }, 'file_type_mismatch'],
    ]
    for (const [changes, code] of wrong) {
      expect(await refusalOf(await forged(changes)), Object.values(changes).join()).toBe(code)
    }
    expect((await imported(to.app, bob, await forged({}), { dry_run: 'true' })).result).toMatchObject({
      signed_by: 'foreign',
    })
  })

  it('reports members that are not imported', async () => {
    const job = await imported(to.app, bob, await forged({ 'orders.json': '[]' }), { dry_run: 'true' })
    expect(job.result).toMatchObject({ skipped: expect.arrayContaining(['orders.json']) })
  })

  it('has at most 100 members that are not imported in its report, and their number', async () => {
    const others = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`orders-${at}.json`, '[]']))
    const few = Object((await imported(to.app, bob, await forged({}), { dry_run: 'true' })).result)
    const many = Object((await imported(to.app, bob, await forged(others), { dry_run: 'true' })).result)
    expect([few.skipped_count, many.skipped.length]).toEqual([few.skipped.length, 100])
    expect(many.skipped_count).toBe(few.skipped_count + 120)
  })

  it('has no times in the future once it is imported', async () => {
    const times = { created_at: '2999-01-01T00:00:00Z', updated_at: '2998-01-01T00:00:00Z' }
    const [profile, page, files, categories] = [
      'profile.json',
      'content/top.json',
      'files.json',
      'content/_categories.json',
    ].map((path) => jsonOf(members, path))
    const later = (value: object) => ({ ...value, ...times })
    const job = await imported(
      to.app,
      bob,
      await forged({
        'profile.json': JSON.stringify({ ...later(profile), username: 'of-the-future' }),
        'content/top.json': JSON.stringify({
          ...later(page),
          published_at: times.created_at,
          versions: page.versions.map((version: object) => ({ ...version, created_at: times.created_at })),
        }),
        'files.json': JSON.stringify(files.map((file: object) => ({ ...file, created_at: times.created_at }))),
        'content/_categories.json': JSON.stringify(categories.map(later)),
      }),
    )
    expect(job.error).toBe(null)
    const stored = await unzip(await downloaded(to.app, bob, { profile_id: Object(job.result).profile.id }))
    const texts = [...stored].filter(([path]) => path.endsWith('.json')).map(([, bytes]) => String(bytes))
    expect(texts.join().match(/"299\d-[^"]*"/g)).toBe(null)
    expect(jsonOf(stored, 'content/top.json')).toMatchObject({
      created_at: AT.toISOString(),
      updated_at: AT.toISOString(),
      published_at: AT.toISOString(),
    })
  })
})

describe('the form of an import', () => {
  it('needs exactly one file, and nothing else than dry_run', async () => {
    const bob = await signUp(to.app)
    const file = fileOf('x', 'export.zip')
    const codes: string[] = []
    for (const parts of [[], [file, file], [file, field('dry_run', 'perhaps')], [file, field('other', '1')]]) {
      codes.push(codeOf(await sendArchive(to.app, bob, parts)))
    }
    expect(codes).toEqual(['validation_failed', 'batch_too_large', 'validation_failed', 'validation_failed'])
  })

  it('must not be larger than the storage of the plan', async () => {
    const small = await createTestApp({ limits: { plans: { community: { limits: { maxStorageMb: 1 } } } } })
    try {
      const person = await signUp(small.app)
      const refused = await sendArchive(small.app, person, [fileOf(Buffer.alloc(1_500_000), 'export.zip')])
      expect([refused.statusCode, codeOf(refused)]).toEqual([413, 'archive_too_large'])
    } finally {
      await small.close()
    }
  })

  it('is answered with a job that only its requester can read', async () => {
    const bob = await signUp(to.app)
    const sent = await sendArchive(to.app, bob, [fileOf('x', 'export.zip')])
    expect([sent.statusCode, sent.json().kind]).toEqual([202, 'import'])
    expect((await (await signUp(to.app)).get(`/jobs/${sent.json().id}`)).statusCode).toBe(404)
    expect((await ended(to.app, bob.headers, sent.json().id)).error?.code).toBe('invalid_archive')
  })
})
