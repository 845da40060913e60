import { cashRail } from '@eep/core/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { signUp } from './support/accounts.ts'
import type { TestApp } from './support/app.ts'
import { type Client, client, type Headers } from './support/client.ts'
import { createWriter, type Writer } from './support/content.ts'
import { newPost, OPEN_FEED } from './support/feed.ts'
import { field, fileOf, upload } from './support/files.ts'
import { openInstances } from './support/instances.ts'
import { find, pathsOf } from './support/search.ts'
import { shopGate } from './support/shop.ts'
import { soon } from './support/wait.ts'

/**
 * The leak table: for each way in which something stops to be public, what was found before is not found after it, on any
 * instance, in any mode, and by no other surface of search.
 */

let app: TestApp
let other: TestApp
let admin: Client

beforeAll(async () => {
  const { database, instance } = await openInstances({ ...OPEN_FEED, payments: { rails: [cashRail()] } })
  app = await instance({ withSearch: true })
  other = await instance({ search: { index: database.another().search() } })
  const chief = await signUp(app, 'chief')
  await database.storage.transaction((tx) => tx.accounts.save(chief.account.id, { isAdmin: true }))
  admin = client(app).as(chief)
})

// Words that are not spelled alike, because search also finds those.
const MARKERS = [
  ...['quillwort', 'bladderfern', 'spikemoss', 'horsetail', 'clubrush', 'arrowgrass', 'pondweed', 'starfruit'],
  ...['hornwort', 'marestail', 'watercress', 'sundew'],
]
const freshMarker = () => {
  const marker = MARKERS.shift()
  if (marker === undefined) throw new Error('There are more cases than words')
  return marker
}

interface Subject {
  readonly writer: Writer
  readonly marker: string
  readonly pageId: number
  readonly categoryId: number
  readonly postId: number
  readonly fileId: number
}

/** A profile with a page in a category, a post and a file, each of which says the marker. */
async function subject(): Promise<Subject> {
  const marker = freshMarker()
  const writer = await createWriter(app, `w-${marker}`)
  await writer.put(`/profiles/u/w-${marker}`, {
    full_name: `Profile ${marker}`,
    bio: `Bio ${marker}`,
    skills: [marker],
  })
  const category = await writer.newCategory({ name: 'Notes' })
  const page = await writer.newPage({ category_id: category.id, title: `Page ${marker}`, body: `Body ${marker}` })
  const post = await newPost(writer, `Post ${marker} #${marker}`)
  const parts = [field('username', `w-${marker}`), fileOf(`Text ${marker}`, `${marker}.txt`)]
  const file = (await upload(app, parts, writer.headers)).json()
  await client(app).get(`/files/${file.id}/markdown`)
  const found = { writer, marker, pageId: page.id, categoryId: category.id, postId: post.id, fileId: file.id }
  await soon(async () => expect(await kindsOf(app, marker)).toEqual(['file', 'page', 'post', 'profile']))
  return found
}

/** The kinds that a search finds, without waiting for the index. */
async function kindsOf(on: TestApp, q: string, more: Record<string, string> = {}, headers: Headers = {}) {
  const response = await client(on).get(`/search?${new URLSearchParams({ q, ...more })}`, headers)
  expect(response.statusCode, response.body).toBe(200)
  return (response.json().data as { kind: string }[]).map(({ kind }) => kind).sort()
}

/** Every answer of search about a marker, on an instance. */
async function answersOf(on: TestApp, marker: string): Promise<readonly string[]> {
  const queries = [
    `/search?q=${marker}`,
    `/search?q=${marker}&mode=hybrid&facets=kind,tag,profile_type`,
    `/search?q=${marker}&scope=feed`,
    `/search?q=${marker}&scope=profiles`,
    `/search?q=${marker}&scope=pages`,
    `/search?q=${marker.slice(0, -1)}x`,
    `/search?q=${marker.slice(0, -2)}`,
    `/search?q=tag:${marker}`,
    `/search?q=type:page ${marker}`,
    `/search?q=author:u/w-${marker}`,
    `/search/suggest?q=${marker}`,
    `/search/suggest?q=page ${marker.slice(0, -1)}`,
  ]
  return Promise.all(queries.map(async (query) => (await client(on).get(query.replaceAll(' ', '%20'))).body))
}

const ok = async (response: Promise<{ readonly statusCode: number; readonly body: string }>) => {
  const { statusCode, body } = await response
  expect(statusCode, body).toBeLessThan(300)
}

