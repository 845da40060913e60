import { generateKeyPairSync } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { type Person, signUp } from '../support/accounts.ts'
import { downloaded, imported, type Members, resigned, unzip, zip } from '../support/archives.ts'
import { newFilledProfile, openTwoServices } from '../support/filled-profile.ts'

const { from, to, ada } = await openTwoServices()
let members: Members
let bob: Person
beforeAll(async () => {
  const { id } = await newFilledProfile(from.app, ada, 'organization', 'o')
  members = await unzip(await downloaded(from.app, ada, { profile_id: id }))
  bob = await signUp(to.app)
})

/** Members at other paths, and others. */
const moved = (rename: (path: string) => string, others: Readonly<Record<string, string>> = {}): Members =>
  new Map([
    ...[...members].map(([path, bytes]) => [rename(path), bytes] as const),
    ...Object.entries(others).map(([path, text]) => [path, Buffer.from(text)] as const),
  ])

/** A ZIP that has folders, as most programs write them. */
async function withFolders(all: Members): Promise<Buffer> {
  const file = new ZipFile()
  const folders = new Set(
    [...all.keys()].flatMap((path) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, index, parts) => parts.slice(0, index + 1).join('/')),
    ),
  )
  for (const folder of folders) file.addEmptyDirectory(folder)
  for (const [path, bytes] of all) file.addBuffer(bytes, path, { mode: 0o100644 })
  file.end()
  return buffer(file.outputStream)
}

const dry = async (bytes: Buffer) => imported(to.app, bob, bytes, { dry_run: 'true' })

describe('an export that was unpacked and packed again', { timeout: 120_000 }, () => {
  it('is imported with folders', async () => {
    const job = await dry(await withFolders(members))
    expect([job.error, job.result?.counts]).toMatchObject([null, { pages: 4, files: 2 }])
  })

  it('is imported with the folder that it was unpacked to, and files of the system', async () => {
    const system = {
      'acme/.DS_Store': 'x',
      'acme/files/Thumbs.db': 'x',
      'acme/content/._top.md': 'x',
      'acme/desktop.ini': 'x',
      '__MACOSX/acme/._profile.json': 'x',
      '.Trashes/501': 'x',
    }
    const job = await dry(await withFolders(moved((path) => `acme/${path}`, system)))
    expect([job.error, job.result?.counts]).toMatchObject([null, { pages: 4, files: 2 }])
    expect(JSON.stringify(job.result?.skipped)).not.toMatch(/DS_Store|MACOSX|Thumbs|desktop/)
  })

  it('is imported once, with its real contents', async () => {
    const job = await imported(to.app, bob, await withFolders(moved((path) => `acme/${path}`)))
    expect([job.error, job.result?.counts]).toMatchObject([null, { pages: 4, files: 2 }])
  })

  it('keeps a member that the manifest lists, whatever its name', async () => {
    const listed = resigned(members, { 'Thumbs.db': 'mine' }, generateKeyPairSync('ed25519'))
    const job = await dry(await zip(listed))
    expect(job.result?.skipped).toContain('Thumbs.db')
  })

  it('is refused with the paths that differ when something in it was changed', async () => {
    const changed = moved((path) => path, { 'added.txt': 'new', 'profile.md': 'another size' })
    const left = new Map([...changed].filter(([path]) => path !== 'gates.json'))
    const { error } = await dry(await zip(left))
    expect(error).toMatchObject({
      code: 'archive_tampered',
      message: expect.stringMatching(/missing: gates\.json; changed: profile\.md; extra: added\.txt/),
    })
  })

  it('is refused with two folders at its top, or with a path twice', async () => {
    const two = await zip(moved((path) => (path.startsWith('content/') ? `other/${path}` : `acme/${path}`)))
    expect((await dry(two)).error?.code).toBe('invalid_archive')
    const twice = moved((path) => path, { 'caf\u00e9.txt': '1', 'cafe\u0301.txt': '1' })
    expect((await dry(await zip(twice))).error?.code).toBe('invalid_archive')
  })
})
