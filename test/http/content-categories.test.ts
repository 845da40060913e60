import type { OptionalGroup, Storage } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { type CategoryRecord, createWriter, type Writer } from '../support/content.ts'

let app: TestApp
let close: () => Promise<void>
let ada: Writer

beforeAll(async () => {
  ;({ app, close } = await createTestApp())
  ada = await createWriter(app, 'ada')
})
afterAll(() => close())

const newWriter = () => createWriter(app)

describe('slugs', () => {
  it('previews slugs without creating anything', async () => {
    const preview = (title: string) => ada.getJson(`/manage/slug-preview?title=${encodeURIComponent(title)}`)
    expect(await preview('Déjà vu & more')).toEqual({ slug: 'deja-vu-and-more' })
    expect(await preview('北京')).toEqual({ slug: 'page-1' })
    expect((await ada.get('/manage/slug-preview')).statusCode).toBe(400)
  })

  it('appends a number to a slug made from a title when it is taken', async () => {
    const writer = await newWriter()
    const slugs: string[] = []
    for (let n = 0; n < 6; n += 1) slugs.push((await writer.newPage({ title: 'Same' })).slug)
    expect(slugs).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5', 'same-6'])
    expect((await writer.newPage({ title: '北京' })).slug).toBe('page-1')
    expect((await writer.newPage({ title: '東京' })).slug).toBe('page-2')
    expect((await writer.newCategory({ name: 'Same' })).slug).toBe('same-7')
  })

  it('makes different slugs for concurrent requests', async () => {
    const writer = await newWriter()
    const pages = await Promise.all(Array.from({ length: 8 }, () => writer.newPage({ title: 'Twin' })))
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(8)
  })

  it('never replaces an explicit slug', async () => {
    const writer = await newWriter()
    const page = await writer.newPage({ slug: 'chosen' })
    const other = await writer.newPage({ slug: 'other' })
    expect(codeOf(await writer.postPage({ slug: 'chosen' }))).toBe('slug_taken')
    expect((await writer.putPage(other.id, { slug: 'chosen' })).statusCode).toBe(409)
    expect((await writer.putPage(page.id, { slug: 'chosen' })).statusCode).toBe(200)
  })

  it('gives a slug to either a page or a category', async () => {
    const writer = await newWriter()
    const category = await writer.newCategory({ slug: 'letters' })
    const page = await writer.newPage({ slug: 'essays' })
    expect(codeOf(await writer.postPage({ slug: 'letters' }))).toBe('slug_taken')
    expect(codeOf(await writer.postCategory({ slug: 'essays' }))).toBe('slug_taken')
    expect(codeOf(await writer.putPage(page.id, { slug: 'letters' }))).toBe('slug_taken')
    expect(codeOf(await writer.putCategory(category.id, { slug: 'essays' }))).toBe('slug_taken')
    const inside = await writer.newPage({ slug: 'letters', category_id: category.id })
    expect(codeOf(await writer.putPage(inside.id, { category_id: null }))).toBe('slug_taken')

    const racers = [writer.postPage({ slug: 'race' }), writer.postCategory({ slug: 'race' })]
    const statuses = (await Promise.all(racers)).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([201, 409])
  })
})

