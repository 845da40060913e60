import assert from 'node:assert/strict'
import { type Cases, ODD_TEXT } from './bench.ts'

const at = new Date('2026-06-06T06:06:06.006Z')

export const oldPathCases: Cases = (it, bench) => {
  it('know what led to a page or a category, the last one that left', async () => {
    const [profile, stranger] = [await bench.profile(), await bench.profile()]
    const [page, other] = [await bench.page(profile), await bench.page(profile)]
    const category = await bench.category(profile)
    const { id: profileId } = profile
    const [toPage, toCategory, odd] = [
      { profileId, path: 'notes/engines', target: { pageId: page.id } },
      { profileId, path: 'notes', target: { categoryId: category.id } },
      { profileId, path: ODD_TEXT, target: { pageId: page.id } },
    ] as const
    await bench.write(async (tx) => {
      for (const oldPath of [toPage, toCategory, odd]) await tx.oldPaths.put(oldPath, at)
    })
    const list = async (...paths: string[]) =>
      (await bench.read.oldPaths.list(profileId, paths)).toSorted((left, right) => (left.path < right.path ? -1 : 1))
    assert.deepEqual(await list('notes/engines', 'notes', 'nothing'), [toCategory, toPage])
    assert.deepEqual(await list(ODD_TEXT), [odd])
    assert.deepEqual(await list(), [])
    assert.deepEqual(await list('a\0b'), [])
    assert.deepEqual(await bench.read.oldPaths.list(stranger.id, ['notes']), [])

    const taken = { ...toPage, target: { pageId: other.id } }
    const replaced = { ...toCategory, target: { pageId: other.id } }
    await bench.write(async (tx) => {
      await tx.oldPaths.put(taken, at)
      await tx.oldPaths.put(replaced, at)
    })
    assert.deepEqual(await list('notes/engines', 'notes'), [replaced, taken])
  })

  it('forget what is removed', async () => {
    const profile = await bench.profile()
    const category = await bench.category(profile)
    const page = await bench.page(profile, { categoryId: category.id })
    await bench.write(async (tx) => {
      await tx.oldPaths.put({ profileId: profile.id, path: 'a', target: { categoryId: category.id } }, at)
      await tx.oldPaths.put({ profileId: profile.id, path: 'a/b', target: { pageId: page.id } }, at)
      await tx.categories.delete(category.id)
    })
    assert.deepEqual(await bench.read.oldPaths.list(profile.id, ['a', 'a/b']), [])
  })
}
