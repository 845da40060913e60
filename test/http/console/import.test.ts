import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryBlobs } from '@eep/core/files'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { downloaded, sendArchive } from '../../support/archives.ts'
import { actionsOn, browserOf, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { field, fileOf, formOf as multipart } from '../../support/files.ts'
import { ended } from '../../support/media.ts'
import { newOrganization } from '../../support/teams.ts'

const PATH = '/manage/profiles/import'
const LONG = { timeout: 30_000, interval: 200 }
const HOUR_MS = 3_600_000

type Tab = Awaited<ReturnType<typeof browserOf>>

let now = new Date()
const directory = join(tmpdir(), `eep-imported-${randomUUID()}`)
const blobs = directoryBlobs({ directory })
const keys = async () => (await blobs.list({ limit: 1_000 })).blobs.map(({ key }) => key)
let from: Awaited<ReturnType<typeof createTestApp>>
let to: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  from = await createTestApp()
  to = await createTestApp({ clock: () => now, files: { blobStore: blobs }, auth: { purgeIntervalMs: 100 } })
})
afterAll(async () => {
  await from.close()
  await to.close()
  await rm(directory, { recursive: true, force: true })
})

/** The export of a new organization with a published page. */
async function newArchive() {
  const { owner, id, username } = await newOrganization(from.app)
  const page = await owner.post('/manage/pages', { profile_id: id, title: 'Notes', body: 'Text', status: 'published' })
  expect(page.statusCode, page.body).toBe(201)
  return { username, bytes: await downloaded(from.app, owner, { profile_id: id }) }
}

async function newTab() {
  const person = await signUp(to.app)
  return { person, tab: await browserOf(to.app, person) }
}

/** Sends an archive with the form of the screen, as a browser without script does. */
async function check({ jar }: Tab, bytes?: Buffer) {
  const fields = Object.entries(formOf('check')).map(([name, value]) => field(name, value))
  const { payload, headers } = multipart([...fields, ...(bytes ? [fileOf(bytes, 'export.zip')] : [])])
  return to.app.inject({
    method: 'POST',
    url: PATH,
    payload,
    cookies: jar,
    headers: { ...headers, accept: 'text/html', origin: 'https://profiles.example' },
  })
}

/** Opens the page of an import once it has ended. */
const endedPage = (tab: Tab, path: string) =>
  vi.waitFor(async () => {
    const page = await tab.open(path)
    expect(page.statusCode, page.body).toBe(200)
    expect(page.body).not.toContain('<progress')
    return page
  }, LONG)

/** Checks an archive, and returns the page with what would be created. */
async function checked(tab: Tab, bytes: Buffer) {
  const sent = await check(tab, bytes)
  expect(sent.statusCode, sent.body).toBe(303)
  return endedPage(tab, String(sent.headers.location))
}

