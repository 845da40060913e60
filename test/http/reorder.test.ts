import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let app: TestApp
let ada: Writer
let bob: Writer

beforeAll(async () => {
  test = await createTestApp()
  app = test.app
  ada = await createWriter(app, 'ada')
  bob = await createWriter(app, 'bob')
})
afterAll(() => test.close())

const reorder = (writer: Writer, payload: Record<string, unknown>) => writer.post('/manage/reorder', payload)

const join = (profileId: number, accountId: string, role: 'editor' | 'viewer') =>
  test.storage.transaction((tx) => tx.members.put({ profileId, accountId, role, createdAt: new Date() }))

/** A writer with three pages and three categories at the top, and in the first of the categories. */
async function filled() {
  const writer = await createWriter(app)
  const { profileId } = writer
  const categories = [await writer.newCategory({ name: 'A' }), await writer.newCategory({ name: 'B' })]
  const place = categories[0]?.id ?? 0
  const ids = async (make: () => Promise<{ id: number }>) => [(await make()).id, (await make()).id, (await make()).id]
  const pagesOf = async (categoryId: number | 'top') => {
    const { data } = await writer.getJson(`/manage/pages?profile_id=${profileId}&category_id=${categoryId}`)
    return data.map(({ id }: { id: number }) => id)
  }
  const categoriesIn = async (parentId: number | null) => {
    const { data } = await writer.getJson(`/manage/categories?profile_id=${profileId}`)
    const inside = parentId === null ? data : data.find(({ id }: { id: number }) => id === parentId).children
    return inside.map(({ id }: { id: number }) => id)
  }
  return {
    writer,
    profileId,
    place,
    top: categories.map(({ id }) => id),
    atTop: await ids(() => writer.newPage()),
    inPlace: await ids(() => writer.newPage({ category_id: place })),
    below: await ids(() => writer.newCategory({ parent_id: place })),
    pagesOf,
    categoriesIn,
  }
}

