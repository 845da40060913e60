import assert from 'node:assert/strict'
import type { Category, NewCategory } from '../../ports/storage/content.ts'
import { freshName, newCategory, newPage } from '../records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'

const updatedAt = new Date('2026-06-06T06:06:06.006Z')

export const categoryCases = casesFor([], (it, bench) => {
  it('stores a category as it was inserted', async () => {
    const profile = await bench.profile()
    const top = await bench.category(profile, { name: ODD_TEXT, slug: ODD_TEXT, description: ODD_TEXT })
    const below: NewCategory = newCategory(profile.id, {
      parentId: top.id,
      description: null,
      icon: null,
      visibility: 'private',
      position: -3,
    })
    const inserted = present(await bench.write((tx) => tx.categories.insert(below)))
    assert.deepEqual(inserted, { ...below, id: inserted.id, updatedAt: below.createdAt })
    assert.deepEqual(await bench.read.categories.get(inserted.id), inserted)
    assert.deepEqual(await bench.read.categories.get(top.id), top)
    assert.equal(top.name, ODD_TEXT)
    assert.equal(await bench.read.categories.get(Number.MAX_SAFE_INTEGER), undefined)
  })

  it('allows a slug once among siblings, at the top level and below', async () => {
    const profile = await bench.profile()
    const parent = await bench.category(profile)
    for (const parentId of [null, parent.id]) {
      const taken = await bench.category(profile, { parentId })
      const free = await bench.write(async (tx) => {
        assert.equal(await tx.categories.insert(newCategory(profile.id, { parentId, slug: taken.slug })), undefined)
        return tx.categories.insert(newCategory(profile.id, { parentId }))
      })
      assert.ok(free, 'the transaction remains usable')
      assert.deepEqual(await bench.read.categories.get(taken.id), taken)
    }
    assert.ok(
      await bench.category(profile, { parentId: parent.id, slug: parent.slug }),
      'a child may have the slug of its parent',
    )
    assert.ok(
      await bench.category(await bench.profile(), { slug: parent.slug }),
      'a category of another profile may have the slug, too',
    )
    assert.ok(await bench.page(profile, { slug: parent.slug }), 'a page beside it may have the slug, too')
  })

  it('gives a slug at the top level to the transaction that commits first', async () => {
    const { id } = await bench.profile()
    const slug = freshName()
    const insert = () =>
      bench.overlap(
        (tx) => tx.categories.insert(newCategory(id, { slug })),
        [(tx) => tx.categories.insert(newCategory(id, { slug }))],
      )
    const { first, others } = await insert()
    assert.ok(first)
    assert.deepEqual(others, [undefined])
  })

  it('changes only the given fields', async () => {
    const profile = await bench.profile()
    const [made, parent] = [await bench.category(profile), await bench.category(profile)]
    const changes = {
      parentId: parent.id,
      name: ODD_TEXT,
      slug: freshName(),
      description: null,
      icon: null,
      visibility: 'private',
      position: 9,
    } as const
    let expected = { ...made, updatedAt }
    for (const [name, value] of Object.entries(changes)) {
      expected = { ...expected, [name]: value }
      assert.deepEqual(await bench.write((tx) => tx.categories.save(made.id, { [name]: value, updatedAt })), expected)
    }
    assert.deepEqual(await bench.read.categories.get(made.id), expected)
    const toTop = await bench.write((tx) => tx.categories.save(made.id, { parentId: null, updatedAt }))
    assert.deepEqual(toTop, { ...expected, parentId: null })
    assert.equal(await bench.write((tx) => tx.categories.save(Number.MAX_SAFE_INTEGER, { updatedAt })), undefined)
  })

  it('refuses to rename or move a category to a taken slug, and keeps the transaction usable', async () => {
    const profile = await bench.profile()
    const [top, other, parent] = [
      await bench.category(profile),
      await bench.category(profile),
      await bench.category(profile),
    ]
    const below = await bench.category(profile, { parentId: parent.id, slug: top.slug })
    await bench.write(async (tx) => {
      assert.equal(await tx.categories.save(other.id, { slug: top.slug, updatedAt }), undefined)
      assert.equal(await tx.categories.save(below.id, { parentId: null, updatedAt }), undefined)
      assert.equal(await tx.categories.save(top.id, { parentId: parent.id, updatedAt }), undefined)
      assert.ok(await tx.categories.save(other.id, { name: 'Renamed', updatedAt }))
      assert.ok(await tx.categories.save(top.id, { slug: top.slug, updatedAt }), 'its own slug is not taken')
    })
    assert.equal((await bench.read.categories.get(other.id))?.name, 'Renamed')
    assert.deepEqual(await bench.read.categories.get(below.id), below)
  })

  it('lists every category of a profile by position, then id', async () => {
    const profile = await bench.profile()
    assert.deepEqual(await bench.read.categories.list({ profileId: profile.id }), [])
    const made: Category[] = []
    for (const position of [5, 1, 1, -2, 1]) {
      made.push(await bench.category(profile, { position, parentId: made[0]?.id ?? null }))
    }
    await bench.category(await bench.profile())
    made.sort((left, right) => left.position - right.position || left.id - right.id)
    assert.deepEqual(await bench.read.categories.list({ profileId: profile.id }), made)
  })

  it('finds a category by its path of slugs', async () => {
    const [profile, otherProfile] = [await bench.profile(), await bench.profile()]
    const top = await bench.category(profile, { slug: 'notes' })
    const middle = await bench.category(profile, { slug: 'engines', parentId: top.id })
    const leaf = await bench.category(profile, { slug: 'notes', parentId: middle.id })
    await bench.category(otherProfile, { slug: 'notes' })

    const path = (...slugs: string[]) => bench.read.categories.get({ profileId: profile.id, slugs })
    assert.deepEqual(await path('notes', 'engines', 'notes'), leaf)
    assert.deepEqual(await path('notes', 'engines'), middle)
    assert.deepEqual(await path('notes'), top)
    for (const wrong of [
      [],
      ['a\0b'],
      ['engines'],
      ['notes', 'notes'],
      ['notes', 'engines', 'notes', 'notes'],
      ['notes', 'gone', 'notes'],
    ]) {
      assert.equal(await path(...wrong), undefined, wrong.join('/'))
    }
    assert.equal(
      await bench.read.categories.get({ profileId: otherProfile.id, slugs: ['notes', 'engines'] }),
      undefined,
    )
  })

  it('counts the direct pages of each category, in any status', async () => {
    const profile = await bench.profile()
    const top = await bench.category(profile)
    const below = await bench.category(profile, { parentId: top.id })
    const empty = await bench.category(profile)
    for (const status of ['draft', 'published', 'archived'] as const)
      await bench.page(profile, { status, categoryId: below.id })
    await bench.page(profile, { categoryId: top.id })
    await bench.page(profile)
    const counts = await bench.read.categories.countPages(profile.id)
    const of = (category: Category) => counts.get(category.id) ?? 0
    assert.deepEqual([of(top), of(below), of(empty)], [1, 3, 0])
    assert.equal(
      [...counts.values()].reduce((sum, count) => sum + count, 0),
      4,
    )
    const some = await bench.read.categories.countPages(profile.id, [below.id, empty.id])
    assert.deepEqual([...some], [[below.id, 3]])
    assert.equal((await bench.read.categories.countPages(profile.id, [])).size, 0)
  })

  it('reads the given categories with their ancestors, each once', async () => {
    const profile = await bench.profile()
    const top = await bench.category(profile)
    const middle = await bench.category(profile, { parentId: top.id })
    const [left, right] = [
      await bench.category(profile, { parentId: middle.id }),
      await bench.category(profile, { parentId: middle.id }),
    ]
    const alone = await bench.category(profile)
    const above = async (...asked: number[]) =>
      (await bench.read.categories.list({ withParents: asked })).toSorted((one, other) => one.id - other.id)
    assert.deepEqual(await above(left.id), [top, middle, left])
    assert.deepEqual(await above(right.id, left.id, middle.id), [top, middle, left, right])
    assert.deepEqual(await above(alone.id, Number.MAX_SAFE_INTEGER), [alone])
    assert.deepEqual(await above(), [])
  })
})