describe('the screen that imports a profile', () => {
  it('shows what will be created before anything is, then creates it and shows the result', async () => {
    const { username, bytes } = await newArchive()
    const { tab } = await newTab()
    expect((await tab.open(PATH)).body).toContain('You have not imported a profile yet.')
    const sent = await check(tab, bytes)
    expect(sent.statusCode).toBe(303)
    const preview = await endedPage(tab, String(sent.headers.location))
    expect(preview.body).toContain('This will be created')
    expect(preview.body).toContain(`/o/${username}`)
    expect(preview.body).toContain('<dt>Pages</dt><dd>1</dd>')
    expect(preview.body).toContain('<dt>Signature</dt>')
    expect((await to.app.inject(`/o/${username}`)).statusCode).toBe(404)

    const started = await tab.submit(PATH, { ...formOf('start'), ...fieldsOfForm(preview, 'start') })
    expect(started.statusCode, started.body).toBe(303)
    const result = await endedPage(tab, String(started.headers.location))
    expect(result.body).toContain('This was created')
    expect(result.body).toMatch(/href="\/manage\/profiles\/\d+\/edit"[^>]*>Edit the profile</)
    expect((await to.app.inject(`/o/${username}/content/notes?format=json`)).statusCode).toBe(200)
    expect((await tab.open(PATH)).body).toContain('href="/manage/profiles/import/')
  })

  it('names what would make the import fail, and offers no button for it', async () => {
    const { username, bytes } = await newArchive()
    const { tab, person } = await newTab()
    await person.post('/profiles', { profile_type: 'organization', username })
    const preview = await checked(tab, bytes)
    expect(preview.body).toContain('The address is taken here')
    expect(actionsOn(preview).has('start')).toBe(false)
  })

  it('explains why a file is not an export, and asks for a file when none was chosen', async () => {
    const { tab } = await newTab()
    const failed = await checked(tab, Buffer.from('PK nothing'))
    expect(failed.body).toContain('The file is not an export of a profile')
    const empty = await check(tab)
    expect([empty.statusCode, empty.body.includes('Choose the ZIP of an export.')]).toEqual([400, true])
  })

  it('shows an import to the account alone that requested it', async () => {
    const { bytes } = await newArchive()
    const { tab } = await newTab()
    const sent = await check(tab, bytes)
    const path = String(sent.headers.location)
    const preview = await endedPage(tab, path)
    const other = (await newTab()).tab
    expect((await other.open(path)).statusCode).toBe(404)
    const stolen = { ...formOf('start'), job: fieldsOfForm(preview, 'start').job ?? '' }
    const refused = await other.submit(PATH, stolen)
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([
      404,
      'The archive is no longer stored. Upload it again.',
    ])
    expect((await other.open(PATH)).body).toContain('You have not imported a profile yet.')
  })
})

describe('POST /import/{jobId}', () => {
  const dryRun = async (keep: string) => {
    const { username, bytes } = await newArchive()
    const { person } = await newTab()
    const parts = [field('dry_run', 'true'), field('keep', keep), fileOf(bytes, 'export.zip')]
    const send = async () => (await sendArchive(to.app, person, parts)).json().id as string
    const id = await send()
    expect((await ended(to.app, person.headers, id)).status).toBe('succeeded')
    return { username, person, id, send }
  }

  it('imports the archive that a dry run kept, once', async () => {
    const { username, person, id } = await dryRun('true')
    const [one, other] = await Promise.all([person.post(`/import/${id}`), person.post(`/import/${id}`)])
    expect([one.statusCode, other.statusCode, other.json().id]).toEqual([202, 202, one.json().id])
    expect(one.headers.location).toBe(`/jobs/${one.json().id}`)
    expect((await ended(to.app, person.headers, one.json().id)).result).toMatchObject({ profile: { username } })
    expect((await person.post(`/import/${id}`)).json().id).toBe(one.json().id)
  })

  it('refuses a dry run that kept no archive, and one of another account', async () => {
    const { person, id } = await dryRun('false')
    expect(codeOf(await person.post(`/import/${id}`))).toBe('import_not_found')
    const kept = await dryRun('true')
    expect(codeOf(await person.post(`/import/${kept.id}`))).toBe('import_not_found')
  })

  it('refuses an archive that a later import replaced, or that was kept for 12 hours', async () => {
    const { person, id, send } = await dryRun('true')
    const later = await send()
    expect((await ended(to.app, person.headers, later)).status).toBe('succeeded')
    expect(codeOf(await person.post(`/import/${id}`))).toBe('import_not_found')
    now = new Date(now.getTime() + 12 * HOUR_MS)
    expect(codeOf(await person.post(`/import/${later}`))).toBe('import_not_found')
  })

  it('deletes the bytes of archives that are replaced or imported', async () => {
    const left = async (count: number) => vi.waitFor(async () => expect(await keys()).toHaveLength(count), LONG)
    const { bytes } = await newArchive()
    const { person } = await newTab()
    const before = await keys()
    const parts = [field('dry_run', 'true'), field('keep', 'true'), fileOf(bytes, 'export.zip')]
    const send = async () => ended(to.app, person.headers, (await sendArchive(to.app, person, parts)).json().id)
    await send()
    const { id } = await send()
    await left(before.length + 1)
    await ended(to.app, person.headers, (await person.post(`/import/${id}`)).json().id)
    await left(before.length)
  })
})