describe('an order', () => {
  it('orders the pages of a category, or of the top level', async () => {
    const { writer, place, atTop, inPlace, pagesOf, profileId } = await filled()
    const [one, two, three] = inPlace
    const response = await reorder(writer, { kind: 'pages', parent_id: place, ids: [three, one, two] })
    expect([response.statusCode, response.json()]).toEqual([200, { success: true }])
    expect(await pagesOf(place)).toEqual([three, one, two])
    expect(await pagesOf('top')).toEqual(atTop)
    const top = { kind: 'pages', profile_id: profileId, parent_id: null, ids: atTop.toReversed() }
    expect((await reorder(writer, top)).statusCode).toBe(200)
    expect(await pagesOf('top')).toEqual(atTop.toReversed())
    // Without a place it is that of the first.
    expect((await reorder(writer, { kind: 'pages', ids: inPlace })).statusCode).toBe(200)
    expect(await pagesOf(place)).toEqual(inPlace)
  })

  it('orders the categories in a category, or at the top level', async () => {
    const { writer, place, top, below, categoriesIn, profileId } = await filled()
    const backwards = { kind: 'categories', profile_id: profileId, parent_id: place, ids: below.toReversed() }
    expect((await reorder(writer, backwards)).statusCode).toBe(200)
    expect(await categoriesIn(place)).toEqual(below.toReversed())
    expect((await reorder(writer, { kind: 'categories', ids: top.toReversed() })).statusCode).toBe(200)
    expect(await categoriesIn(null)).toEqual(top.toReversed())
  })

  it('shows a new order immediately, and creates no version', async () => {
    const { writer, atTop } = await filled()
    const titles = async () => {
      const { pages } = (await client(app).get(`${writer.contents}?format=json`)).json()
      return pages.map(({ id }: { id: number }) => id)
    }
    expect(await titles()).toEqual(atTop)
    await reorder(writer, { kind: 'pages', ids: atTop.toReversed() })
    expect(await titles()).toEqual(atTop.toReversed())
    expect(await writer.getJson(`/manage/pages/${atTop[0]}`)).toMatchObject({ version: 1, position: 2 })
    expect((await writer.newPage({ title: 'Last' })).id).toBe((await titles()).at(-1))
  })

  it('refuses an order with missing, foreign, repeated or unknown ids, and changes nothing', async () => {
    const { writer, place, atTop, inPlace, top, below, pagesOf, profileId } = await filled()
    const [one = 0, two = 0, three = 0] = inPlace
    const foreign = (await bob.newPage()).id
    const draft = (await bob.newPage({ status: 'draft' })).id
    for (const ids of [
      [one, two],
      [one, two, three, foreign],
      [one, two, foreign],
      [one, two, draft],
      [one, two, two],
      [one, two, three, three],
      [one, two, atTop[0]],
      [one, two, 999_999_999],
      [999_999_999],
      atTop,
    ]) {
      for (const more of [{ parent_id: place }, { parent_id: place, profile_id: profileId }]) {
        const refused = await reorder(writer, { kind: 'pages', ids, ...more })
        expect([ids, refused.statusCode, codeOf(refused)]).toEqual([ids, 400, 'invalid_order'])
      }
    }
    for (const ids of [[draft], [999_999_999], [one, foreign]]) {
      expect(codeOf(await reorder(writer, { kind: 'pages', ids }))).toBe('invalid_order')
    }
    expect(codeOf(await reorder(writer, { kind: 'pages', profile_id: profileId, ids: [foreign] }))).toMatch(
      /invalid_order|not_profile_owner/,
    )
    for (const ids of [[...below, ...top], below.slice(1), [...below.slice(1), 999_999_999]]) {
      expect(codeOf(await reorder(writer, { kind: 'categories', parent_id: place, ids }))).toBe('invalid_order')
    }
    expect(await pagesOf(place)).toEqual(inPlace)
    expect(await pagesOf('top')).toEqual(atTop)
  })

  it.each([
    { kind: 'files', ids: [1] },
    { kind: 'pages' },
    { kind: 'pages', ids: [] },
    { kind: 'pages', ids: ['1'] },
    { kind: 'pages', ids: [1.5] },
    { kind: 'pages', ids: Array.from({ length: 10_001 }, (_, index) => index + 1) },
    { ids: [1] },
    { kind: 'pages', ids: [1], parent_id: 'top' },
  ])('rejects an invalid order: %j', async (payload) => {
    const refused = await reorder(ada, payload)
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
  })

  it('lets only the team change the order', async () => {
    const { place, inPlace, profileId, pagesOf } = await filled()
    const ids = inPlace.toReversed()
    for (const more of [{}, { parent_id: place }, { profile_id: profileId, parent_id: place }]) {
      expect(codeOf(await reorder(bob, { kind: 'pages', ids, ...more }))).toBe('not_profile_owner')
    }
    expect(codeOf(await reorder(bob, { kind: 'pages', ids, profile_id: bob.profileId, parent_id: place }))).toBe(
      'unknown_category',
    )
    expect(codeOf(await reorder(bob, { kind: 'pages', ids, parent_id: 999_999_999 }))).toBe('category_not_found')
    expect(await pagesOf(place)).toEqual(inPlace)
  })

  it('applies the order of one of two concurrent editors', async () => {
    const { place, inPlace, pagesOf, profileId } = await filled()
    const editors = [await createWriter(app), await createWriter(app)]
    for (const { account } of editors) await join(profileId, account.id, 'editor')
    const orders = [inPlace, inPlace.toReversed()]
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        editors.map((editor, index) => reorder(editor, { kind: 'pages', parent_id: place, ids: orders[index] ?? [] })),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect(orders).toContainEqual(await pagesOf(place))
    }
  })

  it('keeps the order of the first of two editors who name the order that they have seen', async () => {
    const { writer, place, inPlace, pagesOf, categoriesIn, below } = await filled()
    const [one, two, three] = inPlace
    const order = (ids: readonly unknown[], previous_ids: readonly unknown[]) =>
      reorder(writer, { kind: 'pages', parent_id: place, ids, previous_ids })
    const both = await Promise.all([order([two, one, three], inPlace), order([three, two, one], inPlace)])
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
    const winner = both[0]?.statusCode === 200 ? [two, one, three] : [three, two, one]
    expect(await pagesOf(place)).toEqual(winner)
    const late = await order([one, three, two], inPlace)
    expect([late.statusCode, codeOf(late)]).toEqual([412, 'precondition_failed'])
    expect((await order(inPlace, winner)).statusCode).toBe(200)
    const categories = { kind: 'categories', parent_id: place, ids: below.toReversed() }
    expect((await reorder(writer, { ...categories, previous_ids: below.toReversed() })).statusCode).toBe(412)
    expect((await reorder(writer, { ...categories, previous_ids: below })).statusCode).toBe(200)
    expect(await categoriesIn(place)).toEqual(below.toReversed())
  })

  it('refuses viewers', async () => {
    const { place, inPlace, profileId } = await filled()
    const viewer = await createWriter(app)
    await join(profileId, viewer.account.id, 'viewer')
    const refused = await reorder(viewer, { kind: 'pages', parent_id: place, ids: inPlace.toReversed() })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
  })

  it('loses no page that is added concurrently', async () => {
    const { writer, place, inPlace, pagesOf } = await filled()
    const [ordered, made] = await Promise.all([
      reorder(writer, { kind: 'pages', parent_id: place, ids: inPlace.toReversed() }),
      writer.newPage({ title: 'Meanwhile', category_id: place }),
    ])
    const now = await pagesOf(place)
    const expected = ordered.statusCode === 200 ? inPlace.toReversed() : inPlace
    expect([200, 400]).toContain(ordered.statusCode)
    expect(now).toEqual([...expected, made.id])
  })
})
