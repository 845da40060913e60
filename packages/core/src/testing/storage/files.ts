import assert from 'node:assert/strict'
import type {
  FileChanges,
  FileQuota,
  FileReplacement,
  KeepOutcome,
  StoredFile,
  UploadedFile,
} from '../../ports/storage/files.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { keeping, newCategory, newPage, newUpload, uploaded } from '../records.ts'
import { type Bench, casesFor, HOUR, ODD_TEXT, present } from './bench.ts'

const filesOf = (kept: KeepOutcome): readonly StoredFile[] => {
  assert.equal(kept.outcome, 'kept')
  return kept.outcome === 'kept' ? kept.files : []
}

async function add(bench: Bench<'files'>, profile: Profile, changes: Partial<UploadedFile> = {}): Promise<StoredFile> {
  const upload = newUpload(profile.ownerAccountId)
  return bench.write(async (tx) => {
    assert.equal(await tx.files.createUpload(upload), true)
    return present(filesOf(await tx.files.commitUploads(keeping(profile, [uploaded(upload, changes)])))[0])
  })
}

/** An upload of another account as the new content of a file. Default: with a quota that is never reached. */
async function replacing(
  bench: Bench<'files'>,
  profile: Profile,
  { id: fileId }: StoredFile,
  changes: Partial<UploadedFile> = {},
): Promise<FileReplacement & { readonly by: string }> {
  const by = (await bench.account()).id
  const upload = newUpload(by)
  await bench.write((tx) => tx.files.createUpload(upload))
  const { id: profileId, ownerAccountId } = profile
  const replacedAt = new Date('2026-03-04T05:06:07.008Z')
  return { profileId, ownerAccountId, fileId, maxBytes: 1_000_000, replacedAt, by, file: uploaded(upload, changes) }
}

/** All keys whose blobs are to be deleted, including those of other cases. */
const droppedOf = async (bench: Bench<'files'>, keys: readonly string[]) =>
  (await bench.read.files.listDropped(100_000)).filter((key) => keys.includes(key))

