import type { Embedder, SearchIndex } from '@eep/core/ports'
import { cashRail } from '@eep/core/testing'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAdministrator, PASSWORD, signUp } from '../support/accounts.ts'
import type { TestApp } from '../support/app.ts'
import { type Client, client, type Headers } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openInstances } from '../support/instances.ts'
import { PATIENT } from '../support/patient-search.ts'
import { pathsOf, type Results, untilIndexed } from '../support/search.ts'
import { shopGate } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

/**
 * The leak table: for each way in which something ceases to be public, no surface of search in any mode on any instance shows what
 * was found before: neither while the index still has it nor afterwards. Undone, it is found again.
 */

let app: TestApp
let other: TestApp
let admin: Client

/** Writes to the index wait for it. */
let opened: Promise<void> = Promise.resolve()

const held = (index: SearchIndex): SearchIndex => ({
  ...index,
  put: (documents) => opened.then(() => index.put(documents)),
  remove: (which) => opened.then(() => index.remove(which)),
})

/** Keeps the index as it is until it is released. */
function holdIndex(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  opened = promise
  return resolve
}

beforeAll(async () => {
  const { database, instance } = await openInstances({ ...OPEN_FEED, payments: { rails: [cashRail()] } })
  app = await instance({ search: { index: held(database.storage.search(PATIENT)), embedder } })
  other = await instance({ search: { index: held(database.another().search(PATIENT)), embedder } })
  const chief = await signUp(app, 'chief')
  await makeAdministrator(database, chief)
  admin = client(app).as(chief)
})

// Words that are not spelled alike, because search also finds those.
const MARKERS = [
  ...['quillwort', 'bladderfern', 'spikemoss', 'horsetail', 'clubrush', 'arrowgrass', 'pondweed', 'starfruit'],
  ...['hornwort', 'marestail', 'watercress', 'sundew', 'butterbur', 'coltsfoot', 'figwort', 'gorse', 'knapweed'],
  'twayblade',
]

/** Each marker is a meaning, which documents with it have, and queries for a word that no document contains. */
const MEANINGS = [...MARKERS]
const meantBy = (marker: string) => `similarto${marker}`
const embedder: Embedder = {
  id: 'markers:1',
  dimensions: MEANINGS.length,
  minSimilarity: 0.9,
  embed: async (texts, purpose) =>
    texts.map((text) => {
      const words = new Set(text.toLowerCase().match(/\w+/g))
      return MEANINGS.map((marker) => (words.has(purpose === 'query' ? meantBy(marker) : marker) ? 1 : 0))
    }),
}

const freshMarker = () => {
  const marker = MARKERS.shift()
  if (marker === undefined) throw new Error('There are more cases than words')
  return marker
}

const KINDS = ['file', 'page', 'post', 'profile'] as const
type Kind = (typeof KINDS)[number]

/** A word that only one kind contains, and that is not in queries, which pages repeat. */
const traceOf = (marker: string, kind: Kind) => `${[...marker].toReversed().join('')}${kind}`

interface Subject {
  readonly writer: Writer
  readonly marker: string
  readonly pageId: number
  readonly categoryId: number
  readonly postId: number
  readonly fileId: number
}

/** A profile with a page in a category, a post and a file, each with the marker in its text. */
async function subject(): Promise<Subject> {
  const marker = freshMarker()
  const says = (kind: Kind) => `${marker} ${traceOf(marker, kind)}`
  const writer = await createWriter(app, `w-${marker}`)
  await writer.put(`/profiles/u/w-${marker}`, {
    full_name: `Profile ${says('profile')}`,
    bio: `Bio ${says('profile')}`,
    skills: [marker, traceOf(marker, 'profile')],
  })
  const category = await writer.newCategory({ name: 'Notes' })
  const fields = { title: `Page ${says('page')}`, excerpt: `Excerpt ${says('page')}`, body: `Body ${says('page')}` }
  const page = await writer.newPage({ category_id: category.id, ...fields })
  const post = await newPost(writer, `Post ${says('post')} #${marker} #${traceOf(marker, 'post')}`)
  const parts = [field('username', `w-${marker}`), fileOf(`Text ${says('file')}`, `${says('file')}.txt`)]
  const file = (await upload(app, parts, writer.headers)).json()
  await client(app).get(`/files/${file.id}/markdown`)
  const found = { writer, marker, pageId: page.id, categoryId: category.id, postId: post.id, fileId: file.id }
  await untilEmbedded()
  // The first rebuild of the index gives it vectors.
  await soon(async () => expect(await kindsOf(app, meantBy(marker), { mode: 'semantic' })).toEqual(KINDS))
  return found
}