const gateOf = (access: readonly string[]) => {
  const { tiers } = shopGate()
  return { default_tier: 'public', tiers: { ...tiers, reader: { ...tiers.reader, access } } }
}
const putGate = ({ writer, marker }: Subject, access: readonly string[]) =>
  ok(writer.put(`/eep/gates/did:web:profiles.example:u:w-${marker}`, gateOf(access)))

/** What hides which kinds. */
const CHANGES: readonly (readonly [string, readonly string[], (subject: Subject) => Promise<unknown>])[] = [
  ['a page becomes a draft', ['page'], ({ writer, pageId }) => ok(writer.putPage(pageId, { status: 'draft' }))],
  ['a page is archived', ['page'], ({ writer, pageId }) => ok(writer.putPage(pageId, { status: 'archived' }))],
  ['a page is deleted', ['page'], ({ writer, pageId }) => ok(writer.delete(`/manage/pages/${pageId}`))],
  [
    'a category becomes private',
    ['page'],
    ({ writer, categoryId }) => ok(writer.putCategory(categoryId, { visibility: 'private' })),
  ],
  ['a post is deleted', ['post'], ({ writer, postId }) => ok(writer.delete(`/feed/${postId}`))],
  ['a file is deleted', ['file'], ({ writer, fileId }) => ok(writer.delete(`/files/${fileId}`))],
  ...(['unlisted', 'private'] as const).map(
    (visibility) =>
      [
        `a profile becomes ${visibility}`,
        ['file', 'page', 'post', 'profile'],
        ({ writer, marker }: Subject) => ok(writer.put(`/profiles/u/w-${marker}`, { visibility })),
      ] as const,
  ),
  [
    'an account is banned',
    ['file', 'page', 'post', 'profile'],
    ({ writer }) => ok(admin.put(`/admin/users/${writer.account.id}`, { banned: true })),
  ],
]

describe.for(CHANGES)('when %s', ([, hidden, change]) => {
  it('finds none of it any more, on any instance, immediately and after the index has the change', async () => {
    const made = await subject()
    const { marker } = made
    await change(made)
    const left = ['file', 'page', 'post', 'profile'].filter((kind) => !hidden.includes(kind))
    // The instance that wrote, the other one, and both again when the index is up to date.
    for (const on of [app, other]) expect(await kindsOf(on, marker)).toEqual(left)
    await find(app, marker)
    for (const on of [app, other]) expect(await kindsOf(on, marker)).toEqual(left)
    if (left.length > 0) return
    for (const on of [app, other]) {
      for (const answer of await answersOf(on, marker)) {
        expect(answer.replaceAll(/"(?:next_)?cursor":"[^"]*"/g, '')).not.toContain(marker)
      }
    }
  })
})

describe('when a gate closes', () => {
  it('finds a page only by what its 402 shows', async () => {
    const made = await subject()
    const body = `${made.marker}body`
    await ok(made.writer.putPage(made.pageId, { title: `Page ${made.marker}`, body: `Secret ${body}` }))
    expect(await pathsOf(app, body)).toHaveLength(1)
    await putGate(made, ['content.*'])
    for (const on of [app, other]) expect(await kindsOf(on, body)).toEqual([])
    await soon(async () => expect(await kindsOf(app, `page ${made.marker}`)).toEqual(['page']))
    for (const on of [app, other]) {
      expect(await kindsOf(on, body)).toEqual([])
      expect(await kindsOf(on, `${body}x`)).toEqual([])
      for (const answer of await answersOf(on, body)) expect(answer).not.toContain('Secret')
    }
    expect(await kindsOf(app, body, { gated: 'mine' }, made.writer.headers)).toEqual(['page'])
    const stranger = await signUp(app)
    expect(await kindsOf(app, body, { gated: 'mine' }, stranger.headers)).toEqual([])
    await ok(made.writer.delete(`/manage/pages/${made.pageId}`))
    expect(await kindsOf(app, body, { gated: 'mine' }, made.writer.headers)).toEqual([])
  })

  it('finds neither files nor fields of a profile that a gate closes', async () => {
    const made = await subject()
    await putGate(made, ['files.*', 'profile.bio', 'profile.skills'])
    for (const on of [app, other]) {
      expect(await kindsOf(on, `text ${made.marker}`)).toEqual([])
      expect(await kindsOf(on, `bio ${made.marker}`)).toEqual([])
    }
    await soon(async () => expect(await kindsOf(app, `profile ${made.marker}`)).toEqual(['profile']))
    await soon(async () => expect(await kindsOf(app, `tag:${made.marker}`)).toEqual(['post']))
    for (const answer of await answersOf(app, made.marker)) expect(answer).not.toContain('Bio ')
  })
})