export const fileCases = casesFor(['files'], (it, bench) => {
  it('stores a file with all of its fields under an id', async () => {
    const profile = await bench.profile()
    const upload = newUpload(profile.ownerAccountId)
    const size = { size: 5_000_000_000, width: 640, height: 480 }
    const bytes = uploaded(upload, { filename: ODD_TEXT, encoding: 'shift_jis', ...size })
    const quota = { bytes: 6_000_000_000 }
    await bench.write((tx) => tx.files.createUpload(upload))
    assert.deepEqual((await bench.read.files.listOfProfile(profile.id, { limit: 9 })).items, [])
    const [file] = filesOf(await bench.write((tx) => tx.files.commitUploads(keeping(profile, [bytes], quota))))
    const { id } = present(file)
    const whole = {
      ...bytes,
      id,
      profileId: profile.id,
      accountId: upload.accountId,
      alt: null,
      createdAt: upload.createdAt,
      replacedAt: null,
    }
    assert.deepEqual(file, whole)
    assert.deepEqual(await bench.read.files.get(id), whole)
    assert.equal(await bench.read.files.get(Number.MAX_SAFE_INTEGER), undefined)
  })

  it('keeps the time at which a file of another service was stored', async () => {
    const createdAt = new Date('2020-01-02T03:04:05.678Z')
    const file = await add(bench, await bench.profile(), { createdAt })
    assert.deepEqual((await bench.read.files.get(file.id))?.createdAt, createdAt)
  })

  it('lists the files of one or several profiles, newest first, in pages', async () => {
    const [profile, other, empty] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const files = [await add(bench, profile), await add(bench, profile), await add(bench, profile)].reverse()
    const foreign = await add(bench, other)
    const first = await bench.read.files.listOfProfile(profile.id, { limit: 2 })
    assert.deepEqual([first.items, first.total], [files.slice(0, 2), 3])
    const rest = await bench.read.files.listOfProfile(profile.id, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual([rest.items, rest.total, rest.nextCursor], [files.slice(2), 3, undefined])
    assert.deepEqual(
      await bench.read.files.listOfProfiles([profile.id, other.id, empty.id], 2),
      new Map([
        [profile.id, files.slice(0, 2)],
        [other.id, [foreign]],
      ]),
    )
    assert.deepEqual(await bench.read.files.listOfProfiles([], 2), new Map())
  })

  it('stores no width and height for files without them', async () => {
    const { width, height } = await add(bench, await bench.profile())
    assert.deepEqual([width, height], [null, null])
  })

  it('lists the images that published pages link to, or that one page does', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const image = { contentType: 'image/png' }
    const [first, second, drafted] = [
      await add(bench, profile, image),
      await add(bench, profile, image),
      await add(bench, profile, image),
    ]
    await add(bench, profile, image)
    const [text, foreign] = [await add(bench, profile), await add(bench, other, image)]
    const body = `![a](/files/${second.id}) ![b](https://profiles.example/api/files/${first.id} "B") ![c](/files/${text.id})`
    const [page, draft] = await bench.write(async (tx) => [
      await tx.pages.insert(
        newPage(profile.id, profile.ownerAccountId, {
          body: `${body} ![d](/files/${foreign.id})`,
          status: 'published',
        }),
      ),
      await tx.pages.insert(
        newPage(profile.id, profile.ownerAccountId, { body: `![e](/files/${drafted.id})`, status: 'draft' }),
      ),
    ])
    const shown = (of: Parameters<typeof bench.read.files.listShown>[1], { id } = profile) =>
      bench.read.files.listShown(id, of)
    const all = [first, second, drafted, text, foreign].map(({ id }) => id)
    assert.deepEqual(await shown({ fileIds: all }), [second, first])
    assert.deepEqual(await shown({ fileIds: [first.id, drafted.id] }), [first])
    assert.deepEqual(await shown({ fileIds: [] }), [])
    assert.deepEqual(await shown({ fileIds: all }, other), [])
    assert.deepEqual(await shown({ imageIds: all }), [drafted, second, first])
    assert.deepEqual(await shown({ imageIds: [text.id, first.id] }), [first])
    assert.deepEqual(await shown({ imageIds: [] }), [])
    assert.deepEqual(await shown({ imageIds: all }, other), [foreign])
    assert.deepEqual(await shown({ pageId: present(page).id }), [second, first])
    assert.deepEqual(await shown({ pageId: present(draft).id }), [drafted])
    assert.deepEqual(await shown({ pageId: present(page).id }, other), [])
  })

  it('lists images that a page links to by a definition, with spaces or in angle brackets', async () => {
    const profile = await bench.profile()
    const image = { contentType: 'image/png' }
    const files = []
    for (let index = 0; index < 4; index += 1) files.push(await add(bench, profile, image))
    const [defined, spaced, bracketed, mentioned] = files.map(({ id }) => `/files/${id}`)
    const body = `![a][x] ![b]( ${spaced} ) ![c](<https://profiles.example${bracketed}>) ${mentioned}\n\n[x]: ${defined}`
    const page = present(
      await bench.write((tx) =>
        tx.pages.insert(newPage(profile.id, profile.ownerAccountId, { body, status: 'published' })),
      ),
    )
    const shown = await bench.read.files.listShown(profile.id, { pageId: page.id })
    assert.deepEqual(shown, files.slice(0, 3).toReversed())
  })

  it('keeps a cover and the first image of a page, which are images of its profile, until they are deleted', async () => {
    const profile = await bench.profile()
    const other = await bench.profile({ ownerAccountId: profile.ownerAccountId })
    const image = { contentType: 'image/png' }
    const [first, second, foreign] = [
      await add(bench, profile, image),
      await add(bench, profile, image),
      await add(bench, other, image),
    ]
    const text = await add(bench, profile)
    const body = `[a](/files/${second.id}) ![b](/files/${foreign.id}) ![c](/files/${text.id}) ![d](/files/${first.id}) ![e](/files/${second.id})`
    const page = await bench.page(profile, { body, coverFileId: second.id })
    assert.deepEqual([page.coverFileId, page.firstImageId], [second.id, first.id])
    const save = (coverFileId: number | null) =>
      bench.write((tx) =>
        tx.pages.save(page.id, { coverFileId, updatedAt: page.updatedAt, savedBy: profile.ownerAccountId }),
      )
    for (const id of [foreign.id, text.id, 999_999_999, null]) assert.equal((await save(id))?.coverFileId, null)
    assert.equal((await save(second.id))?.coverFileId, second.id)
    assert.equal((await bench.read.pages.getOutline(page.id))?.firstImageId, first.id)
    await bench.write((tx) => tx.files.delete(profile.id, [first.id, second.id]))
    const left = present(await bench.read.pages.get(page.id))
    assert.deepEqual([left.coverFileId, left.firstImageId], [null, null])
  })

  it('lists covers of published pages below public categories only', async () => {
    const profile = await bench.profile()
    const { ownerAccountId } = profile
    const image = { contentType: 'image/png' }
    const covers = []
    for (let index = 0; index < 5; index += 1) covers.push(await add(bench, profile, image))
    const [top, draft, inside, hidden, unused] = covers.map(({ id }) => id)
    const category = (changes: Parameters<typeof newCategory>[1]) =>
      bench.write(async (tx) => present(await tx.categories.insert(newCategory(profile.id, changes))).id)
    const open = await category({})
    const below = await category({ parentId: open })
    const closed = await category({ visibility: 'private' })
    const inClosed = await category({ parentId: closed })
    const page = (coverFileId: number | undefined, changes: Parameters<typeof newPage>[2] = {}) =>
      bench.write((tx) =>
        tx.pages.insert(newPage(profile.id, ownerAccountId, { coverFileId: coverFileId ?? null, ...changes })),
      )
    await page(top)
    await page(draft, { status: 'draft' })
    await page(inside, { categoryId: below })
    await page(hidden, { categoryId: inClosed })
    const coverIds = covers.map(({ id }) => id)
    const ofAll = await bench.read.files.listShown(profile.id, { fileIds: coverIds })
    assert.deepEqual(
      ofAll.map(({ id }) => id),
      [hidden, inside, top],
    )
    const found = await bench.read.files.listShown(profile.id, { coverIds })
    assert.deepEqual(
      found.map(({ id }) => id),
      [inside, top],
    )
    assert.deepEqual(await bench.read.files.listShown(profile.id, { coverIds: [unused ?? 0] }), [])
    assert.deepEqual(await bench.read.files.listShown((await bench.profile()).id, { coverIds }), [])
  })

  it('enforces the quota of an account over all of its profiles', async () => {
    const profile = await bench.profile()
    const { ownerAccountId } = profile
    const second = await bench.profile({ ownerAccountId })
    await add(bench, profile)
    const attempt = (quota: Partial<FileQuota>, count = 1) =>
      bench.write(async (tx) => {
        const uploads = Array.from({ length: count }, () => newUpload(ownerAccountId))
        for (const upload of uploads) await tx.files.createUpload(upload)
        const kept = await tx.files.commitUploads(
          keeping(
            second,
            uploads.map((upload) => uploaded(upload)),
            quota,
          ),
        )
        return kept.outcome
      })
    assert.equal(await attempt({ files: 1 }), 'too_many')
    assert.equal(await attempt({ bytes: 13 }), 'too_large')
    assert.equal(await attempt({ files: 2 }, 2), 'too_many')
    assert.equal(await attempt({ files: 2, bytes: 14 }), 'kept')
    assert.equal((await bench.read.files.listOfProfile(second.id, { limit: 9 })).total, 1)
  })

  it('gives the last place of a quota to exactly one of two uploads', async () => {
    const profile = await bench.profile()
    const uploads = [newUpload(profile.ownerAccountId), newUpload(profile.ownerAccountId)] as const
    await bench.write(async (tx) => {
      for (const upload of uploads) await tx.files.createUpload(upload)
    })
    const keep = (index: 0 | 1) => async (tx: Stores<'files'>) =>
      (await tx.files.commitUploads(keeping(profile, [uploaded(uploads[index])], { files: 1 }))).outcome
    const { first, others } = await bench.overlap(keep(0), [keep(1)])
    assert.deepEqual([first, others], ['kept', ['too_many']])
    assert.equal((await bench.read.files.listOfProfile(profile.id, { limit: 9 })).total, 1)
  })

  it('stores no file of a discarded upload, of a deleted profile or of another owner’s profile', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const upload = newUpload(profile.ownerAccountId)
    const keep = (whose: Pick<Profile, 'id' | 'ownerAccountId'>) =>
      bench.write(async (tx) => (await tx.files.commitUploads(keeping(whose, [uploaded(upload)]))).outcome)
    assert.equal(await keep(profile), 'gone')
    await bench.write((tx) => tx.files.createUpload(upload))
    assert.equal(await keep({ id: other.id, ownerAccountId: profile.ownerAccountId }), 'gone')
    assert.equal(await keep({ id: Number.MAX_SAFE_INTEGER, ownerAccountId: profile.ownerAccountId }), 'gone')
    assert.equal(await keep({ id: profile.id, ownerAccountId: 'unknown' }), 'gone')
    await bench.write((tx) => tx.files.discardUploads([upload.key]))
    assert.equal(await keep(profile), 'gone')
    assert.equal(await bench.write((tx) => tx.files.createUpload(newUpload('unknown'))), false)
  })

  it('lists the blobs of deleted files, profiles and accounts until their deletion is confirmed', async () => {
    const profile = await bench.profile()
    const { ownerAccountId } = profile
    const [last, second] = [await bench.profile({ ownerAccountId }), await bench.profile({ ownerAccountId })]
    const files = [await add(bench, profile), await add(bench, second), await add(bench, last)]
    const upload = newUpload(ownerAccountId)
    await bench.write((tx) => tx.files.createUpload(upload))
    const keys = [...files.map(({ key }) => key), upload.key]
    const gone = async () => (await droppedOf(bench, keys)).length
    const ids = files.map(({ id }) => id)

    assert.equal(await gone(), 0)
    assert.deepEqual(
      (await bench.write((tx) => tx.files.delete(profile.id, ids))).map(({ id }) => id),
      ids.slice(0, 1),
    )
    assert.equal(await gone(), 1)
    await bench.write((tx) => tx.profiles.delete(second.id))
    assert.equal(await gone(), 2)
    await bench.write((tx) => tx.files.discardUploads(keys))
    assert.equal(await gone(), 3)
    await bench.write((tx) => eraseAccount(tx, ownerAccountId))
    assert.deepEqual((await droppedOf(bench, keys)).sort(), [...keys].sort())
    for (const id of ids) assert.equal(await bench.read.files.get(id), undefined)
    assert.deepEqual([...(await bench.read.files.listKnownKeys([...keys, 'unknown']))].sort(), [...keys].sort())

    await bench.write((tx) => tx.files.confirmBlobsDeleted(keys))
    assert.equal(await gone(), 0)
    assert.deepEqual(await bench.read.files.listKnownKeys(keys), [])
  })

  it('changes the name and the alternative text of a file of the profile, and nothing else', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const file = await add(bench, profile, { alt: 'A harbour' })
    assert.equal(file.alt, 'A harbour')
    const update = (changes: FileChanges, { id } = profile) =>
      bench.write((tx) => tx.files.update(id, file.id, changes))
    assert.deepEqual(await update({ filename: ODD_TEXT }), { ...file, filename: ODD_TEXT })
    assert.deepEqual(await update({ alt: ODD_TEXT }), { ...file, filename: ODD_TEXT, alt: ODD_TEXT })
    const last = { ...file, filename: 'a.txt', alt: null }
    assert.deepEqual(await update({ filename: 'a.txt', alt: null }), last)
    assert.equal(await update({ alt: 'Theirs' }, other), undefined)
    assert.deepEqual(await bench.read.files.get(file.id), last)
  })

  it('replaces the content of a file, which keeps its id, and lists the blob before as dropped', async () => {
    const profile = await bench.profile()
    const file = await add(bench, profile, { alt: 'A harbour', encoding: 'shift_jis', width: 4, height: 3 })
    const replacement = await replacing(bench, profile, file, { filename: 'later.txt', size: 9 })
    const { key, sha256 } = replacement.file
    const expected = {
      ...file,
      ...{ key, sha256, filename: 'later.txt', size: 9, accountId: replacement.by },
      ...{ encoding: null, width: null, height: null, replacedAt: replacement.replacedAt },
    }
    const outcome = await bench.write((tx) => tx.files.replaceContent(replacement))
    assert.deepEqual(outcome, { outcome: 'replaced', file: expected })
    assert.deepEqual(await bench.read.files.get(file.id), expected)
    assert.equal((await bench.read.files.listOfProfile(profile.id, { limit: 9 })).total, 1)
    assert.deepEqual(await droppedOf(bench, [file.key, key]), [file.key])
    assert.equal((await bench.write((tx) => tx.files.replaceContent(replacement))).outcome, 'gone')
  })

  it('replaces no content over the quota, of another key, profile or owner, or by an upload that is gone', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const file = await add(bench, profile)
    const attempt = async (changes: Partial<FileReplacement>, size = 9) => {
      const replacement = await replacing(bench, profile, file, { size })
      return (await bench.write((tx) => tx.files.replaceContent({ ...replacement, ...changes }))).outcome
    }
    assert.equal(await attempt({ maxBytes: 8 }), 'too_large')
    assert.equal(await attempt({ replacedKey: 'another' }), 'changed')
    assert.equal(await attempt({ profileId: other.id }), 'gone')
    assert.equal(await attempt({ ownerAccountId: other.ownerAccountId }), 'gone')
    assert.equal(await attempt({ ownerAccountId: 'unknown' }), 'gone')
    assert.equal(await attempt({ file: uploaded(newUpload(profile.ownerAccountId)) }), 'gone')
    assert.deepEqual(await bench.read.files.get(file.id), file)
    assert.equal(await attempt({ maxBytes: 9, replacedKey: file.key }), 'replaced')
    const current = present(await bench.read.files.get(file.id))
    const smaller = await replacing(bench, profile, current, { size: 5 })
    const outcome = await bench.write((tx) => tx.files.replaceContent({ ...smaller, maxBytes: 1 }))
    assert.equal(outcome.outcome, 'replaced')
  })

  it('lets exactly one of two concurrent replacements replace the same content', async () => {
    const profile = await bench.profile()
    const file = await add(bench, profile)
    const replacements = [await replacing(bench, profile, file), await replacing(bench, profile, file)] as const
    const replace = (index: 0 | 1) => async (tx: Stores<'files'>) =>
      (await tx.files.replaceContent({ ...replacements[index], replacedKey: file.key })).outcome
    const { first, others } = await bench.overlap(replace(0), [replace(1)])
    assert.deepEqual([first, others], ['replaced', ['changed']])
    assert.equal((await bench.read.files.get(file.id))?.key, replacements[0].file.key)
  })

  it('discards uploads that began long ago, and keeps files and recent uploads', async () => {
    const profile = await bench.profile()
    const file = await add(bench, profile)
    const now = Date.now()
    const long = new Date('1990-01-01T00:00:00Z')
    const [old, young] = [
      newUpload(profile.ownerAccountId, { createdAt: long }),
      newUpload(profile.ownerAccountId, { createdAt: new Date(now) }),
    ]
    await bench.write(async (tx) => {
      await tx.files.createUpload(old)
      await tx.files.createUpload(young)
    })
    const before = new Date(long.getTime() + HOUR)
    assert.equal(await bench.write((tx) => tx.files.discardOldUploads(before, 10)), 1)
    assert.equal(await bench.write((tx) => tx.files.discardOldUploads(before, 10)), 0)
    assert.deepEqual(await droppedOf(bench, [old.key, young.key, file.key]), [old.key])
    assert.deepEqual(await bench.read.files.get(file.id), file)
  })

  it('keeps a file in a profile of another account when its uploader is deleted', async () => {
    const [profile, guest] = [await bench.profile(), await bench.account()]
    const upload = newUpload(guest.id)
    const [file] = await bench.write(async (tx) => {
      await tx.files.createUpload(upload)
      return filesOf(await tx.files.commitUploads(keeping(profile, [uploaded(upload)])))
    })
    await bench.write((tx) => eraseAccount(tx, guest.id))
    assert.deepEqual(await bench.read.files.get(present(file).id), { ...file, accountId: null })
  })
})
