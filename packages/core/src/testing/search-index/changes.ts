import assert from 'node:assert/strict'
import type { SearchIndex } from '../../ports/search-index.ts'
import type { TestRunner } from '../runner.ts'
import { documentOf, freshProfileId, freshWord, keysFor, queryFor, word } from './subject.ts'

/** Puts, removals and rebuilds. */
export function searchChangeCases(it: TestRunner['it'], subject: () => SearchIndex): void {
  it('replaces a document with its key', async () => {
    const profileId = freshProfileId()
    const [before, after] = [freshWord(), freshWord()]
    const document = documentOf({ profileId, title: before })
    await subject().put([document])
    await subject().put([
      { ...document, title: 'neither of them' },
      { ...document, title: after, revision: '2' },
    ])
    assert.deepEqual(await keysFor(subject(), [word(before)]), [])
    const { hits } = await queryFor(subject(), [word(after)])
    assert.deepEqual(
      hits.map(({ key, revision }) => ({ key, revision })),
      [{ key: document.key, revision: '2' }],
    )
  })

  it('stores texts with any characters, however long their words are', async () => {
    const profileId = freshProfileId()
    const found = freshWord()
    const body = [
      `a${'𐌰'.repeat(100)}`,
      `b${'é'.repeat(100)}`,
      '图'.repeat(300),
      '\u{1e900}'.repeat(65),
      '\0',
      '\ud800',
    ].join(' ')
    const document = documentOf({
      profileId,
      title: found,
      body,
      headings: [body],
      keywords: [body.slice(0, 80)],
      excerpt: body,
    })
    await subject().put([document])
    assert.deepEqual(await keysFor(subject(), [word(found)]), [document.key])
    for (const each of body.split(' ')) await keysFor(subject(), [word(each)])
  })

  it('keeps nothing of removed documents in hits, suggestions and corrections', async () => {
    const [profileId, otherId] = [freshProfileId(), freshProfileId()]
    const [one, other] = [freshWord(), freshWord()]
    const removed = documentOf({ profileId, title: one, body: one })
    await subject().put([removed, documentOf({ profileId: otherId, title: other, kind: 'profile' })])
    await subject().remove({ keys: [removed.key, 'page:unknown'] })
    await subject().remove({ profileIds: [otherId] })
    for (const gone of [one, other]) {
      assert.deepEqual(await keysFor(subject(), [word(gone)]), [])
      assert.deepEqual(await subject().suggest(gone, 8), [])
      const { hits, corrections } = await queryFor(subject(), [word(`${gone.slice(0, -1)}x`)])
      assert.deepEqual([hits.length, corrections.size], [0, 0])
    }
    await subject().remove({ keys: [] })
    await subject().remove({ profileIds: [] })
    await subject().put([])
  })

  it('keeps a word for corrections while another document contains it', async () => {
    const profileId = freshProfileId()
    const shared = freshWord()
    const [one, other] = [documentOf({ profileId, body: shared }), documentOf({ profileId, body: shared })]
    await subject().put([one, other])
    await subject().remove({ keys: [one.key] })
    assert.deepEqual(await keysFor(subject(), [word(`${shared.slice(0, -1)}x`)]), [other.key])
  })

  it('rebuilds beside the index that serves queries, and keeps concurrent changes', async () => {
    const profileId = freshProfileId()
    const [old, rebuilt, meanwhile, removed] = [freshWord(), freshWord(), freshWord(), freshWord()]
    const outdated = documentOf({ profileId, title: old })
    const changed = documentOf({ profileId, title: meanwhile, revision: '2' })
    await subject().put([outdated, documentOf({ profileId, title: removed })])

    const rebuild = await subject().rebuild()
    assert.equal((await subject().stats()).isRebuilding, true)
    const fresh = documentOf({ profileId, title: rebuilt })
    await rebuild.put([fresh])
    assert.deepEqual(await keysFor(subject(), [word(rebuilt)]), [], 'queries use the old index')
    assert.deepEqual(await keysFor(subject(), [word(old)]), [outdated.key])
    await subject().put([changed])
    await rebuild.put([{ ...changed, title: freshWord(), revision: '1' }])
    assert.deepEqual(await keysFor(subject(), [word(meanwhile)]), [changed.key])

    await rebuild.commit()
    assert.deepEqual(await keysFor(subject(), [word(rebuilt)]), [fresh.key])
    assert.deepEqual(await keysFor(subject(), [word(meanwhile)]), [changed.key], 'the newer document is kept')
    assert.deepEqual(await keysFor(subject(), [word(old)]), [])
    const { corrections } = await queryFor(subject(), [word(`${removed.slice(0, -1)}x`)])
    assert.equal(corrections.size, 0, 'nothing of the old index remains')
    const { isRebuilding, documents } = await subject().stats()
    assert.deepEqual([isRebuilding, documents], [false, 2])
  })

  it('corrects words of documents that were removed during a rebuild', async () => {
    const profileId = freshProfileId()
    const lost = freshWord()
    const alike = `${lost.slice(0, -1)}x`
    const removed = documentOf({ profileId, body: lost })
    const kept = documentOf({ profileId, body: alike })
    const rebuild = await subject().rebuild()
    await rebuild.put([removed, kept])
    await subject().remove({ keys: [removed.key] })
    await rebuild.commit()
    const { hits, corrections } = await queryFor(subject(), [word(lost)])
    assert.deepEqual(
      hits.map(({ key }) => key),
      [kept.key],
    )
    assert.deepEqual([...corrections], [[lost, alike]])
  })

  it('continues with the old index after a discarded rebuild', async () => {
    const profileId = freshProfileId()
    const [kept, lost] = [freshWord(), freshWord()]
    const document = documentOf({ profileId, title: kept })
    await subject().put([document])
    const unfinished = await subject().rebuild()
    await unfinished.put([documentOf({ profileId, title: lost })])
    const discarded = await subject().rebuild()
    await assert.rejects(unfinished.commit(), 'a new rebuild takes the place of an unfinished one')
    await discarded.put([documentOf({ profileId, title: lost })])
    await discarded.discard()
    assert.deepEqual(await keysFor(subject(), [word(kept)]), [document.key])
    assert.deepEqual(await keysFor(subject(), [word(lost)]), [])
    assert.equal((await subject().stats()).isRebuilding, false)
  })

  it('stores the position in the event log', async () => {
    await subject().mark('0-12-34')
    assert.equal(await subject().position(), '0-12-34')
    await subject().ping()
  })
}