export const categoryVersionCases = casesFor(['pageVersions'], (it, bench) => {
  const ids = (categories: readonly Category[] | undefined) => categories?.map(({ id }) => id)

  it('deletes a category with everything below it, and keeps its siblings', async () => {
    const profile = await bench.profile()
    const top = await bench.category(profile)
    const below = await bench.category(profile, { parentId: top.id })
    const beside = await bench.category(profile)
    const [gone, deepGone] = [
      await bench.page(profile, { categoryId: top.id }),
      await bench.page(profile, { categoryId: below.id }),
    ]
    const kept = await bench.page(profile, { categoryId: beside.id })

    assert.equal(await bench.write((tx) => tx.categories.delete(top.id)), true)
    assert.equal(await bench.write((tx) => tx.categories.delete(top.id)), false)

    for (const { id } of [top, below]) assert.equal(await bench.read.categories.get(id), undefined)
    for (const { id } of [gone, deepGone]) {
      assert.equal(await bench.read.pages.get(id), undefined)
      assert.equal((await bench.read.pageVersions.list(id, { limit: 1 })).total, 0)
    }
    assert.deepEqual(ids(await bench.read.categories.list({ profileId: profile.id })), [beside.id])
    assert.deepEqual(await bench.read.pages.get(kept.id), kept)
    assert.ok(
      await bench.write((tx) => tx.pages.insert(newPage(profile.id, profile.ownerAccountId, { slug: gone.slug }))),
    )
  })
})
