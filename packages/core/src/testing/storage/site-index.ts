import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isVisible } from '../../model/visibility.ts'
import { categoryTree } from '../../modules/publishing/content/category-tree.ts'
import type { Category, ContentPage, NewCategory } from '../../ports/storage/content.ts'
import type { Profile, Visibility } from '../../ports/storage/profiles.ts'
import { newAccount, newCategory, newPage, newProfile } from '../records.ts'
import { type Bench, casesFor, present } from './bench.ts'
import { gateConfig } from './gate-config.ts'

const SIZE = 100

const ids = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id)

/** Profiles of every visibility, one of them withdrawn, each with pages of every status in categories of both kinds. */
async function town(bench: Bench<'siteIndex'>) {
  const profiles: Profile[] = []
  const categories: Category[] = []
  const pages: ContentPage[] = []
  await bench.write(async (tx) => {
    for (const visibility of ['public', 'unlisted', 'private', 'public', 'public'] satisfies Visibility[]) {
      const { id: ownerAccountId } = present(await tx.accounts.insert(newAccount()))
      const profile = present(await tx.profiles.insert(newProfile(ownerAccountId, { visibility })))
      profiles.push(profile)
      const category = async (changes: Partial<NewCategory>) =>
        present(await tx.categories.insert(newCategory(profile.id, changes)))
      const open = await category({ visibility: 'public', slug: 'open' })
      const shut = await category({ visibility: 'private', slug: 'shut', parentId: open.id })
      const below = await category({ visibility: 'public', slug: 'below', parentId: shut.id })
      const deep = await category({ visibility: 'public', slug: 'deep', parentId: open.id })
      categories.push(open, shut, below, deep)
      for (const categoryId of [null, open.id, shut.id, below.id, deep.id]) {
        for (const status of ['published', 'draft', 'archived'] as const) {
          const body = `The body of a ${status} page, with an ä`
          const page = newPage(profile.id, ownerAccountId, { categoryId, status, body })
          pages.push(present(await tx.pages.insert(page)))
        }
      }
    }
  })
  const last = profiles.at(-1)
  assert.ok(last)
  await bench.write((tx) => tx.profiles.withdrawOfAccount(last.ownerAccountId, new Date()))
  const all = await Promise.all(profiles.map(async ({ id }) => (await bench.read.profiles.get(id)) as Profile))
  const listed = all.filter((profile) => isVisible(profile, 'lists'))
  const tree = categoryTree(categories)
  const shown = pages.filter(
    ({ profileId, categoryId, status }) =>
      status === 'published' && tree.isPublic(categoryId) && listed.some(({ id }) => id === profileId),
  )
  return { all, listed, pages, shown, tree }
}