/** Waits until the index has all changes and their vectors. */
async function untilEmbedded() {
  await untilIndexed(app)
  await soon(async () => expect((await app.eep.search.stats()).pendingTexts).toBe(0))
}

/** The kinds that a search finds, without waiting for the index. */
async function kindsOf(on: TestApp, q: string, more: Record<string, string> = {}, headers: Headers = {}) {
  const response = await client(on).get(`/search?${new URLSearchParams({ q, ...more })}`, {
    accept: 'application/json',
    ...headers,
  })
  expect(response.statusCode, response.body).toBe(200)
  return (response.json().data as { kind: string }[]).map(({ kind }) => kind).sort()
}

const OTHER_FORMATS = ['text/html', 'text/markdown', 'text/toon']

/** Every answer of search about a marker, on an instance, without cursors, which have keys. */
async function answersOf(on: TestApp, marker: string): Promise<string> {
  const queries = [
    `/search?q=${marker}&facets=kind,tag,profile_type`,
    `/search?q=${marker}&mode=keyword&limit=1`,
    ...['semantic', 'hybrid'].flatMap((mode) => [
      `/search?q=${meantBy(marker)}&mode=${mode}&facets=kind,tag,profile_type`,
      `/search?q=${marker} OR ${meantBy(marker)}&mode=${mode}&limit=1`,
    ]),
    ...['feed', 'profiles', 'pages'].map((scope) => `/search?q=${marker}&scope=${scope}`),
    // Corrected, and from its beginning.
    `/search?q=${marker.slice(0, -1)}x`,
    `/search?q=${marker.slice(0, -2)}`,
    `/search?q=tag:${marker}&facets=tag`,
    ...KINDS.map((kind) => `/search?q=type:${kind} ${marker}`),
    `/search?q=author:u/w-${marker}`,
    `/search?q="${marker}" OR nothing -else`,
    `/search/suggest?q=${marker}`,
    `/search/suggest?q=page ${marker.slice(0, -1)}`,
    `/search/suggest?q=${marker.slice(0, -1)}x`,
    '/opensearch.xml',
  ]
  // The formats write the same results: those of two queries are read in each.
  const inEachFormat = [queries[0] ?? '', `/search?q=${marker} OR ${meantBy(marker)}&mode=hybrid`]
  const asked = [
    ...queries.map((query) => ({ query, accept: 'application/json' })),
    ...inEachFormat.flatMap((query) => OTHER_FORMATS.map((accept) => ({ query, accept }))),
  ].map(async ({ query, accept }) => {
    const { body } = await client(on).get(encodeURI(query), { accept })
    return body.replaceAll(/cursor"?[=:] ?"?[^"&\s]*/g, '')
  })
  return (await Promise.all(asked)).join('\n')
}

/** Checks that the hits, the total and the facets of every instance are of these kinds. */
async function expectHits(marker: string, kinds: readonly Kind[]) {
  for (const on of [app, other]) {
    expect(await kindsOf(on, marker, { mode: 'keyword' })).toEqual(kinds)
    for (const mode of ['semantic', 'hybrid']) {
      expect(await kindsOf(on, meantBy(marker), { mode })).toEqual(kinds)
      expect(await kindsOf(on, `${marker} OR ${meantBy(marker)}`, { mode })).toEqual(kinds)
    }
    const { pagination, facets } = (await client(on).get(`/search?q=${marker}&facets=kind&format=json`)).json()
    expect(pagination.total).toBe(kinds.length)
    expect(facets.kind.map(({ value }: { value: string }) => value).sort()).toEqual(kinds)
  }
}

/** Checks that all of search returns these kinds, and nothing of the others, with every answer of some instances. */
async function expectFound(marker: string, kinds: readonly Kind[], instances: readonly TestApp[] = [app, other]) {
  await expectHits(marker, kinds)
  for (const on of instances) {
    const answers = await answersOf(on, marker)
    expect(KINDS.filter((kind) => answers.includes(traceOf(marker, kind)))).toEqual(kinds)
  }
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

type Change = (subject: Subject) => Promise<unknown>

const page =
  (status: string): Change =>
  ({ writer, pageId }) =>
    ok(writer.putPage(pageId, { status }))
const category =
  (visibility: string): Change =>
  ({ writer, categoryId }) =>
    ok(writer.putCategory(categoryId, { visibility }))
const profile =
  (visibility: string): Change =>
  ({ writer, marker }) =>
    ok(writer.put(`/profiles/u/w-${marker}`, { visibility }))
const hidden =
  (isHidden: boolean): Change =>
  ({ postId }) =>
    ok(admin.put(`/admin/feed/${postId}`, { hidden: isHidden }))
const banned =
  (isBanned: boolean): Change =>
  ({ writer }) =>
    ok(admin.put(`/admin/users/${writer.account.id}`, { banned: isBanned }))
const deleted: Change = ({ writer }) =>
  ok(client(app).send('DELETE', '/auth/account', { password: PASSWORD }, writer.headers))

/** What hides which kinds, and what undoes it. */
const CHANGES: readonly (readonly [string, readonly Kind[], Change, Change?])[] = [
  ['a page becomes a draft', ['page'], page('draft'), page('published')],
  ['a page is archived', ['page'], page('archived'), page('published')],
  ['a page is deleted', ['page'], ({ writer, pageId }) => ok(writer.delete(`/manage/pages/${pageId}`))],
  ['a category becomes private', ['page'], category('private'), category('public')],
  ['a post is hidden by an administrator', ['post'], hidden(true), hidden(false)],
  ['a post is deleted', ['post'], ({ writer, postId }) => ok(writer.delete(`/feed/${postId}`))],
  ['a file is deleted', ['file'], ({ writer, fileId }) => ok(writer.delete(`/files/${fileId}`))],
  ['a profile becomes unlisted', KINDS, profile('unlisted'), profile('public')],
  ['a profile becomes private', KINDS, profile('private'), profile('public')],
  ['an account is banned', KINDS, banned(true), banned(false)],
  ['an account is deleted', KINDS, deleted],
]

describe.for(CHANGES)('when %s', ([, gone, change, undo]) => {
  it('no search result on any instance has it, before and after the index has the change', async () => {
    const made = await subject()
    const { marker } = made
    await expectHits(marker, KINDS)
    const left = KINDS.filter((kind) => !gone.includes(kind))
    const release = holdIndex()
    try {
      await change(made)
      await expectFound(marker, left)
    } finally {
      release()
    }
    await untilIndexed(app)
    // Both read the same index, which no longer has it.
    await expectFound(marker, left, [app])
    if (!undo) return
    await undo(made)
    await untilEmbedded()
    await expectHits(marker, KINDS)
  })
})

describe('the total', () => {
  afterEach(() => void vi.useRealTimers())

  it('does not count pages that were hidden before the index fell behind', async () => {
    const { marker, writer, pageId } = await subject()
    const totalOf = async (q: string, more: Record<string, string> = {}) => {
      const response = await client(app).get(
        `/search?${new URLSearchParams({ q, mode: 'keyword', limit: '1', format: 'json', ...more })}`,
      )
      return (response.json() as Results).pagination
    }
    await writer.putPage(pageId, { title: `Page ${marker} goldenrod` })
    await untilIndexed(app)
    expect((await totalOf(`${marker} OR goldenrod`)).total).toBe(KINDS.length)
    const release = holdIndex()
    try {
      await ok(writer.putPage(pageId, { status: 'draft' }))
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
      const [first, second] = [await totalOf(`${marker} -goldenrod`), await totalOf(`${marker} OR goldenrod`)]
      // The one that is returned, and the one that follows.
      expect([first.total, second.total]).toEqual([2, 2])
      const next = await totalOf(`${marker} OR goldenrod`, { cursor: second.next_cursor ?? '' })
      expect(next.total).toBe(3)
    } finally {
      vi.useRealTimers()
      release()
    }
  })
})

describe('a correction', () => {
  it('is not a word of a page that was hidden, while the index still has it', async () => {
    const { marker, writer, pageId } = await subject()
    const seen = await writer.newPage({ title: 'Visible silverweed' })
    await writer.putPage(pageId, { title: `Unseen ${marker}x goutweed` })
    await untilIndexed(app)
    const asked = async () => (await client(app).get('/search?q=silvrweed OR goutwed&format=json')).json() as Results
    expect((await asked()).suggestion).toBe('silverweed OR goutweed')
    const release = holdIndex()
    try {
      await ok(writer.putPage(pageId, { status: 'draft' }))
      const { data, suggestion } = await asked()
      expect(data.map(({ path }) => path)).toEqual([seen.path])
      expect(suggestion ?? '').not.toContain('goutweed')
    } finally {
      release()
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
      expect(await answersOf(on, body)).not.toContain('Secret')
    }
    expect(await kindsOf(app, body, { gated: 'mine' }, made.writer.headers)).toEqual(['page'])
    const stranger = await signUp(app)
    expect(await kindsOf(app, body, { gated: 'mine' }, stranger.headers)).toEqual([])
    await ok(made.writer.delete(`/manage/pages/${made.pageId}`))
    expect(await kindsOf(app, body, { gated: 'mine' }, made.writer.headers)).toEqual([])
  })

  it('finds a page whose category moves into the gate or out of it, each time by what it shows there', async () => {
    const made = await subject()
    const body = `${made.marker}body`
    await ok(made.writer.putPage(made.pageId, { title: `Page ${made.marker}`, body: `Secret ${body}` }))
    const paid = await made.writer.newCategory({ name: 'Paid' })
    await putGate(made, ['content.paid.*', 'content.sold.*'])
    const moves: readonly (readonly [Readonly<Record<string, unknown>>, boolean])[] = [
      [{ parent_id: paid.id }, true],
      [{ parent_id: null }, false],
      [{ slug: 'sold' }, true],
      [{ slug: 'notes' }, false],
    ]
    for (const [fields, isGated] of moves) {
      await ok(made.writer.putCategory(made.categoryId, fields))
      await soon(async () => expect([fields, await kindsOf(app, `page ${made.marker}`)]).toEqual([fields, ['page']]))
      const found = [await kindsOf(app, body), await kindsOf(app, body, { gated: 'mine' }, made.writer.headers)]
      expect([fields, ...found]).toEqual([fields, isGated ? [] : ['page'], ['page']])
    }
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
    expect(await answersOf(app, made.marker)).not.toContain('Bio ')
  })

  it('shows no closed field of a profile in hits, facets, suggestions and corrections while the index still has it', async () => {
    const made = await subject()
    const { marker, writer } = made
    const secret = `${marker}secret`
    await ok(
      writer.put(`/profiles/u/w-${marker}`, { full_name: marker, bio: `Bio ${secret}`, skills: [`${secret}skill`] }),
    )
    await untilIndexed(app)
    expect(await kindsOf(app, secret)).toEqual(['profile'])
    const release = holdIndex()
    try {
      await putGate(made, ['profile.*'])
      for (const on of [app, other]) {
        const answers = await answersOf(on, marker)
        expect(answers).not.toContain(secret)
        for (const q of [secret, `${secret}skill`, `${secret}x`, `tag:${secret}skill`]) {
          const { data, facets, suggestion } = (
            await client(on).get(`/search?${new URLSearchParams({ q, facets: 'kind,tag', format: 'json' })}`)
          ).json() as Results
          expect([q, data, facets, suggestion]).toEqual([q, [], { kind: [], tag: [] }, undefined])
        }
      }
    } finally {
      release()
    }
  })
})

it('finds everything on every instance while nothing is hidden', async () => {
  const { marker } = await subject()
  await expectFound(marker, KINDS)
})
