import assert from 'node:assert/strict'
import { accountHolder } from '../../kernel/wallet.ts'
import type { Visibility } from '../../ports/storage/profiles.ts'
import { newGrant } from '../records.ts'
import { casesFor, present } from './bench.ts'
import { feedBench } from './feed-bench.ts'
import { gateConfig } from './gate-config.ts'

const MANY = 1_000_000

export const searchSourceCases = casesFor(['searchSources', 'feed', 'files'], (it, bench) => {
  it('lists only items that are visible in listings, with the gate of their profile', async () => {
    const ids: { profile: number[]; page: number[] } = { profile: [], page: [] }
    const listed: string[] = []
    for (const visibility of ['public', 'unlisted', 'private', 'public', 'public'] satisfies Visibility[]) {
      const profile = await bench.profile({ visibility })
      const isWithdrawn = ids.profile.length === 3
      const isBanned = ids.profile.length === 4
      ids.profile.push(profile.id)
      const open = await bench.category(profile, { visibility: 'public', slug: 'open' })
      const shut = await bench.category(profile, { visibility: 'private', slug: 'shut', parentId: open.id })
      const below = await bench.category(profile, { visibility: 'public', slug: 'below', parentId: shut.id })
      const isListed = visibility === 'public' && !isWithdrawn && !isBanned
      if (isListed) listed.push(`profile ${profile.id}`)
      for (const categoryId of [null, open.id, shut.id, below.id]) {
        for (const status of ['published', 'draft', 'archived'] as const) {
          const page = await bench.page(profile, { categoryId, status, slug: status })
          ids.page.push(page.id)
          const isShown = status === 'published' && (categoryId === null || categoryId === open.id)
          if (isListed && isShown) listed.push(`page ${page.id} ${categoryId === null ? '' : 'open/'}published`)
        }
      }
      await bench.write(async (tx) => {
        if (isWithdrawn) await tx.profiles.withdrawOfAccount(profile.ownerAccountId, new Date())
        if (isBanned) await tx.accounts.save(profile.ownerAccountId, { bannedAt: new Date() })
      })
    }
    const [first = 0] = ids.profile
    const config = gateConfig()
    const { ownerAccountId: changedBy } = present(await bench.read.profiles.get(first))
    await bench.write((tx) => tx.gates.put({ profileId: first, config, changedBy, updatedAt: new Date() }))
    const sources = await bench.read.searchSources.listListed({ ...ids, file: [], post: undefined }, MANY)
    const found = sources.map(({ kind, id, slugs }) => [kind, id, slugs?.join('/')].filter(Boolean).join(' '))
    assert.deepEqual(found.toSorted(), listed.toSorted())
    for (const { gates, profile } of sources) {
      assert.deepEqual(gates, config)
      assert.deepEqual(profile, await bench.read.profiles.get(first))
    }
    assert.deepEqual(await bench.read.searchSources.listListed({}, MANY), [])
  })

  it('reads the given number of characters of a page', async () => {
    const profile = await bench.profile()
    const page = await bench.page(profile, { title: 'Notes', excerpt: 'Some', body: 'ä body of a page' })
    const [whole] = await bench.read.searchSources.listListed({ page: [page.id] }, MANY)
    assert.deepEqual(whole, {
      kind: 'page',
      id: page.id,
      profile,
      trustLevel: 'low',
      profileHasContent: true,
      ownerIsVerified: false,
      gates: null,
      slugs: [page.slug],
      title: 'Notes',
      excerpt: 'Some',
      body: 'ä body of a page',
      encoding: null,
      updatedAt: page.updatedAt,
    })
    const [part] = await bench.read.searchSources.listListed({ page: [page.id] }, 6)
    assert.equal(part?.body, 'ä body')
  })

  it('states whether a profile has a bio, a published page, or a post that is not hidden', async () => {
    const stateOf = async ({ id }: { readonly id: number }) =>
      (await bench.read.searchSources.listListed({ profile: [id] }, 0))[0]?.profileHasContent
    const blank = await bench.profile({ bio: null })
    assert.equal(await stateOf(blank), false)
    assert.equal(await stateOf(await bench.profile({ bio: 'Writes' })), true)
    const writer = await bench.profile({ bio: null })
    await bench.page(writer, { status: 'draft' })
    assert.equal(await stateOf(writer), false)
    await bench.page(writer, { status: 'published' })
    assert.equal(await stateOf(writer), true)
    const poster = await bench.profile({ bio: null })
    const post = await feedBench(bench).post(poster)
    assert.equal(await stateOf(poster), true)
    await bench.write((tx) => tx.feed.setHidden(post, new Date()))
    assert.equal(await stateOf(poster), false)
  })

  it('lists posts that are not hidden', async () => {
    const profile = await bench.profile()
    const insert = (body: string) =>
      bench.write(async (tx) => {
        const inserted = await tx.feed.insert({
          profileId: profile.id,
          accountId: profile.ownerAccountId,
          body,
          hashtags: [],
          mentions: [],
          replyTo: null,
          attachments: [],
          createdAt: new Date(),
        })
        assert.equal(inserted.outcome, 'inserted')
        return inserted.outcome === 'inserted' ? inserted.id : 0
      })
    const [shown, hidden] = [await insert('One update'), await insert('Another update')]
    await bench.write((tx) => tx.feed.setHidden(hidden, new Date()))
    const found = await bench.read.searchSources.listListed({ post: [shown, hidden] }, MANY)
    assert.deepEqual(
      found.map(({ kind, id, body }) => ({ kind, id, body })),
      [{ kind: 'post', id: shown, body: 'One update' }],
    )
  })

  it('lists ids in order, of one profile or of all', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const ids: number[] = []
    for (const each of [profile, other, profile]) ids.push((await bench.page(each)).id)
    const [first = 0, second = 0, third = 0] = ids
    const { searchSources } = bench.read
    const own = { after: 0, limit: 10, profileId: profile.id }
    assert.deepEqual(await searchSources.listIds('page', own), [first, third])
    assert.deepEqual(await searchSources.listIds('page', { ...own, after: first }), [third])
    assert.deepEqual(await searchSources.listIds('page', { ...own, limit: 1 }), [first])
    assert.deepEqual(await searchSources.listIds('page', { after: first, limit: 1 }), [second])
    assert.deepEqual(await searchSources.listIds('profile', own), [profile.id])
    for (const kind of ['post', 'file'] as const) assert.deepEqual(await searchSources.listIds(kind, own), [])
  })

  it('lists the profiles whose restricted content an account may read', async () => {
    const [own, bought, over] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const holder = accountHolder(own.ownerAccountId)
    await bench.write(async (tx) => {
      await tx.entitlements.grant(newGrant(bought.id, holder))
      await tx.entitlements.grant(newGrant(over.id, { ...holder, validUntil: new Date(Date.now() - 1_000) }))
    })
    const { searchSources } = bench.read
    const readable = await searchSources.listReadable(own.ownerAccountId, [holder], 10)
    assert.deepEqual(readable, [own.id, bought.id])
    assert.deepEqual(await searchSources.listReadable(own.ownerAccountId, [], 10), [own.id])
    assert.deepEqual(await searchSources.listReadable(own.ownerAccountId, [holder], 1), [own.id])
    assert.deepEqual(await searchSources.listReadable('no uuid', [holder], 10), [])
  })

  it('lists the newest pages and files of profiles with gates', async () => {
    const [guarded, open] = [await bench.profile(), await bench.profile()]
    const pages = [
      await bench.page(guarded, { status: 'published' }),
      await bench.page(guarded, { status: 'published' }),
    ]
    await bench.page(guarded, { status: 'draft' })
    await bench.page(open, { status: 'published' })
    await bench.write((tx) =>
      tx.gates.put({
        profileId: guarded.id,
        config: gateConfig(),
        changedBy: guarded.ownerAccountId,
        updatedAt: new Date(),
      }),
    )
    const { searchSources } = bench.read
    const newest = pages.map(({ id }) => id).reverse()
    const list = (ids: readonly number[], limit: number, page = Number.MAX_SAFE_INTEGER) =>
      searchSources.listGuarded(ids, { limit, before: { page, file: page } })
    assert.deepEqual(await list([guarded.id, open.id], 10), { page: newest, file: [] })
    assert.deepEqual(await list([guarded.id], 1), { page: newest.slice(0, 1), file: [] })
    assert.deepEqual(await list([guarded.id], 10, newest[0]), { page: newest.slice(1), file: [] })
    assert.deepEqual(await list([guarded.id], 10, newest[1]), { page: [], file: [] })
    assert.deepEqual(await list([], 10), { page: [], file: [] })
  })
})

export const searchSourceTrustCases = casesFor(['searchSources', 'trustLevels'], (it, bench) => {
  it('lists items with the trust level that was last observed of their profile', async () => {
    const profile = await bench.profile({ visibility: 'public' })
    const put = (level: 'basic' | 'high') =>
      bench.write((tx) => tx.trustLevels.put({ profileId: profile.id, level, recheckAt: null }))
    const levels = async () =>
      (await bench.read.searchSources.listListed({ profile: [profile.id] }, 0)).map(({ trustLevel }) => trustLevel)
    assert.deepEqual(await levels(), ['low'])
    await put('basic')
    await put('high')
    assert.deepEqual(await levels(), ['high'])
  })
})
