import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewPageDraft } from '../../ports/storage/page-drafts.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { casesFor, ODD_TEXT } from './bench.ts'

const AT = new Date('2026-06-06T06:06:06.006Z')

const draftOf = (pageId: number, updatedBy: string, changes: Partial<NewPageDraft> = {}): NewPageDraft => ({
  pageId,
  title: ODD_TEXT,
  body: ODD_TEXT,
  excerpt: null,
  coverFileId: null,
  baseVersion: 1,
  revision: randomUUID(),
  updatedAt: AT,
  updatedBy,
  ...changes,
})

export const pageDraftCases = casesFor(['pageDrafts'], (it, bench) => {
  it('stores one draft of a page, and replaces the revision that is named', async () => {
    const profile = await bench.profile()
    const { id } = await bench.page(profile)
    const put = (draft: NewPageDraft, replaces: string | null) =>
      bench.write((tx) => tx.pageDrafts.put(draft, replaces))
    const get = () => bench.read.pageDrafts.get(id)
    const first = draftOf(id, profile.ownerAccountId)
    assert.equal(await get(), undefined)
    assert.equal(await put(first, first.revision), false, 'there is nothing to replace')
    assert.equal(await put(first, null), true)
    assert.deepEqual(await get(), first)
    const second = draftOf(id, profile.ownerAccountId, { title: 'Second', excerpt: ODD_TEXT, baseVersion: 2 })
    for (const replaces of [null, randomUUID(), 'no uuid']) assert.equal(await put(second, replaces), false)
    assert.deepEqual(await get(), first)
    assert.equal(await put(second, first.revision), true)
    assert.deepEqual(await get(), second)
    const none = draftOf(Number.MAX_SAFE_INTEGER, profile.ownerAccountId)
    assert.equal(await put(none, null), false, 'the page does not exist')
  })

  it('lets exactly one of many replace a revision, or create a draft', async () => {
    const profile = await bench.profile()
    const { id } = await bench.page(profile)
    const saving = (replaces: string | null) => (tx: Stores<'pageDrafts'>) =>
      tx.pageDrafts.put(draftOf(id, profile.ownerAccountId), replaces)
    const created = await bench.overlap(saving(null), [saving(null), saving(null)])
    assert.deepEqual([created.first, ...created.others], [true, false, false])
    const revision = (await bench.read.pageDrafts.get(id))?.revision ?? null
    const replaced = await bench.overlap(saving(revision), [saving(revision), saving(revision)])
    assert.deepEqual([replaced.first, ...replaced.others], [true, false, false])
  })

  it('lets exactly one of many take a revision, and none take a draft that was saved meanwhile', async () => {
    const profile = await bench.profile()
    const { id } = await bench.page(profile)
    const draft = draftOf(id, profile.ownerAccountId)
    await bench.write((tx) => tx.pageDrafts.put(draft, null))
    const taking = (tx: Stores<'pageDrafts'>) => tx.pageDrafts.take(id, draft.revision)
    for (const revision of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.write((tx) => tx.pageDrafts.take(id, revision)), false)
    }
    const { first, others } = await bench.overlap(taking, [taking, taking])
    assert.deepEqual([first, ...others], [true, false, false])
    assert.equal(await bench.read.pageDrafts.get(id), undefined)

    await bench.write((tx) => tx.pageDrafts.put(draft, null))
    const later = draftOf(id, profile.ownerAccountId)
    const saved = await bench.overlap((tx) => tx.pageDrafts.put(later, draft.revision), [taking])
    assert.deepEqual([saved.first, ...saved.others], [true, false])
    assert.deepEqual(await bench.read.pageDrafts.get(id), later)
  })

  it('deletes the draft of a deleted page, and counts what drafts store', async () => {
    const profile = await bench.profile()
    const { id } = await bench.page(profile)
    const bytes = async () => (await bench.read.profiles.countOfAccount(profile.ownerAccountId)).storageBytes
    const before = await bytes()
    const draft = draftOf(id, profile.ownerAccountId, { title: 'four', body: 'é'.repeat(100), excerpt: 'two' })
    await bench.write((tx) => tx.pageDrafts.put(draft, null))
    assert.equal(await bytes(), before + 4 + 200 + 3)
    await bench.write((tx) => tx.pages.delete(id))
    assert.equal(await bench.read.pageDrafts.get(id), undefined)
  })
})
