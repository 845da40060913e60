import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage/storage.ts'
import { casesFor, HOUR } from './bench.ts'

const PAST = new Date('2026-01-01T00:00:00Z')
const later = () => new Date(Date.now() + 24 * HOUR)

export const scheduledPublicationCases = casesFor(['pageDrafts'], (it, bench) => {
  async function scheduled(publishAt: Date) {
    const profile = await bench.profile()
    const { id: pageId } = await bench.page(profile, { status: 'draft', publishedAt: null })
    const publication = { pageId, publishAt, scheduledBy: profile.ownerAccountId }
    assert.equal(await bench.write((tx) => tx.scheduledPublications.put(publication)), true)
    return publication
  }
  const list = (pageId: number) => bench.read.scheduledPublications.list([pageId])
  const taking = (pageId: number) => (tx: Stores<'pageDrafts'>) => tx.scheduledPublications.takeDue(pageId)

  it('schedules one publication of a page, replaces and cancels it, and deletes it with the page', async () => {
    const first = await scheduled(PAST)
    const { pageId } = first
    assert.deepEqual(await list(pageId), [first])
    assert.deepEqual(await bench.read.scheduledPublications.list([]), [])
    const second = { ...first, publishAt: later() }
    assert.equal(await bench.write((tx) => tx.scheduledPublications.put(second)), true)
    assert.deepEqual(await list(pageId), [second])
    assert.equal(await bench.write((tx) => tx.scheduledPublications.delete(pageId)), true)
    assert.equal(await bench.write((tx) => tx.scheduledPublications.delete(pageId)), false)
    await bench.write((tx) => tx.scheduledPublications.put(first))
    await bench.write((tx) => tx.pages.delete(pageId))
    assert.deepEqual(await list(pageId), [])
    assert.equal(await bench.write((tx) => tx.scheduledPublications.put(first)), false, 'the page does not exist')
  })

  it('cancels the publications that one account scheduled', async () => {
    const [own, other] = [await scheduled(later()), await scheduled(later())]
    await bench.write(async (tx) => {
      await tx.scheduledPublications.deleteOfAccount(own.scheduledBy)
      await tx.scheduledPublications.deleteOfAccount('no uuid')
    })
    assert.deepEqual(await bench.read.scheduledPublications.list([own.pageId, other.pageId]), [other])
  })

  it('lists and takes what is due by its own clock, and nothing else', async () => {
    const [due, open] = [await scheduled(PAST), await scheduled(later())]
    const before = Math.min(due.pageId, open.pageId) - 1
    const listed = await bench.read.scheduledPublications.listDue(before, 1_000)
    assert.deepEqual(
      listed.filter(({ pageId }) => pageId === due.pageId || pageId === open.pageId),
      [due],
    )
    const ids = (await bench.read.scheduledPublications.listDue(due.pageId, 1_000)).map(({ pageId }) => pageId)
    assert.ok(!ids.includes(due.pageId))
    assert.equal(await bench.write(taking(open.pageId)), undefined)
    assert.deepEqual(await bench.write(taking(due.pageId)), due)
    assert.deepEqual(await list(due.pageId), [])
    assert.deepEqual(await list(open.pageId), [open])
  })

  it('gives a due publication to exactly one of many, and to another one after a rollback', async () => {
    const due = await scheduled(PAST)
    const rolledBack = await bench.overlap(taking(due.pageId), [taking(due.pageId)], 'rollback')
    assert.deepEqual(rolledBack.others, [due])
    await bench.write((tx) => tx.scheduledPublications.put(due))
    const { first, others } = await bench.overlap(taking(due.pageId), [taking(due.pageId), taking(due.pageId)])
    assert.deepEqual([first, ...others], [due, undefined, undefined])
  })

  it('does not take a publication that is postponed or cancelled concurrently', async () => {
    const due = await scheduled(PAST)
    const postponed = { ...due, publishAt: later() }
    const moved = await bench.overlap((tx) => tx.scheduledPublications.put(postponed), [taking(due.pageId)])
    assert.deepEqual(moved.others, [undefined])
    assert.deepEqual(await list(due.pageId), [postponed])
    await bench.write((tx) => tx.scheduledPublications.put(due))
    const cancelled = await bench.overlap((tx) => tx.scheduledPublications.delete(due.pageId), [taking(due.pageId)])
    assert.deepEqual(cancelled.others, [undefined])
  })
})
