import { beforeAll, describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { signUp } from '../support/accounts.ts'
import { downloaded, imported, jsonOf, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openTwoServices } from '../support/filled-profile.ts'

const { from, to } = await openTwoServices()
const USERNAME = 'aux'
const LONG = 'a'.repeat(64)
const NAMES = ['Q: why?.txt', 'a*b<c>|d.txt', `${'n'.repeat(150)}.txt`, 'Notes.txt', 'notes.txt', 'é.txt', '日本.txt']
let con: Writer

/** The paths of an archive, and whether each entry states that its name is UTF-8. */
async function entriesOf(bytes: Buffer) {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const entries: { readonly path: string; readonly isUtf8: boolean }[] = []
  for await (const entry of zip.eachEntry()) {
    entries.push({ path: entry.fileName, isUtf8: (entry.generalPurposeBitFlag & 0x800) !== 0 })
  }
  return entries
}

/** What Explorer cannot unpack. */
const isRefused = (path: string) =>
  path.length > 180 ||
  path
    .split('/')
    .some((name) => /[<>:"\\|?*\p{Cc}]|[. ]$/u.test(name) || /^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i.test(name))

beforeAll(async () => {
  con = await createWriter(from.app, USERNAME)
  let parent: number | null = null
  for (const slug of ['con', `deep-${LONG}`, `deeper-${LONG}`]) {
    parent = (await con.newCategory({ name: slug, slug, parent_id: parent })).id
    await con.newPage({ title: `Below ${slug}`, slug: 'com1', category_id: parent, body: 'Kept.' })
  }
  for (const slug of ['zeta', 'nul', 'alpha']) await con.newPage({ title: slug, slug, position: 7, body: 'Kept.' })
  for (const name of NAMES) {
    const sent = await upload(from.app, [field('username', USERNAME), fileOf('text', name)], con.headers)
    expect(sent.statusCode, sent.body).toBe(200)
  }
})

describe('an export', () => {
  it.each(['profile', 'account'])('of a %s has only paths that Windows can unpack', async (kind) => {
    const entries = await entriesOf(
      await downloaded(from.app, con, kind === 'account' ? { account: true } : { profile_id: con.profileId }),
    )
    const paths = entries.map(({ path }) => path)
    expect(paths.filter(isRefused)).toEqual([])
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length)
    expect(entries.filter(({ path, isUtf8 }) => /[^ -~]/.test(path) && !isUtf8)).toEqual([])
    expect(paths.filter((path) => path.includes('content/_pages/') && path.endsWith('.md'))).toHaveLength(1)
    expect(paths.filter((path) => path.endsWith('content/_con/_com1.md'))).toHaveLength(1)
  })

  it('is imported with the names, slugs and order of the original', async () => {
    const bytes = await downloaded(from.app, con, { profile_id: con.profileId })
    const members = await unzip(bytes)
    expect(jsonOf(members, 'content/_nul.json').slug).toBe('nul')
    const bob = await signUp(to.app)
    const job = await imported(to.app, bob, bytes)
    expect(job.error).toBe(null)
    const address = `/u/${USERNAME}`
    const files = (await client(to.app).get(`${address}?format=json`)).json().files
    expect(files.map(({ filename }: { filename: string }) => filename).toSorted()).toEqual(NAMES.toSorted())
    for (const path of ['nul', 'con/com1', `con/deep-${LONG}/deeper-${LONG}/com1`]) {
      expect((await client(to.app).get(`${address}/content/${path}`)).statusCode, path).toBe(200)
    }
    const slugs = async (app: typeof to.app) =>
      (await client(app).get(`${address}/content?format=json`)).json().pages.map(({ slug }: { slug: string }) => slug)
    expect(await slugs(to.app)).toEqual(await slugs(from.app))
  })
})