describe('categories', () => {
  it('creates, reads, changes and deletes categories', async () => {
    const writer = await newWriter()
    const fields = { name: 'Field notes', description: 'From outside', icon: '📓', visibility: 'private' }
    const category = await writer.newCategory(fields)
    expect(category).toMatchObject({
      ...fields,
      profile_id: writer.profileId,
      parent_id: null,
      slug: 'field-notes',
      path: `${writer.contents}/field-notes`,
      position: 0,
      page_count: 0,
    })
    const url = `/manage/categories/${category.id}`
    expect(await writer.getJson(url)).toEqual(category)
    const saved = await writer.putCategory(category.id, { name: 'Notes', slug: 'notes', description: null })
    expect(saved.json()).toMatchObject({ name: 'Notes', slug: 'notes', description: null, icon: '📓' })
    expect((await writer.delete(url)).json()).toEqual({ success: true })
    expect(codeOf(await writer.get(url))).toBe('category_not_found')
    expect(codeOf(await writer.putCategory(category.id, { name: 'x' }))).toBe('category_not_found')
    expect(codeOf(await writer.delete(url))).toBe('category_not_found')
  })

  it('returns categories as an ordered tree with page counts', async () => {
    const writer = await newWriter()
    const top = await writer.newCategory({ name: 'Top' })
    const second = await writer.newCategory({ name: 'Second' })
    const inner = await writer.newCategory({ name: 'Inner', parent_id: top.id })
    await writer.newPage({ category_id: inner.id })
    await writer.newPage({ category_id: inner.id, status: 'draft' })
    const url = `/manage/categories?profile_id=${writer.profileId}`
    expect(await writer.getJson(url)).toMatchObject({
      data: [
        {
          id: top.id,
          page_count: 0,
          children: [{ id: inner.id, path: `${writer.contents}/top/inner`, page_count: 2, children: [] }],
        },
        { id: second.id, children: [] },
      ],
      pagination: { total: 3, has_more: false },
    })
    await writer.putCategory(second.id, { position: 0 })
    await writer.putCategory(top.id, { position: 1 })
    const { data } = await writer.getJson(url)
    expect(data.map(({ id }: CategoryRecord) => id)).toEqual([second.id, top.id])
  })

  it('suggests categories for each type of profile, which can be created unchanged', async () => {
    const types = ['person', 'organization', 'place', 'asset', 'product', 'knowledge', 'agent', 'event']
    const writer = await newWriter()
    for (const type of types) {
      const { data, pagination } = await writer.getJson(`/manage/default-categories?profile_type=${type}`)
      expect(data.length).toBeGreaterThan(3)
      expect(pagination).toEqual({ total: data.length, has_more: false })
      expect(data[0]).toEqual({
        name: expect.any(String),
        slug: expect.stringMatching(/^[a-z0-9-]+$/),
        icon: expect.any(String),
        description: expect.any(String),
      })
      if (type !== 'person') continue
      for (const suggested of data) expect(await writer.newCategory(suggested)).toMatchObject(suggested)
    }
    for (const query of ['', '?profile_type=custom', '?profile_type=robot']) {
      expect((await writer.get(`/manage/default-categories${query}`)).statusCode).toBe(400)
    }
  })

  it('deletes a category with its content only on request', async () => {
    const writer = await newWriter()
    const outer = await writer.newCategory({ name: 'Outer' })
    const inner = await writer.newCategory({ name: 'Inner', parent_id: outer.id })
    const page = await writer.newPage({ category_id: inner.id })
    const url = `/manage/categories/${outer.id}`
    for (const query of ['', '?cascade=false', '?cascade=0']) {
      const answer = await writer.delete(`${url}${query}`)
      expect(answer.statusCode).toBe(409)
      expect(answer.json().error).toMatchObject({ code: 'category_not_empty', details: { pages: 1, categories: 1 } })
    }
    expect((await writer.delete(`${url}?cascade=maybe`)).statusCode).toBe(400)
    const gone: string[] = []
    // Events of other tests may still be arriving.
    const note = (profileId: number | null, what: string) => void (profileId === writer.profileId && gone.push(what))
    const stop = [
      app.eep.on('content.page_deleted', ({ data, profileId }) => note(profileId, `page ${data.pageId}`)),
      app.eep.on('content.category_deleted', ({ data, profileId }) => note(profileId, `category ${data.categoryId}`)),
    ]
    expect((await writer.delete(`${url}?cascade=true`)).statusCode).toBe(200)
    await expect.poll(() => gone).toEqual([`page ${page.id}`, `category ${outer.id}`, `category ${inner.id}`])
    for (const end of stop) end()
    expect((await writer.get(`/manage/pages/${page.id}`)).statusCode).toBe(404)
    expect((await writer.get(`/manage/categories/${inner.id}`)).statusCode).toBe(404)
  })

  it('deletes a category with many pages in parts, and continues when the request is repeated', async () => {
    const database = await openStorage()
    let deletable = 75
    const { transaction } = database.storage
    const storage: Storage<OptionalGroup> = {
      ...database.storage,
      transaction: (work) =>
        transaction((tx) =>
          work({
            ...tx,
            pages: {
              ...tx.pages,
              async delete(id) {
                if (deletable-- === 0) throw new Error('crash')
                return tx.pages.delete(id)
              },
            },
          }),
        ),
    }
    const test = await createTestApp({ storage })
    const writer = await createWriter(test.app)
    const { id } = await writer.newCategory()
    for (let made = 0; made < 110; made += 1) await writer.newPage({ category_id: id, title: `Page ${made}` })
    const url = `/manage/categories/${id}`
    const pages = async () => (await writer.getJson(url)).page_count
    expect((await writer.delete(`${url}?cascade=true`)).statusCode).toBe(500)
    expect(await pages()).toBe(60)
    expect((await writer.delete(`${url}?cascade=true`)).statusCode).toBe(200)
    expect(codeOf(await writer.get(url))).toBe('category_not_found')
    expect(await writer.getJson(`/manage/pages?profile_id=${writer.profileId}`)).toMatchObject({ data: [] })
    await test.close()
    await database.close()
  })

  it('refuses categories inside themselves, also when two are moved concurrently', async () => {
    const writer = await newWriter()
    const outer = await writer.newCategory({ name: 'Outer' })
    const inner = await writer.newCategory({ name: 'Inner', parent_id: outer.id })
    expect(codeOf(await writer.putCategory(outer.id, { parent_id: inner.id }))).toBe('category_cycle')
    expect(codeOf(await writer.putCategory(outer.id, { parent_id: outer.id }))).toBe('category_cycle')

    const left = await writer.newCategory({ name: 'Left' })
    const right = await writer.newCategory({ name: 'Right' })
    const moves = [
      writer.putCategory(left.id, { parent_id: right.id }),
      writer.putCategory(right.id, { parent_id: left.id }),
    ]
    expect((await Promise.all(moves)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  it('nests categories up to eight levels', async () => {
    const writer = await newWriter()
    const chain: CategoryRecord[] = []
    for (let depth = 1; depth <= 8; depth += 1) {
      chain.push(await writer.newCategory({ name: `Level ${depth}`, parent_id: chain.at(-1)?.id ?? null }))
    }
    const deepest = chain.at(-1)?.id
    expect(codeOf(await writer.postCategory({ parent_id: deepest }))).toBe('category_too_deep')
    const page = await writer.newPage({ title: 'Bottom', category_id: deepest ?? 0 })
    expect((await client(app).get(page.path)).statusCode).toBe(200)

    const stack = await writer.newCategory({ name: 'Stack' })
    await writer.newCategory({ name: 'Upper', parent_id: stack.id })
    expect((await writer.putCategory(stack.id, { parent_id: chain[5]?.id })).statusCode).toBe(200)
    expect(codeOf(await writer.putCategory(stack.id, { parent_id: chain[6]?.id }))).toBe('category_too_deep')
  })
})
