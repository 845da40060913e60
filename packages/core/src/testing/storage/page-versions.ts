import assert from 'node:assert/strict'
import type { PageVersion, PageVersionOutline } from '../../ports/storage/content.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName } from '../records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

const updatedAt = new Date('2026-06-06T06:06:06.006Z')

export const pageVersionCases = casesFor([], (it, bench) => {
  it('changes only the given fields, and creates a version for each save', async () => {
    const profile = await bench.profile()
    const { id: savedBy } = await bench.account()
    const made = await bench.page(profile)
    const category = await bench.category(profile)
    const changes = {
      categoryId: category.id,
      title: ODD_TEXT,
      slug: freshName(),
      body: ODD_TEXT,
      excerpt: null,
      status: 'archived',
      position: 4,
      publishedAt: null,
    } as const
    let expected = { ...made, updatedAt }
    for (const [name, value] of Object.entries(changes)) {
      expected = { ...expected, version: expected.version + 1, [name]: value }
      if (name === 'body') expected = { ...expected, bodyBytes: Buffer.byteLength(ODD_TEXT) }
      assert.deepEqual(
        await bench.write((tx) => tx.pages.save(made.id, { [name]: value, updatedAt, savedBy })),
        expected,
      )
    }
    assert.deepEqual(await bench.read.pages.get(made.id), expected)
    const again = await bench.write((tx) => tx.pages.save(made.id, { categoryId: null, updatedAt, savedBy }))
    assert.deepEqual(again, { ...expected, categoryId: null, version: expected.version + 1 })
    assert.equal(await bench.write((tx) => tx.pages.save(Number.MAX_SAFE_INTEGER, { updatedAt, savedBy })), undefined)
  })
})

