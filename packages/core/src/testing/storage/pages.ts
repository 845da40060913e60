import assert from 'node:assert/strict'
import type { PageRequest } from '../../kernel/page.ts'
import type { ContentPage, NewPage, PageOutline } from '../../ports/storage/content.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newPage } from '../records.ts'
import { type Bench, casesFor, ODD_TEXT, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

export const pageCases = casesFor([], (it, bench) => {
  it('places a page without a position after the last one of its category', async () => {
    const profile = await bench.profile()
    const { id: categoryId } = await bench.category(profile)
    const placed = async (changes = {}) => (await bench.page(profile, { position: null, ...changes })).position
    assert.equal(await placed(), 0)
    await bench.page(profile, { position: 7 })
    await bench.page(profile, { position: 3 })
    await bench.page(profile, { categoryId, position: 90 })
    assert.equal(await placed(), 8)
    assert.equal(await placed({ categoryId }), 91)
  })

  it('gives a slug at the top level to the transaction that commits first', async () => {
    const { id, ownerAccountId } = await bench.profile()
    const slug = freshName()
    const { first, others } = await bench.overlap(
      (tx) => tx.pages.insert(newPage(id, ownerAccountId, { slug })),
      [(tx) => tx.pages.insert(newPage(id, ownerAccountId, { slug }))],
    )
    assert.ok(first)
    assert.deepEqual(others, [undefined])
  })

  it('finds a page by its path of slugs', async () => {
    const [profile, otherProfile] = [await bench.profile(), await bench.profile()]
    const top = await bench.category(profile, { slug: 'notes' })
    const below = await bench.category(profile, { slug: 'notes', parentId: top.id })
    const atTop = await bench.page(profile, { slug: 'notes' })
    const inTop = await bench.page(profile, { slug: 'notes', categoryId: top.id, status: 'draft' })
    const inBelow = await bench.page(profile, { slug: 'notes', categoryId: below.id })
    const alone = await bench.page(profile, { slug: 'alone', categoryId: below.id })

    const find = (...slugs: string[]) => bench.read.pages.getByPath(profile.id, slugs)
    assert.deepEqual(await find('notes'), { page: atTop, categories: [] })
    assert.deepEqual(await find('notes', 'notes'), { page: inTop, categories: [top] })
    assert.deepEqual(await find('notes', 'notes', 'notes'), { page: inBelow, categories: [top, below] })
    assert.deepEqual((await find('notes', 'notes', 'alone'))?.page.id, alone.id)
    for (const wrong of [[], ['alone'], ['notes', 'alone'], ['gone', 'notes'], ['notes', 'notes', 'notes', 'notes']]) {
      assert.equal(await find(...wrong), undefined, wrong.join('/'))
    }
    assert.equal(await bench.read.pages.getByPath(otherProfile.id, ['notes']), undefined)
  })

  it('lists the pages of a profile by category, position and id, without their bodies', async () => {
    const { profile, expected } = await outlined(bench)
    const list = bench.read.pages.listOutline.bind(bench.read.pages, profile.id)
    const { items, total } = await list({ limit: 100 })
    assert.equal(total, expected.length)
    assert.ok(items.every((item) => !('body' in item)))
    assert.deepEqual(
      inOneOrder(items),
      items,
      'the top level comes first, the pages of a category are together, and each is in order',
    )
    assert.deepEqual(byId(items), byId(expected))

    for (const status of ['draft', 'published', 'archived'] as const) {
      const some = await list({ limit: 100, status })
      const wanted = items.filter((item) => item.status === status)
      assert.deepEqual(some.items, wanted)
      assert.equal((await list({ limit: 1, status })).total, wanted.length)
    }
    await checkCursors(list)
  })

  it('lists the direct pages of the given categories', async () => {
    const { profile, category } = await outlined(bench)
    const below = await bench.category(profile, { parentId: category.id })
    await bench.page(profile, { categoryId: below.id })
    const { items } = await bench.read.pages.listOutline(profile.id, { limit: 100 })
    for (const categoryIds of [[null], [category.id], [null, below.id], [category.id, below.id], []]) {
      const wanted = items.filter((item) => categoryIds.includes(item.categoryId))
      const list = (page: PageRequest) => bench.read.pages.listOutline(profile.id, { ...page, categoryIds })
      assert.deepEqual(await readAll(list, 2), wanted)
      assert.equal((await list({ limit: 1 })).total, wanted.length)
      const drafts = await bench.read.pages.listOutline(profile.id, { limit: 100, categoryIds, status: 'draft' })
      assert.deepEqual(
        drafts.items,
        wanted.filter(({ status }) => status === 'draft'),
      )
    }
    const strange = (await bench.category(await bench.profile())).id
    assert.deepEqual((await bench.read.pages.listOutline(profile.id, { limit: 5, categoryIds: [strange] })).items, [])
  })

  it('lists each page of an outline once, in pages of any size, also while some are added', async () => {
    const { profile, category } = await outlined(bench)
    const list = bench.read.pages.listOutline.bind(bench.read.pages, profile.id)
    const ids = (items: readonly PageOutline[]) => items.map(({ id }) => id)
    const before = ids((await list({ limit: 100 })).items)
    for (const limit of [1, 2, 3, 100]) assert.deepEqual(ids(await readAll(list, limit)), before)

    const read = await readAll(list, 3, async () => {
      await bench.page(profile, { position: -100 })
      await bench.page(profile, { position: 0, categoryId: category.id })
    })
    const seen = ids(read).filter((id) => before.includes(id))
    assert.deepEqual(seen, before)
    assert.equal(new Set(ids(read)).size, read.length)
  })

  it('counts pages correctly while many are added, changed and deleted concurrently', async () => {
    const profile = await bench.profile()
    const { id: profileId, ownerAccountId } = profile
    const [from, to] = [await bench.category(profile), await bench.category(profile)]
    const make = () => bench.page(profile, { categoryId: from.id })
    const [moved, hidden, gone] = [await make(), await make(), await make()]
    await make()
    const save = { updatedAt: new Date(), savedBy: ownerAccountId }
    const add = (categoryId: number) => (tx: Stores) =>
      tx.pages.insert(newPage(profileId, ownerAccountId, { categoryId }))
    await bench.overlap(add(from.id), [
      add(from.id),
      add(to.id),
      (tx) => tx.pages.save(moved.id, { categoryId: to.id, ...save }),
      (tx) => tx.pages.save(hidden.id, { status: 'draft', ...save }),
      async (tx) => {
        await tx.pages.delete(gone.id)
        return undefined
      },
    ])
    await bench.overlap(add(from.id), [], 'rollback')
    const total = async (categoryId: number, status?: 'published' | 'draft') =>
      (await bench.read.pages.listOutline(profileId, { limit: 1, categoryIds: [categoryId], status })).total
    assert.deepEqual([await total(from.id), await total(to.id)], [4, 2])
    assert.deepEqual([await total(from.id, 'published'), await total(from.id, 'draft')], [3, 1])
    assert.deepEqual([...(await bench.read.categories.countPages(profileId))].sort(), [
      [from.id, 4],
      [to.id, 2],
    ])
    await bench.write((tx) => tx.categories.delete(from.id))
    assert.equal((await bench.read.pages.listOutline(profileId, { limit: 1 })).total, 2)
    assert.deepEqual([...(await bench.read.categories.countPages(profileId))], [[to.id, 2]])
  })
})

export const savedPageCases = casesFor(['pageVersions'], (it, bench) => {
  it('stores a page as it was inserted, as version 1', async () => {
    const profile = await bench.profile()
    const category = await bench.category(profile)
    const page: NewPage = newPage(profile.id, profile.ownerAccountId, {
      categoryId: category.id,
      title: ODD_TEXT,
      slug: ODD_TEXT,
      body: ODD_TEXT.repeat(5_000),
      position: -1,
    })
    const { createdBy, ...kept } = page
    const inserted = present(await bench.write((tx) => tx.pages.insert(page)))
    const bodyBytes = Buffer.byteLength(page.body)
    assert.deepEqual(inserted, {
      ...kept,
      bodyBytes,
      id: inserted.id,
      version: 1,
      updatedAt: page.createdAt,
      firstImageId: null,
    })
    assert.deepEqual(await bench.read.pages.get(inserted.id), inserted)
    const { id: pageId, title, body, excerpt, status, createdAt } = inserted
    const version = { pageId, version: 1, title, excerpt, status, createdAt, createdBy, through: null }
    assert.deepEqual((await bench.read.pageVersions.list(pageId, { limit: 5 })).items, [version])
    assert.deepEqual(await bench.read.pageVersions.get(pageId, 1), { ...version, body })

    const plain = await bench.page(profile, { excerpt: null, publishedAt: null, status: 'draft', body: '', title: '' })
    assert.deepEqual(await bench.read.pages.get(plain.id), plain)
    const { body: _, ...outline } = plain
    assert.deepEqual(await bench.read.pages.getOutline(plain.id), outline)
    assert.equal(await bench.read.pages.getOutline(Number.MAX_SAFE_INTEGER), undefined)
    assert.deepEqual([plain.excerpt, plain.publishedAt, plain.body, plain.status], [null, null, '', 'draft'])
    assert.equal(await bench.read.pages.get(Number.MAX_SAFE_INTEGER), undefined)
  })

  it('restores a page with its number, times and versions, and continues from its number', async () => {
    const profile = await bench.profile()
    const [createdAt, updatedAt] = [new Date('2020-01-02T03:04:05.678Z'), new Date('2021-01-02T03:04:05.678Z')]
    const { createdBy, ...page } = newPage(profile.id, profile.ownerAccountId, { createdAt, position: 3 })
    const versions = [
      { version: 7, title: page.title, body: page.body, excerpt: null, status: page.status, createdAt: updatedAt },
      { version: 4, title: ODD_TEXT, body: ODD_TEXT, excerpt: ODD_TEXT, status: 'draft' as const, createdAt },
    ]
    const wanted = { ...page, position: 3, version: 7, updatedAt, createdBy, versions }
    const restored = present(await bench.write((tx) => tx.pageVersions.restore(wanted)))
    const bodyBytes = Buffer.byteLength(page.body)
    assert.deepEqual(restored, {
      ...page,
      bodyBytes,
      position: 3,
      id: restored.id,
      version: 7,
      updatedAt,
      firstImageId: null,
    })
    assert.deepEqual(await bench.read.pages.get(restored.id), restored)
    const stored = await bench.read.pageVersions.list(restored.id, { limit: 5 })
    assert.deepEqual(
      stored.items,
      versions.map(({ body: _, ...version }) => ({ ...version, pageId: restored.id, createdBy, through: null })),
    )
    const [, older] = versions
    assert.deepEqual(await bench.read.pageVersions.get(restored.id, 4), {
      ...older,
      pageId: restored.id,
      createdBy,
      through: null,
    })
    const again = await bench.write(async (tx) => {
      assert.equal(await tx.pageVersions.restore(wanted), undefined, 'the slug is taken')
      return tx.pages.save(restored.id, { title: 'Later', savedBy: createdBy, updatedAt })
    })
    assert.equal(present(again).version, 8)
  })

  it('allows a slug once in a category, at the top level and below', async () => {
    const profile = await bench.profile()
    const category = await bench.category(profile)
    for (const categoryId of [null, category.id]) {
      const taken = await bench.page(profile, { categoryId })
      const { ownerAccountId, id } = profile
      const free = await bench.write(async (tx) => {
        assert.equal(await tx.pages.insert(newPage(id, ownerAccountId, { categoryId, slug: taken.slug })), undefined)
        return tx.pages.insert(newPage(id, ownerAccountId, { categoryId }))
      })
      assert.ok(free, 'the transaction remains usable')
      assert.deepEqual(await bench.read.pages.get(taken.id), taken)
      assert.equal((await bench.read.pageVersions.list(taken.id, { limit: 5 })).total, 1)
    }
    const top = await bench.page(profile)
    assert.ok(await bench.page(profile, { categoryId: category.id, slug: top.slug }))
    assert.ok(await bench.page(await bench.profile(), { slug: top.slug }))
  })

  it('deletes a page with its versions', async () => {
    const profile = await bench.profile()
    const [gone, kept] = [await bench.page(profile), await bench.page(profile)]
    assert.equal(await bench.write((tx) => tx.pages.delete(gone.id)), true)
    assert.equal(await bench.write((tx) => tx.pages.delete(gone.id)), false)
    assert.equal(await bench.read.pages.get(gone.id), undefined)
    assert.deepEqual((await bench.read.pageVersions.list(gone.id, { limit: 5 })).items, [])
    assert.deepEqual(await bench.read.pages.get(kept.id), kept)
    assert.ok(await bench.page(profile, { slug: gone.slug }), 'the slug is free again')
  })
})

/** A profile with pages of equal and unequal positions, at the top level and in two categories, created in random order. */
async function outlined(bench: Bench) {
  const profile: Profile = await bench.profile()
  const [category, other] = [await bench.category(profile), await bench.category(profile)]
  const expected: PageOutline[] = []
  for (const [index, position] of [3, 0, 0, 7, 0, 0, -1, 0, 3].entries()) {
    const categoryId = [null, category.id, other.id][index % 3] ?? null
    const status = (['published', 'published', 'draft', 'archived'] as const)[index % 4] ?? 'draft'
    const { body: _, ...outline }: ContentPage = await bench.page(profile, { position, status, categoryId })
    expected.push(outline)
  }
  await bench.page(await bench.profile())
  return { profile, category, expected }
}

const byId = (items: readonly PageOutline[]) => [...items].sort((left, right) => left.id - right.id)

/** The documented order, with the categories in the order of their first page. */
function inOneOrder(items: readonly PageOutline[]): readonly PageOutline[] {
  const met = [...new Set([null, ...items.map(({ categoryId }) => categoryId)])]
  const rank = ({ categoryId }: PageOutline) => met.indexOf(categoryId)
  return byId(items).sort((left, right) => rank(left) - rank(right) || left.position - right.position)
}
