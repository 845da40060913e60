import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, newName, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { downloaded, imported, jsonOf, type Members, resigned, sendArchive, unzip, zip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { field, fileOf } from '../support/files.ts'
import {
  type FilledProfile,
  newFilledProfile,
  OTHER_SECRET,
  OTHER_URL,
  openTwoServices,
} from '../support/filled-profile.ts'
import { kindOf, openEnd } from '../support/jobs.ts'
import { ended } from '../support/media.ts'

const { from, to, ada } = await openTwoServices()

const TYPES = [
  ['organization', 'o', { industry: 'Engines', size: '11-50' }],
  ['place', 'l', { geo: { lat: 51.5, lng: -0.1 } }],
  ['asset', 'a', { category: 'Machine', identifier: 'A-1' }],
  ['product', 'p', { sku: 'E-1', brand: 'Engines' }],
  ['knowledge', 'k', { subject: 'Numbers', abstract: 'On numbers.' }],
  ['agent', 'agent', { provider: 'Engines', model: 'e-1' }],
  ['event', 'e', { starts_at: '2026-06-01T10:00:00Z', timezone: 'Europe/London' }],
  ['custom', 'x', { fields: { colour: 'green' } }],
] as const

const newProfile = (type: string, prefix: string, typeData: object = {}) =>
  newFilledProfile(from.app, ada, type, prefix, typeData)

type Address = Pick<FilledProfile, 'prefix' | 'username'>

/** The public representations of paths of a profile, with the ids and the address of the service replaced. */
async function representations(app: TestApp, { prefix, username }: Address, origin: string, paths: readonly string[]) {
  const base = `/${prefix}/${username}`
  const found: Record<string, string> = {}
  for (const path of paths) {
    for (const format of ['json', 'markdown', 'toon', 'html']) {
      const answer = await client(app).get(`${base}${path}?format=${format}`)
      // Base64 hides the address, and each service has its own key; the decoded terms are compared.
      const body = answer.body.replaceAll(/"(payment_required_b64|mac)":"[^"]*"/g, '"$1":"…"')
      const text = body.replaceAll(origin, 'ORIGIN').replaceAll(new URL(origin).host, 'HOST')
      const ids = text
        .replaceAll(/\/(files|media)\/\d+/g, '/$1/ID')
        .replaceAll(/files\.f\d+/g, 'files.fID')
        .replaceAll(/card\.png\?v=[\w-]+/g, 'card.png')
        .replaceAll(/^( +)\d+,/gm, '$1ID,')
        .replaceAll(/("?(?:id|profile_id|category_id|parent_id)"?: ?)\d+/g, '$1ID')
      found[`${path} ${format}`] = `${answer.statusCode} ${ids}`
    }
  }
  return found
}

/** Checks that paths of an imported profile are as they are on the service that it is from. */
const expectSame = async (profile: Address, paths: readonly string[]) =>
  expect(await representations(to.app, profile, OTHER_URL, paths)).toEqual(
    await representations(from.app, profile, 'https://profiles.example', paths),
  )

describe('POST /import', { timeout: 120_000 }, () => {
  it('makes the same public documents in every format', async () => {
    const profile = await newProfile('person', 'u', { headline: 'Mathematician', languages: ['en'] })
    const bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    const bob = await signUp(to.app)
    const job = await imported(to.app, bob, bytes)
    expect(job.error).toBe(null)
    expect(job.result).toMatchObject({
      dry_run: false,
      signed_by: 'foreign',
      issuer: 'https://profiles.example',
      profile: { profile_type: 'person', username: profile.username },
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
    await expectSame(profile, ['', '/content'])
  })

  it.each(TYPES)('makes the same profile of the type %s in every format', async (type, prefix, typeData) => {
    const username = newName()
    const made = await ada.post('/profiles', { profile_type: type, username, type_data: typeData })
    expect(made.statusCode, made.body).toBe(200)
    const { id } = (await ada.get(`/profiles/${prefix}/${username}`)).json()
    const job = await imported(to.app, await signUp(to.app), await downloaded(from.app, ada, { profile_id: id }))
    expect(job.error).toBe(null)
    expect(job.result).toMatchObject({ profile: { profile_type: type, username }, problems: [] })
    await expectSame({ prefix, username }, [''])
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
})

describe('an imported profile', { timeout: 120_000 }, () => {
  let profile: FilledProfile
  let service: Readonly<Record<string, unknown>>
  let bytes: Buffer
  let bob: Person
  /** The id of the profile on the service that imported it. */
  let id: number
  beforeAll(async () => {
    profile = await newProfile('organization', 'o')
    const listed = await ada.post(`/eep/services/did:web:profiles.example:o:${profile.username}`, {
      name: 'Consulting',
      category: 'consulting',
      pricing: { model: 'fixed', currency: 'usd', amount: 10 },
      delivery: 'async',
      description: `See https://profiles.example/o/${profile.username}.`,
    })
    expect(listed.statusCode, listed.body).toBeLessThan(300)
    service = listed.json()
    bytes = await downloaded(from.app, ada, { profile_id: profile.id })
    bob = await signUp(to.app)
    const { error, result } = await imported(to.app, bob, bytes)
    expect(error).toBe(null)
    expect(result).toMatchObject({ counts: { services: 1 } })
    id = Object(result).profile.id
  })

  it('has the same public pages and categories in every format, and no draft', () =>
    expectSame(profile, [`/content/${profile.page}`, '/content/top', '/content/notes', '/content/draft']))

  it('keeps gates, so that no paid page or file is open on the new service', async () => {
    const { files } = (await client(to.app).get(`/o/${profile.username}?format=json`)).json()
    const statuses: Record<string, number> = {}
    for (const { filename, id } of files) statuses[filename] = (await client(to.app).get(`/files/${id}`)).statusCode
    const page = await client(to.app).get(`/o/${profile.username}/content/top`)
    expect([statuses, page.statusCode]).toEqual([{ 'notes.txt': 402, 'dot.png': 200 }, 402])
  })

  it('restores drafts, private categories, versions and the bytes of files', async () => {
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
    const { sections } = (await ada.get(`/profiles/${profile.id}/smart-sections`)).json()
    const [work, ...others] = (await bob.get(`/profiles/${id}/smart-sections`)).json().sections
    expect(others).toEqual(sections.slice(1))
    expect(work.body).toMatch(/^See <https:\/\/other\.example\/files\/\d+>\.$/)
    expect({ ...work, body: sections[0].body }).toEqual(sections[0])
  })

  it('restores the services that it lists, with their times and without ratings', async () => {
    const { services } = (await client(to.app).get(`/eep/services/did:web:other.example:o:${profile.username}`)).json()
    const description = `See https://other.example/o/${profile.username}.`
    const { id: before, ...rest } = service
    expect(services).toEqual([{ ...rest, description, id: expect.stringMatching(/^svc_[0-9a-f]{32}$/) }])
    expect(services[0].id).not.toBe(before)

    const members = await unzip(bytes)
    const [exported] = jsonOf(members, 'services.json')
    for (const wrong of [
      { ...exported, name: '' },
      { ...exported, unknown: 1 },
      { ...exported, created_at: 'today' },
    ]) {
      const changed = resigned(members, { 'services.json': JSON.stringify([wrong]) }, generateKeyPairSync('ed25519'))
      const refused = await imported(to.app, bob, await zip(changed), { dry_run: 'true' })
      expect(refused.error).toMatchObject({
        code: 'invalid_archive',
        message: expect.stringMatching(/^services\.json/),
      })
    }
  })

  it('trusts archives that are signed with a key of a trusted issuer', async () => {
    const { keys } = (await client(from.app).get('/.well-known/jwks.json')).json()
    const trustedIssuers = [{ issuer: 'https://profiles.example', keys }]
    const third = await createTestApp({ publicUrl: OTHER_URL, secret: OTHER_SECRET, archives: { trustedIssuers } })
    try {
      const job = await imported(third.app, await signUp(third.app), bytes, { dry_run: 'true' })
      expect(job.result).toMatchObject({ signed_by: 'trusted' })
    } finally {
      await third.close()
    }
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

it('accepts three unfinished imports of an account, also of concurrent uploads', async () => {
  const { run, begun, end } = openEnd()
  const waiting = kindOf(run)
  const own = await createTestApp({ jobs: { concurrency: 1, kinds: [waiting] } })
  try {
    const owner = await signUp(own.app)
    await own.eep.jobs.request({ kind: waiting.name, accountId: owner.account.id, profileId: null, input: {} })
    await begun
    const sent = await Promise.all(
      Array.from({ length: 7 }, () => sendArchive(own.app, owner, [fileOf('an archive', 'export.zip')])),
    )
    const refused = sent.filter(({ statusCode }) => statusCode !== 202)
    expect(refused.map(codeOf)).toEqual(Array(4).fill('too_many_jobs'))
  } finally {
    end()
    await own.close()
  }
})

it('imports nothing when the password of the account was changed before the import ran', async () => {
  const { run, begun, end } = openEnd()
  const waiting = kindOf(run)
  const own = await createTestApp({ jobs: { concurrency: 1, kinds: [waiting] } })
  try {
    const { account, headers, ...person } = await signUp(own.app)
    await own.eep.jobs.request({ kind: waiting.name, accountId: account.id, profileId: null, input: {} })
    await begun
    const sent = await sendArchive(own.app, { account, headers, ...person }, [fileOf('an archive', 'export.zip')])
    expect(sent.statusCode, sent.body).toBe(202)
    const change = { current_password: PASSWORD, new_password: 'Another staple 8 horse' }
    expect((await client(own.app).put('/auth/change-password', change, headers)).statusCode).toBe(200)
    const { token } = (await login(own.app, account.email, change.new_password)).json()
    end()
    const job = await ended(own.app, { authorization: `Bearer ${token}` }, sent.json().id)
    expect(job).toMatchObject({ status: 'failed', error: { code: 'unauthenticated' } })
  } finally {
    end()
    await own.close()
  }
})

it('counts the bytes of waiting archives into the storage of the plan', async () => {
  const { run, begun, end } = openEnd()
  const waiting = kindOf(run)
  const limits = { plans: { community: { limits: { maxStorageMb: 2 } } } }
  const own = await createTestApp({ limits, jobs: { concurrency: 1, kinds: [waiting] } })
  try {
    const owner = await signUp(own.app)
    await own.eep.jobs.request({ kind: waiting.name, accountId: owner.account.id, profileId: null, input: {} })
    await begun
    const send = () => sendArchive(own.app, owner, [fileOf(Buffer.alloc(1_200_000), 'export.zip')])
    const [first, second] = [await send(), await send()]
    expect([first.statusCode, second.statusCode, codeOf(second)]).toEqual([202, 409, 'file_quota_reached'])
  } finally {
    end()
    await own.close()
  }
})