export const keptVersionCases = casesFor(['pageVersions'], (it, bench) => {
  it('lists each version of a page once, newest first, also while one is added', async () => {
    const profile = await bench.profile()
    const { id: savedBy } = await bench.account()
    const page = await bench.page(profile, { body: 'body 1' })
    const { id: pageId, title, body, excerpt, status, createdAt } = page
    const wanted: PageVersion[] = [
      { pageId, version: 1, title, body, excerpt, status, createdAt, createdBy: profile.ownerAccountId, through: null },
    ]
    for (let version = 2; version <= 5; version++) {
      const at = new Date(updatedAt.getTime() + version)
      const change = { title: ODD_TEXT, body: `body ${version}`, excerpt: null, status: 'draft' } as const
      await bench.write((tx) => tx.pages.save(pageId, { ...change, updatedAt: at, savedBy }))
      wanted.unshift({ pageId, version, ...change, createdAt: at, createdBy: savedBy, through: null })
    }
    const list = bench.read.pageVersions.list.bind(bench.read.pages, page.id)
    const outlines = wanted.map(({ body: _, ...outline }): PageVersionOutline => outline)
    assert.deepEqual((await list({ limit: 50 })).items, outlines)
    assert.equal((await list({ limit: 2 })).total, 5)
    const read = await readAll(list, 2, () =>
      bench.write((tx) => tx.pages.save(page.id, { title: 'Meanwhile', updatedAt, savedBy })),
    )
    assert.deepEqual(read, outlines)
    for (const version of wanted) {
      assert.deepEqual(await bench.read.pageVersions.get(pageId, version.version), version)
    }
    for (const none of [0, 99]) assert.equal(await bench.read.pageVersions.get(pageId, none), undefined)
    assert.equal(await bench.read.pageVersions.get(Number.MAX_SAFE_INTEGER, 1), undefined)
    await checkCursors(list)
  })

  it('refuses to rename or move a page to a taken slug, and keeps the transaction usable', async () => {
    const profile = await bench.profile()
    const save = { updatedAt, savedBy: profile.ownerAccountId }
    const category = await bench.category(profile)
    const [top, other] = [await bench.page(profile), await bench.page(profile)]
    const below = await bench.page(profile, { categoryId: category.id, slug: top.slug })
    await bench.write(async (tx) => {
      assert.equal(await tx.pages.save(other.id, { slug: top.slug, ...save }), undefined)
      assert.equal(await tx.pages.save(below.id, { categoryId: null, ...save }), undefined)
      assert.equal(await tx.pages.save(top.id, { categoryId: category.id, ...save }), undefined)
      assert.ok(await tx.pages.save(other.id, { title: 'Renamed', ...save }))
      assert.ok(await tx.pages.save(top.id, { slug: top.slug, ...save }), 'its own slug is not taken')
    })
    const renamed = present(await bench.read.pages.get(other.id))
    assert.deepEqual([renamed.title, renamed.version], ['Renamed', 2], 'a failed save adds no version')
    assert.deepEqual(await bench.read.pages.get(below.id), below)
    assert.equal((await bench.read.pageVersions.list(below.id, { limit: 5 })).total, 1)
  })

  it('loses none of many concurrent saves', async () => {
    const profile = await bench.profile()
    const { id } = await bench.page(profile)
    const save = { updatedAt, savedBy: profile.ownerAccountId }
    const saving = ['a', 'b', 'c', 'd'].map((title) => (tx: Stores) => tx.pages.save(id, { title, ...save }))
    const { first, others } = await bench.overlap((tx) => tx.pages.save(id, { title: 'first', ...save }), saving)
    assert.equal(first?.version, 2)
    assert.deepEqual(others.map((page) => page?.version).sort(), [3, 4, 5, 6])
    const { items } = await bench.read.pageVersions.list(id, { limit: 10 })
    assert.deepEqual(
      items.map(({ version }) => version),
      [6, 5, 4, 3, 2, 1],
    )
  })

  it('replaces the newest version on the next save by its author until its interval ends', async () => {
    const profile = await bench.profile()
    const [ada, bob] = [profile.ownerAccountId, (await bench.account()).id]
    const page = await bench.page(profile, { body: '0' })
    const at = (minute: number) => new Date(Date.UTC(2026, 5, 6, 6, minute))
    const save = (body: string, minute: number, savedBy: string, replaces = true) =>
      bench.write((tx) =>
        tx.pages.save(page.id, {
          body,
          savedBy,
          updatedAt: at(minute),
          versioning: { replaces, replaceableUntil: replaces ? at(minute + 5) : null, kept: 100 },
        }),
      )
    const kept = async () => {
      const { items } = await bench.read.pageVersions.list(page.id, { limit: 50 })
      return items.map(({ version }) => version)
    }
    await save('a', 0, ada)
    assert.deepEqual(await kept(), [2, 1], 'the first version is never replaced')
    assert.equal((await save('b', 4, ada))?.version, 3)
    assert.deepEqual(await kept(), [3, 1])
    assert.equal((await bench.read.pageVersions.get(page.id, 3))?.body, 'b')
    assert.equal(await bench.read.pageVersions.get(page.id, 2), undefined)
    await save('c', 5, ada)
    assert.deepEqual(await kept(), [4, 3, 1], 'the period counts from the first of the saves')
    await save('d', 6, bob)
    assert.deepEqual(await kept(), [5, 4, 3, 1], 'saves of other authors are separate versions')
    await save('e', 7, bob, false)
    await save('f', 8, bob)
    assert.deepEqual(await kept(), [7, 6, 5, 4, 3, 1], 'a version without such a period is kept')
    const before = await bench.read.pageVersions.getBefore(page.id, 3)
    assert.deepEqual([before?.version, before?.body], [1, '0'])
    assert.equal(await bench.read.pageVersions.getBefore(page.id, 1), undefined)
  })

  it('keeps the given number of newest versions, and at least one', async () => {
    const profile = await bench.profile()
    const page = await bench.page(profile)
    const save = (kept: number) =>
      bench.write((tx) =>
        tx.pages.save(page.id, {
          updatedAt,
          savedBy: profile.ownerAccountId,
          versioning: { replaces: false, replaceableUntil: null, kept },
        }),
      )
    const versions = async () => {
      const { items } = await bench.read.pageVersions.list(page.id, { limit: 50 })
      return items.map(({ version }) => version)
    }
    for (let count = 0; count < 3; count++) await save(3)
    assert.deepEqual(await versions(), [4, 3, 2])
    await save(0)
    assert.deepEqual(await versions(), [5])
    assert.equal((await bench.read.pages.get(page.id))?.version, 5)
  })

  it('removes the oldest automatic versions before those that a person saved, and never the current one', async () => {
    const profile = await bench.profile()
    const page = await bench.page(profile)
    const save = (isAutomatic: boolean) =>
      bench.write((tx) =>
        tx.pages.save(page.id, {
          updatedAt,
          savedBy: profile.ownerAccountId,
          versioning: { replaces: false, replaceableUntil: isAutomatic ? updatedAt : null, kept: 4 },
        }),
      )
    const versions = async () => {
      const { items } = await bench.read.pageVersions.list(page.id, { limit: 50 })
      return items.map(({ version }) => version)
    }
    for (const isAutomatic of [true, true, true, false]) await save(isAutomatic)
    assert.deepEqual(await versions(), [5, 4, 3, 1])
    for (const isAutomatic of [false, true]) await save(isAutomatic)
    assert.deepEqual(await versions(), [7, 6, 5, 1])
    for (const isAutomatic of [false, false]) await save(isAutomatic)
    assert.deepEqual(await versions(), [9, 8, 6, 5])
    await save(true)
    assert.deepEqual(await versions(), [10, 9, 8, 6], 'the current version is kept although it is automatic')
    await save(true)
    assert.deepEqual(await versions(), [11, 9, 8, 6])
  })
})

export const restoredVersionCases = casesFor(['pageVersions'], (it, bench) => {
  it('adds versions to a restored page', async () => {
    const { id: profileId, ownerAccountId: createdBy, createdAt } = await bench.profile()
    const versions = Array.from({ length: 5 }, (_, index) => ({
      version: index + 1,
      title: ODD_TEXT,
      body: `body ${index}`,
      excerpt: null,
      status: 'draft' as const,
      createdAt,
    }))
    const page = present(
      await bench.write((tx) =>
        tx.pageVersions.restore({
          profileId,
          categoryId: null,
          title: ODD_TEXT,
          slug: freshName(),
          body: 'body 4',
          excerpt: null,
          status: 'draft',
          version: 5,
          position: 0,
          createdAt,
          updatedAt,
          publishedAt: null,
          coverFileId: null,
          createdBy,
          versions: versions.slice(0, 2),
        }),
      ),
    )
    await bench.write((tx) => tx.pageVersions.addRestored(page.id, createdBy, versions.slice(2)))
    const found = await bench.read.pageVersions.list(page.id, { limit: 9 })
    assert.deepEqual(
      found.items.map(({ version }) => version),
      [5, 4, 3, 2, 1],
    )
    assert.deepEqual(await bench.read.pageVersions.get(page.id, 4), {
      ...versions[3],
      pageId: page.id,
      createdBy,
      through: null,
    })
  })
})
