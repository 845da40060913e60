import assert from 'node:assert/strict'
import { keeping, newPage, newUpload } from '../records.ts'
import { type Bench, casesFor, present } from './bench.ts'

/** Adds a text file or an image to a profile, and returns its id. */
async function add(
  bench: Bench<'files'>,
  profile: Awaited<ReturnType<Bench['profile']>>,
  contentType = 'text/plain',
): Promise<number> {
  const upload = newUpload(profile.ownerAccountId)
  return bench.write(async (tx) => {
    await tx.files.createUpload(upload)
    const file = { key: upload.key, filename: 'notes.txt', size: 7, contentType, sha256: 'a'.repeat(64) }
    const kept = await tx.files.commitUploads(keeping(profile, [file]))
    assert.equal(kept.outcome, 'kept')
    return present(kept.outcome === 'kept' ? kept.files[0] : undefined).id
  })
}

export const fileUseCases = casesFor(['files', 'pageDrafts'], (it, bench) => {
  it('lists the pages that link to a file, have it as cover, or do so in their draft, the last changed ones first', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const { id: profileId, ownerAccountId } = profile
    const file = await add(bench, profile, 'image/png')
    const page = async (title: string, changes: Parameters<typeof newPage>[2], of = profile) =>
      present(
        await bench.write((tx) => tx.pages.insert(newPage(of.id, of.ownerAccountId, { title, body: '', ...changes }))),
      )
    const at = (minute: number) => ({ createdAt: new Date(Date.UTC(2026, 2, 4, 5, minute)) })
    const linking = await page('Links', { body: `[a](/files/${file})`, status: 'draft', ...at(1) })
    const playing = await page('Plays', { body: `https://profiles.example/media/${file}`, ...at(2) })
    const covered = await page('Covered', { coverFileId: file, status: 'archived', ...at(3) })
    const drafted = await page('Drafted', { ...at(4) })
    await page('Another file', { body: `[a](/files/${file}0) /files/x${file}`, ...at(5) })
    await page('Of another profile', { body: `[a](/files/${file})`, ...at(6) }, other)
    const draft = {
      pageId: drafted.id,
      title: 'Drafted',
      body: `![a](/files/${file})`,
      excerpt: null,
      coverFileId: null,
      baseVersion: drafted.version,
      revision: 'f0a43cd0-6c5e-4a39-9e42-0d8b9b1f0c11',
      updatedAt: drafted.updatedAt,
      updatedBy: ownerAccountId,
    }
    assert.equal(await bench.write((tx) => tx.pageDrafts.put(draft, null)), true)

    const uses = await bench.read.files.listUses({ id: file, profileId }, 9)
    assert.deepEqual(
      uses,
      [drafted, covered, playing, linking].map(({ id: pageId, title, status }) => ({ pageId, title, status })),
    )
    assert.equal((await bench.read.files.listUses({ id: file, profileId }, 2)).length, 2)
    assert.deepEqual(await bench.read.files.listUses({ id: await add(bench, profile), profileId }, 9), [])
  })
})
