import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type { FileText, FileTextOutcome } from '../../ports/storage/file-texts.ts'
import type { StoredFile } from '../../ports/storage/files.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { keeping, newUpload, uploaded } from '../records.ts'
import { type Bench, casesFor, ODD_TEXT, present } from './bench.ts'

const newHash = () => createHash('sha256').update(randomUUID()).digest('hex')

function add(bench: Bench<'files' | 'fileTexts'>, profile: Profile, sha256: string): Promise<StoredFile> {
  const upload = newUpload(profile.ownerAccountId)
  return bench.write(async (tx) => {
    assert.equal(await tx.files.createUpload(upload), true)
    const kept = await tx.files.commitUploads(keeping(profile, [uploaded(upload, { sha256 })]))
    assert.equal(kept.outcome, 'kept')
    return present(kept.outcome === 'kept' ? kept.files[0] : undefined)
  })
}

const textOf = (sha256: string, outcome: FileTextOutcome = { markdown: '# Text\n', warnings: [] }): FileText => ({
  sha256,
  converter: 'one',
  outcome,
  createdAt: new Date('2026-01-01T00:00:00Z'),
})

export const fileTextCases = casesFor(['fileTexts', 'files'], (it, bench) => {
  const keep = (text: FileText) => bench.write((tx) => tx.fileTexts.keep(text))
  const get = ({ sha256 }: FileText, converter = 'one') => bench.read.fileTexts.get(sha256, converter)

  it('stores the latest text of the same bytes, and none of bytes without a file', async () => {
    const [profile, sha256] = [await bench.profile(), newHash()]
    const text = textOf(sha256, { markdown: ODD_TEXT, warnings: [ODD_TEXT, ''] })
    assert.deepEqual(await keep(text), [])
    assert.equal(await get(text), undefined)
    await add(bench, profile, sha256)
    assert.notEqual((await keep(text)).length, 0)
    assert.deepEqual(await get(text), text)
    assert.equal(await get(text, 'two'), undefined)

    const refusal = { ...textOf(sha256, { refusal: { reason: 'broken', message: ODD_TEXT } }), converter: 'two' }
    assert.notEqual((await keep(refusal)).length, 0)
    assert.deepEqual(await get(refusal, 'two'), refusal)
    assert.equal(await get(text), undefined)
    assert.equal(await bench.read.fileTexts.get('\0', '\0'), undefined)
  })

  it('returns the files that have the bytes of a text', async () => {
    const [profile, other, sha256] = [await bench.profile(), await bench.profile(), newHash()]
    const files = [
      await add(bench, profile, sha256),
      await add(bench, other, sha256),
      await add(bench, profile, sha256),
    ]
    await add(bench, other, newHash())
    const kept = [...(await keep(textOf(sha256)))].sort((one, two) => one.id - two.id)
    assert.deepEqual(
      kept,
      files.map(({ id, profileId }) => ({ id, profileId })),
    )
  })

  it('deletes a text with the last file that has its bytes', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const text = textOf(newHash())
    const file = await add(bench, profile, text.sha256)
    await add(bench, other, text.sha256)
    await keep(text)
    await bench.write((tx) => tx.files.delete(profile.id, [file.id]))
    assert.deepEqual(await get(text), text)
    await bench.write((tx) => tx.profiles.delete(other.id))
    assert.equal(await get(text), undefined)
  })

  it('stores no text of a file that is being deleted', async () => {
    const profile = await bench.profile()
    const text = textOf(newHash())
    const file = await add(bench, profile, text.sha256)
    const { others } = await bench.overlap(
      (tx: Stores<'files' | 'fileTexts'>) => tx.files.delete(profile.id, [file.id]),
      [(tx: Stores<'files' | 'fileTexts'>) => tx.fileTexts.keep(text)],
    )
    assert.deepEqual(others, [[]])
    assert.equal(await get(text), undefined)
  })

  it('deletes a text that is being stored while its file is deleted', async () => {
    const profile = await bench.profile()
    const text = textOf(newHash())
    const file = await add(bench, profile, text.sha256)
    const { first } = await bench.overlap(
      (tx: Stores<'files' | 'fileTexts'>) => tx.fileTexts.keep(text),
      [(tx: Stores<'files' | 'fileTexts'>) => tx.files.delete(profile.id, [file.id])],
    )
    assert.deepEqual(first, [{ id: file.id, profileId: profile.id }])
    assert.equal(await get(text), undefined)
  })

  it('finds the text that remains when the last two files are deleted concurrently', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const text = textOf(newHash())
    const [one, two] = [await add(bench, profile, text.sha256), await add(bench, other, text.sha256)]
    await keep(text)
    await bench.overlap(
      (tx: Stores<'files' | 'fileTexts'>) => tx.files.delete(profile.id, [one.id]),
      [(tx: Stores<'files' | 'fileTexts'>) => tx.files.delete(other.id, [two.id])],
    )
    await bench.write((tx) => tx.fileTexts.deleteUnused(1_000))
    assert.equal(await get(text), undefined)
    assert.equal(await bench.write((tx) => tx.fileTexts.deleteUnused(1_000)), 0)
  })
})
