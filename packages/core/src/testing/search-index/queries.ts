import assert from 'node:assert/strict'
import type { SearchIndex } from '../../ports/search-index.ts'
import { codeOf, type TestRunner } from '../runner.ts'
import { documentOf, freshProfileId, freshWord, keysFor, prefix, queryFor, word } from './subject.ts'

/** Filters, pages and suggestions. */
export function searchQueryCases(it: TestRunner['it'], subject: () => SearchIndex): void {
  it('returns documents that pass every filter', async () => {
    const [profileId, otherId] = [freshProfileId(), freshProfileId()]
    const shared = freshWord()
    const page = documentOf({ profileId, title: shared, keywords: ['engines', 'poetry'] })
    const post = documentOf({
      profileId: otherId,
      profileType: 'organization',
      kind: 'post',
      body: shared,
      updatedAt: new Date('2026-03-01T00:00:00Z'),
    })
    await subject().put([page, post])
    const found = (filter: Parameters<typeof keysFor>[2]) => keysFor(subject(), [word(shared)], filter)
    assert.deepEqual(await found({ kinds: ['post', 'file'] }), [post.key])
    assert.deepEqual(await found({ profileTypes: ['person'] }), [page.key])
    assert.deepEqual(await found({ profileId: otherId }), [post.key])
    assert.deepEqual(await found({ tags: ['poetry', 'engines'] }), [page.key])
    assert.deepEqual(await found({ tags: ['poetry', 'other'] }), [])
    assert.deepEqual(await found({ updatedFrom: post.updatedAt }), [post.key])
    assert.deepEqual(await found({ updatedBefore: post.updatedAt }), [page.key])
    assert.deepEqual(await found({ kinds: ['page'], profileId: otherId }), [])
  })

  it('returns all documents that pass the filter, newest first, without query words', async () => {
    const profileId = freshProfileId()
    const documents = [3, 1, 2].map((day) =>
      documentOf({ profileId, title: freshWord(), updatedAt: new Date(`2026-01-0${day}T00:00:00Z`) }),
    )
    await subject().put(documents)
    const [newest, oldest, middle] = documents.map(({ key }) => key)
    assert.deepEqual(await keysFor(subject(), [], { profileId }), [newest, middle, oldest])
  })

  it('returns restricted documents only to queries that name them, and counts no others', async () => {
    const profileId = freshProfileId()
    const [secret, open] = [freshWord(), freshWord()]
    const document = documentOf({ profileId, visibility: 'restricted', title: secret, body: `${secret} ${open}` })
    const other = { ...document, key: `${document.key}0` }
    const listed = documentOf({ profileId, title: open })
    await subject().put([document, other, listed])
    assert.deepEqual(await keysFor(subject(), [word(secret)]), [])
    const otherKeys = { restrictedKeys: ['page:unknown', listed.key] }
    assert.deepEqual(await keysFor(subject(), [word(secret)], {}, otherKeys), [])
    const own = { restrictedKeys: ['page:unknown', document.key] }
    assert.deepEqual(await keysFor(subject(), [word(secret)], {}, own), [document.key])
    for (const [keys, count] of [
      [[], 1],
      [[document.key], 2],
    ] as const) {
      const { hits, matches } = await queryFor(subject(), [word(open)], { profileId }, { restrictedKeys: keys })
      assert.deepEqual([hits.length, matches], [count, count])
    }
    assert.deepEqual(await subject().suggest(secret, 8), [])
    const { corrections } = await queryFor(subject(), [word(`${secret.slice(0, -1)}x`)])
    assert.equal(corrections.size, 0, 'corrections do not name words of restricted documents')
  })

  it('ranks a title before more than 1,000 newer matches in texts', async () => {
    const profileId = freshProfileId()
    const [one, other] = [freshWord(), freshWord()]
    const titled = documentOf({ profileId, title: `${one} ${other}`, updatedAt: new Date('2020-01-01T00:00:00Z') })
    const inBodies = Array.from({ length: 1_001 }, () => documentOf({ profileId, body: `${one} and ${other}` }))
    await subject().put([titled, ...inBodies])
    const first = await queryFor(subject(), [word(one), word(other)], { profileId }, { limit: 2 })
    assert.equal(first.hits[0]?.key, titled.key)
    assert.equal(first.matches, 1_000)
    const { hits } = await queryFor(
      subject(),
      [word(one), word(other)],
      { profileId },
      { limit: 2, cursor: first.hits[0]?.cursor },
    )
    assert.ok(hits.length === 2 && hits.every(({ key }) => key !== titled.key), 'the next page has other hits')
    await subject().remove({ profileIds: [profileId] })
  })

  it('ranks the last word as typed before newer longer ones, when more than 1,000 documents match', async () => {
    const profileId = freshProfileId()
    const typed = freshWord()
    const updatedAt = new Date('2020-01-01T00:00:00Z')
    const exact = Array.from({ length: 1_000 }, () => documentOf({ profileId, body: typed, updatedAt }))
    const longer = documentOf({ profileId, body: `${typed}qq` })
    await subject().put([...exact, longer])
    const { hits, matches } = await queryFor(subject(), [prefix(typed)], { profileId }, { limit: 2 })
    assert.equal(matches, 1_000)
    assert.ok(
      hits.length === 2 && hits.every(({ key }) => key !== longer.key),
      'words as typed come before longer ones',
    )
    await subject().remove({ profileIds: [profileId] })
  })

  it('finds a single character inside words without spaces, when more than 1,000 documents match', async () => {
    const profileId = freshProfileId()
    const updatedAt = new Date('2020-01-01T00:00:00Z')
    const old = Array.from({ length: 1_000 }, () => documentOf({ profileId, body: '新車', updatedAt }))
    const newest = documentOf({ profileId, body: '車輪' })
    await subject().put([...old, newest])
    const { hits } = await queryFor(subject(), [word('車')], { profileId }, { limit: 2 })
    assert.equal(hits[0]?.key, newest.key)
    await subject().remove({ profileIds: [profileId] })
  })

  it('finds documents of any age, the newest first when they are alike', async () => {
    const profileId = freshProfileId()
    const shared = freshWord()
    const ages = ['2026-03-01', '2026-02-27', '2025-12-31', '2025-06-01', '2021-01-01', '2009-01-01', '1970-01-01']
    const documents = ages.map((day) =>
      documentOf({ profileId, title: shared, updatedAt: new Date(`${day}T12:00:00Z`) }),
    )
    await subject().put(documents.toReversed())
    const { hits, matches } = await queryFor(subject(), [word(shared)])
    assert.deepEqual(
      hits.map(({ key }) => key),
      documents.map(({ key }) => key),
    )
    assert.equal(matches, ages.length)
  })

  it('neither repeats nor skips hits between pages while documents are added', async () => {
    const profileId = freshProfileId()
    const shared = freshWord()
    const documents = Array.from({ length: 25 }, (_, index) =>
      documentOf({ profileId, title: index % 5 === 0 ? `${shared} ${shared}` : shared, body: 'word '.repeat(index) }),
    )
    await subject().put(documents)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { hits } = await queryFor(subject(), [word(shared)], {}, { limit: 7, cursor })
      seen.push(...hits.map(({ key }) => key))
      cursor = hits.length === 7 ? hits.at(-1)?.cursor : undefined
      await subject().put([documentOf({ profileId, title: `${shared} ${shared} ${shared}` })])
    } while (cursor)
    assert.equal(seen.length, 25)
    assert.deepEqual(seen.toSorted(), documents.map(({ key }) => key).toSorted())
  })

  it('returns further pages of corrected words', async () => {
    const profileId = freshProfileId()
    const right = freshWord(5)
    const documents = Array.from({ length: 5 }, () => documentOf({ profileId, title: right }))
    await subject().put(documents)
    const query = [word(`${right.slice(0, -1)}x`)]
    const first = await queryFor(subject(), query, {}, { limit: 3 })
    const second = await queryFor(subject(), query, {}, { limit: 3, cursor: first.hits.at(-1)?.cursor })
    const keys = [...first.hits, ...second.hits].map(({ key }) => key)
    assert.deepEqual(keys.toSorted(), documents.map(({ key }) => key).toSorted())
  })

  it('rejects a cursor that it did not issue', async () => {
    for (const cursor of ['nonsense', '~nonsense', 'W10', Buffer.from('[1,2,3,4]').toString('base64url')]) {
      assert.equal(await codeOf(queryFor(subject(), [word('any')], {}, { cursor })), 'invalid_cursor')
    }
  })

  it('suggests titles by prefix and with one wrong letter, profiles first', async () => {
    const profileId = freshProfileId()
    const name = freshWord(6)
    const page = documentOf({ profileId, title: `Notes of ${name}`, updatedAt: new Date('2026-05-01T00:00:00Z') })
    const profile = documentOf({ profileId, kind: 'profile', title: `Ada ${name}` })
    await subject().put([page, profile, documentOf({ profileId, body: name })])
    const suggested = async (text: string) => (await subject().suggest(text, 8)).map(({ key }) => key)
    assert.deepEqual(await suggested(name.slice(0, 9)), [profile.key, page.key])
    assert.deepEqual(await suggested(`ada ${name.slice(0, 9)}`), [profile.key])
    assert.deepEqual(await suggested(`${name.slice(0, 5)}x${name.slice(6)}`), [profile.key, page.key])
    assert.deepEqual(await suggested(' '), [])
    assert.equal((await subject().suggest(name, 1)).length, 1)
  })
}
