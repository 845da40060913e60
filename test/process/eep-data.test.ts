import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { hashOf, jsonOf, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openOperated } from '../support/operator.ts'

type Host = Awaited<ReturnType<typeof openOperated>>

const open = () => openOperated({})

let directory: string
let host: Host
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'eep-data-'))
  if (!onPglite()) host = await open()
})
afterAll(async () => {
  await host?.close()
  await rm(directory, { recursive: true, force: true })
})

const newPath = () => join(directory, `${randomUUID()}.zip`)

describe.skipIf(onPglite())('eep export and eep import', () => {
  let ada: Person
  let other: Host
  let bob: Person
  beforeAll(async () => {
    ada = await signUp(host.app, 'ada')
    const profileId = ada.account.active_profile_id
    const page = { profile_id: profileId, title: 'Engines', body: 'On engines.', status: 'published' }
    expect((await ada.post('/manage/pages', page)).statusCode).toBe(201)
    const parts = [field('username', 'ada'), fileOf('Some bytes')]
    expect((await upload(host.app, parts, ada.headers)).statusCode).toBe(200)
    other = await open()
    bob = await signUp(other.app, 'bob')
  })
  afterAll(() => other.close())

  it('moves a profile to another service by a file', async () => {
    const path = newPath()
    const exported = await host.run('export', 'u/ada', '--output', path, '--json')
    expect(exported.code).toBe(0)
    const bytes = await readFile(path)
    expect(JSON.parse(exported.out)).toEqual({ file: path, size: bytes.length, sha256: hashOf(bytes) })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(jsonOf(await unzip(bytes), 'profile.json').username).toBe('ada')

    const dryRun = await other.run('import', path, '--account', bob.account.email, '--dry-run', '--json')
    expect(dryRun.code).toBe(0)
    expect(JSON.parse(dryRun.out)).toMatchObject({ dry_run: true, counts: { pages: 1, files: 1 }, problems: [] })
    expect((await client(other.app).get('/u/ada')).statusCode).toBe(404)

    const imported = await other.run('import', path, '--account', bob.account.email)
    expect(imported.code).toBe(0)
    expect(imported.out).toMatch(/^https:\S+\/u\/ada is imported\nFrom https:\S+, signed by /)
    const page = await client(other.app).get('/u/ada/content/engines', { accept: 'text/markdown' })
    expect(page.body).toContain('On engines.')
    const { rows } = await other.pool.query('select size from eep.files where size > 0')
    expect(rows.map(({ size }) => Number(size))).toEqual(['Some bytes'.length])
  })

  it('fails for a name that is taken, also in a dry run, and changes nothing', async () => {
    const path = newPath()
    await host.run('export', 'u/ada', '--output', path)
    const dryRun = await host.run('import', path, '--account', ada.account.email, '--dry-run')
    expect(dryRun.code).toBe(1)
    expect(dryRun.out).toMatch(/\nProblem: You already own the profile u\/ada.* \(username_taken\)\n$/)
    const { code, err } = await host.run('import', path, '--account', ada.account.email)
    expect([code, err]).toEqual([1, expect.stringContaining('(username_taken)')])
  })

  it('exports an account with the profiles that it owns', async () => {
    const path = newPath()
    expect((await host.run('export', '--account', ada.account.email.toUpperCase(), '--output', path)).code).toBe(0)
    const members = await unzip(await readFile(path))
    expect(jsonOf(members, 'account.json').email).toBe(ada.account.email)
    expect(jsonOf(members, 'profiles/person/ada/profile.json').username).toBe('ada')
    const { code, err } = await other.run('import', path, '--account', bob.account.email)
    expect([code, err]).toEqual([1, expect.stringContaining('(invalid_archive)')])
  })

  it('does not replace a file', async () => {
    const path = newPath()
    await writeFile(path, 'kept')
    const { code, err } = await host.run('export', 'u/ada', '--output', path)
    expect([code, err]).toEqual([1, `${path} already exists\n`])
    expect(await readFile(path, 'utf8')).toBe('kept')
  })

  it('leaves no file when a part cannot be read', async () => {
    const folder = await mkdtemp(join(directory, 'broken-'))
    const eve = await signUp(host.app, 'eve')
    const parts = [field('username', 'eve'), fileOf('Bytes that get lost')]
    expect((await upload(host.app, parts, eve.headers)).statusCode).toBe(200)
    await rm(host.files, { recursive: true })
    const { code, err } = await host.run('export', 'u/eve', '--output', join(folder, 'eve.zip'))
    expect(code).toBe(1)
    expect(err).not.toBe('')
    expect(await readdir(folder)).toEqual([])
  })

  it('names what does not exist, and what is not an archive', async () => {
    const path = newPath()
    const email = bob.account.email
    const missing = await host.run('export', 'u/missing', '--output', path)
    expect([missing.code, missing.err]).toEqual([1, 'No profile is named u/missing\n'])
    const account = await host.run('export', '--account', 'missing@example.com', '--output', path)
    expect([account.code, account.err]).toEqual([1, 'No account has the email address missing@example.com\n'])
    const file = await other.run('import', path, '--account', email)
    expect([file.code, file.err]).toEqual([1, `${path} cannot be read: ENOENT\n`])
    await writeFile(path, 'not a ZIP')
    const bytes = await other.run('import', path, '--account', email)
    expect([bytes.code, bytes.err]).toEqual([1, expect.stringContaining('(invalid_archive)')])
  })

  it.each([
    [['export', 'u/ada']],
    [['export', '--output', 'x.zip']],
    [['export', 'u/ada', '--account', 'a@example.com', '--output', 'x.zip']],
    [['export', 'ada', '--output', 'x.zip']],
    [['export', 'u/ada', 'u/eve', '--output', 'x.zip']],
    [['import', 'x.zip']],
    [['import', '--account', 'a@example.com']],
  ])('prints the usage for %j', async (args) => {
    const { code, err } = await host.run(...args)
    expect([code, err]).toEqual([2, expect.stringContaining('Usage: eep')])
  })
})

describe.skipIf(onPglite())('eep reindex', () => {
  it('fails when no host rebuilds the index in time, and waits for one that does', async () => {
    const searching = await openOperated()
    const index = searching.storage.search()

    const options = { publicUrl: searching.eep.publicUrl, secret: 'a secret of thirty-two characters or more' }
    const running = createEep({ ...options, storage: searching.storage, modules: everything({ search: { index } }) })
    try {
      await signUp(searching.app, 'found')
      const alone = await searching.run('reindex', '--timeout', '1', '--json')
      expect([alone.code, JSON.parse(alone.out)]).toEqual([1, { requested: true, finished: false }])
      const requested = await searching.run('reindex', '--timeout', '0', '--json')
      expect([requested.code, JSON.parse(requested.out)]).toEqual([0, { requested: true, finished: false }])
      await running.start()
      const { code, out, err } = await searching.run('reindex', '--timeout', '600', '--json')
      expect([code, JSON.parse(out)]).toEqual([0, { requested: true, finished: true, documents: 1 }])
      expect(err).toContain('Waiting for a running host to begin\n')
      expect((await index.stats()).isRebuilding).toBe(false)
    } finally {
      await running.stop()
      await searching.close()
    }
  })

  it('prints the usage for a timeout that is not a number', async () => {
    const { code, err } = await host.run('reindex', '--timeout', 'soon')
    expect([code, err]).toEqual([2, expect.stringContaining('Usage: eep reindex')])
  })
})
