import assert from 'node:assert/strict'
import type { LeftPath, OldPath } from '../../ports/storage/content.ts'
import { casesFor, ODD_TEXT } from './bench.ts'

const at = (second: number) => new Date(Date.UTC(2026, 5, 6, 6, 6, second))

export const oldPathCases = casesFor(['oldPaths'], (it, bench) => {
  it('lists the earlier targets of a slug in any place, latest first', async () => {
    const [profile, otherProfile] = [await bench.profile(), await bench.profile()]
    const [page, other] = [await bench.page(profile), await bench.page(profile)]
    const category = await bench.category(profile)
    const { id: profileId } = profile
    const inNotes: LeftPath = {
      profileId,
      path: 'notes/engines',
      slug: 'engines',
      placeId: category.id,
      target: { pageId: page.id },
    }
    const atTop: LeftPath = { profileId, path: 'engines', slug: 'engines', placeId: null, target: { pageId: other.id } }
    const notes: LeftPath = {
      profileId,
      path: 'notes',
      slug: 'notes',
      placeId: null,
      target: { categoryId: category.id },
    }
    const odd: LeftPath = { profileId, path: ODD_TEXT, slug: ODD_TEXT, placeId: null, target: { pageId: page.id } }
    await bench.write(async (tx) => {
      for (const [index, oldPath] of [inNotes, notes, atTop, odd].entries()) await tx.oldPaths.put(oldPath, at(index))
    })
    const list = (...slugs: string[]) => bench.read.oldPaths.list(profileId, slugs, 10)
    assert.deepEqual(await list('engines'), [atTop, inNotes])
    assert.deepEqual(await list('notes', 'engines', 'nothing'), [atTop, notes, inNotes])
    assert.deepEqual(await bench.read.oldPaths.list(profileId, ['notes', 'engines'], 2), [atTop, notes])
    assert.deepEqual(await list(ODD_TEXT), [odd])
    assert.deepEqual(await list(), [])
    assert.deepEqual(await list('a\0b'), [])
    assert.deepEqual(await bench.read.oldPaths.list(otherProfile.id, ['notes'], 10), [])

    const taken: LeftPath = { ...inNotes, target: { pageId: other.id }, placeId: 77 }
    const replaced: LeftPath = { ...notes, target: { pageId: other.id } }
    await bench.write(async (tx) => {
      await tx.oldPaths.put(taken, at(10))
      await tx.oldPaths.put(replaced, at(11))
    })
    assert.deepEqual(await list('engines', 'notes'), [replaced, taken, atTop], 'the target that left last is first')
  })

  it('keeps the paths of deleted content when they are stored, and what others left at them', async () => {
    const profile = await bench.profile()
    const { id: profileId } = profile
    const category = await bench.category(profile)
    const [page, other] = [await bench.page(profile, { categoryId: category.id }), await bench.page(profile)]
    const placeId = category.id
    const notes = { profileId, path: 'notes', slug: 'notes', placeId: null, target: { categoryId: category.id } }
    const inNotes = { profileId, path: 'notes/a', slug: 'a', placeId, target: { pageId: page.id } }
    const before = { ...inNotes, path: 'notes/b', slug: 'b' }
    const ofOther = { ...inNotes, path: 'notes/c', slug: 'c', target: { pageId: other.id } }
    const list = () => bench.read.oldPaths.list(profileId, ['notes', 'a', 'b', 'c'], 10)
    await bench.write(async (tx) => {
      await tx.oldPaths.put(ofOther, at(0))
      await tx.oldPaths.put(before, at(1))
      await tx.oldPaths.putDeleted([], at(2))
      await tx.oldPaths.putDeleted([notes, inNotes, { ...inNotes, path: 'notes/c', slug: 'c' }], at(2))
      await tx.categories.delete(category.id)
    })
    const gone = (path: OldPath) => ({ ...path, target: null })
    assert.deepEqual(await list(), [gone(notes), gone(inNotes), gone(before), ofOther])

    const again: LeftPath = { ...inNotes, target: { pageId: other.id } }
    await bench.write((tx) => tx.oldPaths.put(again, at(3)))
    assert.deepEqual(await list(), [again, gone(notes), gone(before), ofOther])
  })

  it('deletes the old paths of deleted targets, and keeps them when only the place is deleted', async () => {
    const profile = await bench.profile()
    const { id: profileId } = profile
    const [gone, place] = [await bench.category(profile), await bench.category(profile)]
    const [below, page] = [await bench.page(profile, { categoryId: gone.id }), await bench.page(profile)]
    const kept: LeftPath = { profileId, path: 'c/d', slug: 'd', placeId: place.id, target: { pageId: page.id } }
    await bench.write(async (tx) => {
      await tx.oldPaths.put({ profileId, path: 'a', slug: 'a', placeId: null, target: { categoryId: gone.id } }, at(0))
      await tx.oldPaths.put(
        { profileId, path: 'a/b', slug: 'b', placeId: gone.id, target: { pageId: below.id } },
        at(1),
      )
      await tx.oldPaths.put(kept, at(2))
      await tx.categories.delete(gone.id)
      await tx.categories.delete(place.id)
    })
    assert.deepEqual(await bench.read.oldPaths.list(profileId, ['a', 'b', 'd'], 10), [kept])
  })
})
