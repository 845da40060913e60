import assert from 'node:assert/strict'
import type { ReactionKind } from '../../ports/storage/reactions.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { type Bench, casesFor, present } from './bench.ts'

const at = new Date('2026-06-06T06:06:06.006Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const NONE = { counts: { like: 0, bookmark: 0 }, mine: { like: false, bookmark: false } }
const LIKED = { counts: { like: 1, bookmark: 0 }, mine: { like: true, bookmark: false } }

export const reactionCases = casesFor(['reactions'], (it, bench) => {
  const toggling =
    (pageId: number, accountId: string, kind: ReactionKind = 'like', when = at) =>
    (tx: Stores<'reactions'>) =>
      tx.reactions.toggle({ pageId, accountId, kind, at: when })

  it('toggles each kind of reaction separately', async () => {
    const profile = await bench.profile()
    const [page, other] = [await bench.page(profile), await bench.page(profile)]
    const [ada, bert] = [await bench.account(), await bench.account()]
    const { read } = bench
    assert.deepEqual(await read.reactions.getState(page.id, ada.id), NONE)
    assert.deepEqual(await bench.write(toggling(page.id, ada.id)), { present: true, isChanged: true, ...LIKED })
    assert.deepEqual(await read.reactions.getState(page.id, ada.id), LIKED)
    assert.deepEqual(await read.reactions.getState(page.id, bert.id), { ...NONE, counts: LIKED.counts })
    assert.deepEqual(await read.reactions.getState(page.id, undefined), { ...NONE, counts: LIKED.counts })

    await bench.write(toggling(page.id, bert.id, 'bookmark'))
    const both = await bench.write(toggling(page.id, bert.id))
    const twice = { counts: { like: 2, bookmark: 1 }, mine: { like: true, bookmark: true } }
    assert.deepEqual(both, { present: true, isChanged: true, ...twice })
    const removed = await bench.write(toggling(page.id, ada.id))
    assert.deepEqual(removed, { present: false, isChanged: true, ...NONE, counts: { like: 1, bookmark: 1 } })
    assert.deepEqual(await read.reactions.getState(other.id, bert.id), NONE)
  })

  it('reaches the wanted state once, however many callers want it', async () => {
    const page = await bench.page(await bench.profile())
    const { id } = await bench.account()
    const wanting = (wanted: boolean) => (tx: Stores<'reactions'>) =>
      tx.reactions.toggle({ pageId: page.id, accountId: id, kind: 'like', at, wanted })
    const [first, ...others] = Array.from({ length: 8 }, () => wanting(true))
    const all = await together(bench, first, others)
    assert.ok(all.every((state) => state.present && state.counts.like === 1))
    assert.equal(all.filter(({ isChanged }) => isChanged).length, 1)
    assert.deepEqual(await bench.write(wanting(false)), { present: false, isChanged: true, ...NONE })
    assert.deepEqual(await bench.write(wanting(false)), { present: false, isChanged: false, ...NONE })
  })

  it('stores no reaction to an unknown page or by an unknown account', async () => {
    const page = await bench.page(await bench.profile())
    const { id } = await bench.account()
    const unknownId = '00000000-0000-4000-8000-000000000000'
    assert.equal(await bench.write(toggling(Number.MAX_SAFE_INTEGER, id)), undefined)
    for (const accountId of [unknownId, 'no uuid']) {
      assert.equal(await bench.write(toggling(page.id, accountId)), undefined)
      assert.deepEqual(await bench.read.reactions.getState(page.id, accountId), NONE)
    }
    await bench.write(toggling(page.id, id))
    await bench.write((tx) => tx.pages.delete(page.id))
    assert.deepEqual(await bench.read.reactions.getState(page.id, id), NONE)
  })

  it('counts forty accounts that react concurrently', async () => {
    const page = await bench.page(await bench.profile())
    const accounts = await Promise.all(Array.from({ length: 40 }, () => bench.account()))
    const [first, ...others] = accounts.map(({ id }) => toggling(page.id, id))
    const all = await together(bench, first, others)
    assert.ok(all.every((state) => state.present && state.mine.like))
    assert.deepEqual(
      all.map(({ counts }) => counts.like).sort((left, right) => left - right),
      Array.from({ length: 40 }, (_, index) => index + 1),
      'no count is returned twice',
    )
    assert.equal((await bench.read.reactions.getState(page.id, undefined)).counts.like, 40)
  })

  it('serializes forty concurrent reactions of one account', async () => {
    const page = await bench.page(await bench.profile())
    const { id } = await bench.account()
    const [first, ...others] = Array.from({ length: 40 }, () => toggling(page.id, id, 'bookmark'))
    const all = await together(bench, first, others)
    assert.equal(all.filter((state) => state.present).length, 20)
    for (const state of all) {
      assert.deepEqual([state.counts.bookmark, state.mine.bookmark], state.present ? [1, true] : [0, false])
    }
    assert.deepEqual(await bench.read.reactions.getState(page.id, id), NONE)
  })

  it('removes no reaction in a failed transaction', async () => {
    const page = await bench.page(await bench.profile())
    const { id } = await bench.account()
    const { others } = await bench.overlap(toggling(page.id, id), [toggling(page.id, id)], 'rollback')
    assert.deepEqual(others, [{ present: true, isChanged: true, ...LIKED }])
  })

  it('deletes the reactions of a purged account, and corrects the counts', async () => {
    const pages = [await bench.page(await bench.profile()), await bench.page(await bench.profile())]
    const [leaving, staying] = [await bench.account(), await bench.account()]
    for (const page of pages) {
      await bench.write(toggling(page.id, leaving.id))
      await bench.write(toggling(page.id, staying.id))
    }
    const { others } = await bench.overlap(toggling(pages[0]?.id ?? 0, leaving.id, 'bookmark'), [
      (tx) => eraseAccount(tx, leaving.id),
    ])
    assert.deepEqual(others, [true])
    for (const { id } of pages) {
      assert.deepEqual((await bench.read.reactions.getState(id, staying.id)).counts, { like: 1, bookmark: 0 })
    }
  })

  it('lists the reactions of an account newest first, in pages', async () => {
    const profile = await bench.profile()
    const { id } = await bench.account()
    const pages = [await bench.page(profile), await bench.page(profile), await bench.page(profile)]
    for (const [index, page] of pages.entries()) await bench.write(toggling(page.id, id, 'like', later(index)))
    await bench.write(toggling(pages[0]?.id ?? 0, id, 'bookmark'))
    await bench.write(toggling(pages[0]?.id ?? 0, (await bench.account()).id))

    const list = (offset: number, limit: number, kind: ReactionKind = 'like') =>
      bench.read.reactions.listOfAccount(id, { kind, offset, limit, insiderOf: [] })
    const { body: _, ...outline } = present(pages[2])
    const { id: profileId, type, username } = profile
    assert.deepEqual(await list(0, 1), {
      items: [{ kind: 'like', createdAt: later(2), page: outline, profile: { id: profileId, type, username } }],
      total: 3,
    })
    const ids = async (offset: number, limit: number) => (await list(offset, limit)).items.map(({ page }) => page.id)
    assert.deepEqual(await ids(0, 9), pages.map((page) => page.id).reverse())
    assert.deepEqual(await ids(1, 1), [pages[1]?.id])
    assert.deepEqual(await list(9, 9), { items: [], total: 3 })
    assert.equal((await list(0, 9, 'bookmark')).total, 1)
    const none = { kind: 'like', offset: 0, limit: 5, insiderOf: [] } as const
    assert.deepEqual(await bench.read.reactions.listOfAccount('no uuid', none), { items: [], total: 0 })
  })

  it('continues the list after a reaction, whatever is removed before it', async () => {
    const profile = await bench.profile()
    const { id } = await bench.account()
    const pages = [
      await bench.page(profile),
      await bench.page(profile),
      await bench.page(profile),
      await bench.page(profile),
    ]
    const [oldest, ...same] = pages.map((page) => page.id)
    await bench.write(toggling(oldest ?? 0, id, 'like', later(0)))
    for (const pageId of same) await bench.write(toggling(pageId, id, 'like', later(1)))

    const list = (after?: { readonly createdAt: Date; readonly pageId: number }) =>
      bench.read.reactions.listOfAccount(id, { kind: 'like', after, limit: 2, insiderOf: [] })
    const first = await list()
    assert.deepEqual(
      first.items.map(({ page }) => page.id),
      [same[2], same[1]],
    )
    await bench.write(toggling(same[2] ?? 0, id))
    const rest = await list({ createdAt: later(1), pageId: same[1] ?? 0 })
    assert.deepEqual(
      rest.items.map(({ page }) => page.id),
      [same[0], oldest],
    )
    assert.deepEqual([first.total, rest.total], [4, 3])
    assert.deepEqual((await list({ createdAt: later(0), pageId: oldest ?? 0 })).items, [])
  })

  it('lists reactions to hidden pages only for accounts that may see them', async () => {
    const { id } = await bench.account()
    const owner = await bench.account()
    const profile = await bench.profile({ ownerAccountId: owner.id })
    const unlisted = await bench.profile({ visibility: 'unlisted' })
    const secret = await bench.profile({ visibility: 'private' })
    const hidden = await bench.category(profile, { visibility: 'private' })
    const below = await bench.category(profile, { parentId: hidden.id })
    const open = await bench.category(profile)
    const shown = [await bench.page(profile, { categoryId: open.id }), await bench.page(unlisted)]
    const inside = [
      await bench.page(profile, { status: 'draft' }),
      await bench.page(profile, { status: 'archived' }),
      await bench.page(profile, { categoryId: hidden.id }),
      await bench.page(profile, { categoryId: below.id }),
    ]
    const pages = [...shown, ...inside, await bench.page(secret)]
    for (const page of pages) await bench.write(toggling(page.id, id))

    const listed = async (insiderOf: readonly number[]) => {
      const { items, total } = await bench.read.reactions.listOfAccount(id, {
        kind: 'like',
        offset: 0,
        limit: 50,
        insiderOf,
      })
      assert.equal(total, items.length)
      return items.map(({ page }) => page.id).sort((left, right) => left - right)
    }
    assert.deepEqual(await listed([]), idsOf(shown))
    assert.deepEqual(await listed([profile.id]), idsOf([...shown, ...inside]))
    assert.deepEqual(await listed([profile.id, secret.id]), idsOf(pages))
    await bench.write((tx) => tx.profiles.withdrawOfAccount(owner.id, at))
    assert.deepEqual(await listed([profile.id]), idsOf([present(shown[1])]))
  })
})

const idsOf = (pages: readonly { readonly id: number }[]) =>
  pages.map(({ id }) => id).sort((left, right) => left - right)

/** The results of calls that are made before the first one has committed. */
async function together<Result>(
  bench: Bench<'reactions'>,
  first: ((tx: Stores<'reactions'>) => Promise<Result | undefined>) | undefined,
  others: readonly ((tx: Stores<'reactions'>) => Promise<Result | undefined>)[],
): Promise<readonly Result[]> {
  const done = await bench.overlap(present(first), others)
  return [done.first, ...done.others].map(present)
}
