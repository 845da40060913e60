import assert from 'node:assert/strict'
import type { OrderOutcome } from '../../ports/storage/content.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { type Bench, casesFor, type DeclareCases, present } from './bench.ts'

type Profile = Awaited<ReturnType<Bench['profile']>>
type Order = (
  ids: readonly number[],
  previousIds?: readonly number[],
) => (tx: Stores<'ordering'>) => Promise<OrderOutcome>

/** Creates five items in a place, and reads their order. */
interface Kind {
  readonly make: (profile: Profile, place: number | null) => Promise<{ readonly id: number }>
  readonly order: (profile: Profile, place: number | null) => Order
  readonly read: (profile: Profile, place: number | null) => Promise<readonly (readonly [number, number])[]>
}

const cases =
  (kindOf: (bench: Bench<'ordering'>) => Kind): DeclareCases<'ordering'> =>
  (it, bench) => {
    const kind = kindOf(bench)
    const filled = async (profile: Profile, place: number | null) => {
      const made: number[] = []
      for (let index = 0; index < 5; index++) made.push((await kind.make(profile, place)).id)
      return { ids: made, order: kind.order(profile, place), read: () => kind.read(profile, place) }
    }
    const numbered = (ids: readonly number[]) => ids.map((id, index) => [id, index])

    it('orders items by the given ids, at the top level and below, and changes no others', async () => {
      const profile = await bench.profile()
      const below = await bench.category(profile, { slug: 'a-place' })
      const beside = await filled(profile, (await bench.category(profile, { parentId: below.id })).id)
      const before = await beside.read()
      // At the top level the category created above is one of the items.
      const atTop = await filled(profile, null)
      for (const { ids, order, read } of [atTop, await filled(profile, below.id)]) {
        const all = (await read()).map(([id]) => id)
        const wanted = [...all.filter((id) => !ids.includes(id)), ...ids.toReversed()]
        assert.equal(await bench.write(order(wanted)), 'ordered')
        assert.deepEqual(await read(), numbered(wanted))
      }
      assert.deepEqual(await beside.read(), before)
    })

    it('keeps the order when an id is missing, foreign, repeated or unknown', async () => {
      const profile = await bench.profile()
      const place = await bench.category(profile)
      const { ids, order, read } = await filled(profile, place.id)
      const [first = 0, ...rest] = ids
      const [foreign = 0] = (await filled(await bench.profile(), null)).ids
      const [elsewhere = 0] = (await filled(profile, (await bench.category(profile)).id)).ids
      const before = await read()
      for (const wrong of [
        [],
        rest,
        [...rest, foreign],
        [...rest, elsewhere],
        [...ids, foreign],
        [...ids, first],
        [...rest, rest[0] ?? 0],
        [...rest, Number.MAX_SAFE_INTEGER],
      ]) {
        assert.equal(await bench.write(order(wrong)), 'invalid', wrong.join())
      }
      assert.deepEqual(await read(), before)
      assert.equal(await bench.write(kind.order(await bench.profile(), place.id)(ids)), 'invalid', 'of another profile')
    })

    it('applies the complete order of one of two concurrent editors', async () => {
      const profile = await bench.profile()
      const { ids, order, read } = await filled(profile, (await bench.category(profile)).id)
      const [forth, back] = [ids, ids.toReversed()]
      for (const end of ['commit', 'rollback'] as const) {
        const { others } = await bench.overlap(order(forth), [order(back)], end)
        assert.deepEqual(others, ['ordered'])
        assert.deepEqual(await read(), numbered(back), 'the later order applies completely')
      }
    })

    it('keeps the order of the first of two concurrent editors who both name the order before', async () => {
      const profile = await bench.profile()
      const place = await bench.category(profile)
      const { ids, order, read } = await filled(profile, place.id)
      const [one = 0, two = 0, ...rest] = ids
      const [swapped, back] = [[two, one, ...rest], ids.toReversed()]
      const overtaken = await bench.overlap(order(swapped, ids), [order(back, ids)])
      assert.deepEqual([overtaken.first, overtaken.others], ['ordered', ['moved']])
      assert.deepEqual(await read(), numbered(swapped))
      const undone = await bench.overlap(order(ids, swapped), [order(back, swapped)], 'rollback')
      assert.deepEqual(undone.others, ['ordered'])
      assert.deepEqual(await read(), numbered(back))
      await kind.make(profile, place.id)
      const now = (await read()).map(([id]) => id)
      assert.equal(await bench.write(order(ids, back)), 'moved', 'an item was added meanwhile')
      assert.equal(await bench.write(order(ids, now)), 'invalid')
      assert.equal(await bench.write(order(now.toReversed(), now)), 'ordered')
      assert.deepEqual(await read(), numbered(now.toReversed()))
    })
  }

export const categoryOrderCases = casesFor(
  ['ordering'],
  cases((bench) => ({
    make: (profile, parentId) => bench.category(profile, { parentId }),
    order: (profile, parentId) => (ids, previousIds) => (tx) =>
      tx.ordering.reorderCategories({ profileId: profile.id, parentId }, ids, previousIds),
    read: async (profile, parentId) =>
      (await bench.read.categories.list({ profileId: profile.id }))
        .filter((category) => category.parentId === parentId)
        .map(({ id, position }) => [id, position] as const),
  })),
)

export const pageOrderCases = casesFor(['ordering'], (it, bench) => {
  const read = async (profileId: number, categoryId: number | null) =>
    (await bench.read.pages.listOutline(profileId, { limit: 100, categoryIds: [categoryId] })).items
  cases(() => ({
    make: (profile, categoryId) => bench.page(profile, { categoryId }),
    order: (profile, categoryId) => (ids, previousIds) => (tx) =>
      tx.ordering.reorderPages({ profileId: profile.id, categoryId }, ids, previousIds),
    read: async (profile, categoryId) =>
      (await read(profile.id, categoryId)).map(({ id, position }) => [id, position] as const),
  }))(it, bench)

  it('adds no version when pages are ordered', async () => {
    const profile = await bench.profile()
    const pages = [await bench.page(profile, { position: 7 }), await bench.page(profile, { position: 3 })]
    const ids = pages.map(({ id }) => id)
    assert.equal(
      await bench.write((tx) => tx.ordering.reorderPages({ profileId: profile.id, categoryId: null }, ids)),
      'ordered',
    )
    assert.equal((await bench.page(profile, { position: null })).position, 2)
    const [page] = pages
    assert.deepEqual(await bench.read.pages.get(present(page).id), { ...page, position: 0 })
  })
})
