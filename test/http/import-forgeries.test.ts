import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { downloaded, imported, jsonOf, type Members, resigned, unzip, zip } from '../support/archives.ts'
import { newFilledProfile, openTwoServices } from '../support/filled-profile.ts'

const { at, from, to, ada } = await openTwoServices()

describe('an archive that no service wrote', { timeout: 120_000 }, () => {
  let members: Members
  let bob: Person
  // A job is awaited inside of tests only.
  beforeEach(async () => {
    if (members) return
    const profile = await newFilledProfile(from.app, ada, 'place', 'l')
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
      [
        { 'files.json': text(files.map((file: object) => ({ ...file, content_type: 'image/gif' }))) },
        'file_type_mismatch',
      ],
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
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      published_at: at.toISOString(),
    })
  })
})