export const siteIndexCases = casesFor(['siteIndex'], (it, bench) => {
  it('lists only profiles that are visible in listings', async () => {
    const { all, listed } = await town(bench)
    assert.equal(listed.length, 2)
    const after = Math.min(...ids(all)) - 1
    const of = new Set(ids(all))
    const found = (await bench.read.siteIndex.listProfiles({ after, limit: 1_000 })).filter(({ id }) => of.has(id))
    assert.deepEqual(
      found,
      listed.map((profile) => ({
        id: profile.id,
        type: profile.type,
        username: profile.username,
        fullName: profile.fullName,
        bio: profile.bio,
        skills: profile.skills,
        typeData: profile.typeData,
        agentInstructions: profile.agentInstructions,
        agentRules: profile.agentRules,
        avatarUrl: profile.avatarUrl,
        updatedAt: profile.updatedAt,
        gates: null,
      })),
    )
  })

  it('lists a profile once it has a bio that is not blank, a published page, or a post', async () => {
    const blank = await bench.profile({ bio: null })
    const spaces = await bench.profile({ bio: ' \n' })
    const drafter = await bench.profile({ bio: null })
    const writer = await bench.profile({ bio: null })
    const biographer = await bench.profile({ bio: 'Writes lives' })
    await bench.page(drafter, { status: 'draft' })
    await bench.page(writer, { status: 'published' })
    const all = [blank, spaces, drafter, writer, biographer]
    const listed = async () => {
      const after = Math.min(...ids(all)) - 1
      const parts = [...new Set(ids(all).map((id) => Math.floor(id / SIZE)))]
      const lists = [
        await bench.read.siteIndex.listProfiles({ after, limit: 1_000 }),
        (await bench.read.siteIndex.listNewest({ limit: 1_000 })).toSorted((left, right) => left.id - right.id),
        (
          await Promise.all(parts.map((part) => bench.read.siteIndex.listAddresses('profiles', { part, size: SIZE })))
        ).flat(),
      ]
      return lists.map((list) => ids(list).filter((id) => ids(all).includes(id)))
    }
    const expected = ids([writer, biographer])
    assert.deepEqual(await listed(), [expected, expected, expected])
    const lone = await bench.read.siteIndex.listParts('profiles', 1)
    const shown = lone.map(({ part }) => part)
    assert.deepEqual(
      ids(all).filter((id) => shown.includes(id)),
      expected,
    )
    await bench.page(blank, { status: 'published' })
    const more = ids([blank, writer, biographer])
    assert.deepEqual(await listed(), [more, more, more])
  })

  it('lists only profiles and pages of owners with a verified email address if that is asked for', async () => {
    const [stranger, owner] = [await bench.profile(), await bench.profile()]
    await bench.write((tx) => tx.accounts.save(owner.ownerAccountId, { emailVerified: true }))
    const pages = [
      await bench.page(stranger, { status: 'published' }),
      await bench.page(owner, { status: 'published' }),
    ]
    const read = bench.read.siteIndex
    const after = Math.min(stranger.id, owner.id) - 1
    const of = (wanted: readonly number[], found: readonly { readonly id: number }[]) =>
      ids(found).filter((id) => wanted.includes(id))
    const both = [stranger.id, owner.id]
    const listed = async (verifiedOnly: boolean) => [
      of(both, await read.listProfiles({ after, limit: 1_000, verifiedOnly })),
      of(both, await read.listNewest({ limit: 1_000, verifiedOnly })).toSorted((left, right) => left - right),
      of(
        both,
        (await Promise.all(both.map((part) => read.listAddresses('profiles', { part, size: 1, verifiedOnly })))).flat(),
      ),
      of(
        both,
        (await read.listParts('profiles', 1, verifiedOnly)).map(({ part }) => ({ id: part })),
      ),
    ]
    assert.deepEqual(await listed(false), [both, both, both, both])
    assert.deepEqual(await listed(true), [[owner.id], [owner.id], [owner.id], [owner.id]])
    const addresses = await Promise.all(
      ids(pages).map((part) => read.listAddresses('pages', { part, size: 1, verifiedOnly: true })),
    )
    assert.deepEqual(ids(addresses.flat()), ids(pages.slice(1)))
    const parts = (await read.listParts('pages', 1, true)).map(({ part }) => part)
    assert.deepEqual(
      ids(pages).filter((id) => parts.includes(id)),
      ids(pages.slice(1)),
    )
  })

  it('continues after a profile, and returns its gates', async () => {
    const { listed } = await town(bench)
    const [first, second] = listed
    assert.ok(first && second)
    await bench.write((tx) =>
      tx.gates.put({ profileId: second.id, config: gateConfig(), changedBy: randomUUID(), updatedAt: new Date() }),
    )
    const others = first.type === 'agent' ? 'person' : 'agent'
    const { listProfiles } = bench.read.siteIndex
    const ofType = async (type: typeof first.type) =>
      ids(await listProfiles({ after: first.id - 1, limit: 1_000, type }))
    assert.deepEqual(
      [(await ofType(first.type)).includes(first.id), (await ofType(others)).includes(first.id)],
      [true, false],
    )
    const found = await bench.read.siteIndex.listProfiles({ after: first.id, limit: 1 })
    assert.deepEqual(ids(found), [second.id])
    assert.deepEqual(found[0]?.gates, gateConfig())
    assert.deepEqual(await bench.read.siteIndex.listProfiles({ after: Number.MAX_SAFE_INTEGER, limit: 1 }), [])
  })

  it('lists the newest listed profiles first, with their gates', async () => {
    const { all, listed } = await town(bench)
    const [first] = listed
    assert.ok(first)
    await bench.write((tx) =>
      tx.gates.put({ profileId: first.id, config: gateConfig(), changedBy: randomUUID(), updatedAt: new Date() }),
    )
    const of = new Set(ids(all))
    const found = await bench.read.siteIndex.listNewest({ limit: 1_000 })
    assert.deepEqual(
      ids(found),
      ids(found).toSorted((left, right) => right - left),
    )
    const ours = found.filter(({ id }) => of.has(id))
    assert.deepEqual(ids(ours), ids(listed).toReversed())
    assert.deepEqual(
      ours.map(({ gates }) => gates),
      [null, gateConfig()],
    )
    assert.deepEqual(ids(await bench.read.siteIndex.listNewest({ limit: 1 })), ids(found.slice(0, 1)))
    await bench.write((tx) => tx.accounts.save(first.ownerAccountId, { bannedAt: new Date() }))
    const withoutBanned = await bench.read.siteIndex.listNewest({ limit: 1_000 })
    assert.deepEqual(
      ids(withoutBanned),
      ids(found).filter((id) => id !== first.id),
    )
  })

  it('lists the addresses of a part, only of pages below public categories', async () => {
    const { listed, shown, pages, tree } = await town(bench)
    const addressesOf = async (kind: 'profiles' | 'pages', of: readonly number[]) => {
      const parts = [...new Set(of.map((id) => Math.floor(id / SIZE)))]
      const found = await Promise.all(
        parts.map((part) => bench.read.siteIndex.listAddresses(kind, { part, size: SIZE })),
      )
      for (const [index, part] of parts.entries()) {
        for (const { id } of found[index] ?? []) assert.equal(Math.floor(id / SIZE), part)
      }
      return found.flat()
    }
    const idsOf = (items: readonly { readonly id: number }[]) => new Set(ids(items))

    const profiles = await addressesOf('profiles', ids(listed))
    const ours = idsOf(listed)
    assert.deepEqual(
      profiles.filter(({ id }) => ours.has(id)),
      listed.map(({ id, type, username, updatedAt }) => ({ id, type, username, slugs: null, updatedAt })),
    )

    const addresses = await addressesOf('pages', ids(shown))
    const wanted = idsOf(shown)
    assert.deepEqual(
      addresses.filter(({ id }) => wanted.has(id)),
      shown.map(({ id, profileId, categoryId, slug, updatedAt }) => {
        const profile = listed.find((one) => one.id === profileId)
        return {
          id,
          type: profile?.type,
          username: profile?.username,
          slugs: [...tree.lineTo(categoryId).map((category) => category.slug), slug],
          updatedAt,
        }
      }),
    )
    const hidden = pages.filter(({ status }) => status !== 'published')
    const known = new Set(ids(await addressesOf('pages', ids(pages))))
    assert.deepEqual(
      hidden.filter(({ id }) => known.has(id)),
      [],
    )
  })

  it('lists the parts that have addresses, with the time of their last change', async () => {
    const { all, pages } = await town(bench)
    // So few that some parts have only what is hidden.
    const size = 4
    for (const [kind, of] of [
      ['profiles', ids(all)],
      ['pages', ids(pages)],
    ] as const) {
      const listed = await bench.read.siteIndex.listParts(kind, size)
      const numbers = listed.map(({ part }) => part)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((left, right) => left - right),
      )
      const times = new Map(listed.map(({ part, updatedAt }) => [part, updatedAt]))
      const ours = [...new Set(of.map((id) => Math.floor(id / size)))]
      for (const part of ours) {
        const addresses = await bench.read.siteIndex.listAddresses(kind, { part, size })
        const latest =
          addresses.length === 0 ? undefined : new Date(Math.max(...addresses.map((one) => +one.updatedAt)))
        assert.deepEqual(times.get(part), latest, `part ${part} of ${kind}`)
      }
      assert.ok(ours.some((part) => times.has(part)))
      if (kind === 'pages') assert.ok(ours.some((part) => !times.has(part)))
    }
  })

  it('lists the first pages of many profiles, with their excerpts', async () => {
    const { all, listed, shown, pages, tree } = await town(bench)
    const order = (page: ContentPage) => [page.profileId, page.categoryId ?? 0, page.position, page.id]
    const sorted = shown.toSorted((left, right) => compare(order(left), order(right)))
    const found = await bench.read.siteIndex.listPages(ids(all), 100)
    assert.deepEqual(
      found,
      sorted.map(({ id, profileId, categoryId, slug, title, excerpt, body, updatedAt }) => ({
        id,
        profileId,
        slugs: [...tree.lineTo(categoryId).map((category) => category.slug), slug],
        title,
        excerpt,
        bodyBytes: Buffer.byteLength(body),
        updatedAt,
      })),
    )
    const two = await bench.read.siteIndex.listPages(ids(all), 2)
    assert.deepEqual(
      ids(two),
      ids([...Map.groupBy(sorted, ({ profileId }) => profileId).values()].flatMap((each) => each.slice(0, 2))),
    )
    assert.deepEqual(await bench.read.siteIndex.listPages([], 2), [])

    const [gated] = listed
    assert.ok(gated)
    await bench.write((tx) =>
      tx.gates.put({ profileId: gated.id, config: gateConfig(), changedBy: randomUUID(), updatedAt: new Date() }),
    )
    const bodies = await bench.read.siteIndex.listBodies(ids(pages), 8)
    assert.deepEqual(
      bodies,
      found
        .toSorted((left, right) => left.id - right.id)
        .map(({ id, slugs, profileId }) => ({
          id,
          slugs,
          gates: profileId === gated.id ? gateConfig() : null,
          body: 'The body',
        })),
    )
    assert.deepEqual(await bench.read.siteIndex.listBodies([], 8), [])
  })
})

function compare(left: readonly number[], right: readonly number[]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0
    if (value !== other) return value - other
  }
  return 0
}
