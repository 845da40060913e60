import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { casesFor, HOUR } from './bench.ts'

const later = () => new Date(Date.now() + 24 * HOUR)

export const pagePreviewLinkCases = casesFor(['pageDrafts'], (it, bench) => {
  async function pageOf() {
    const profile = await bench.profile()
    const { id: pageId } = await bench.page(profile, { status: 'draft', publishedAt: null })
    const { ownerAccountId } = profile
    return { pageId, createdBy: ownerAccountId, ownerAccountId, createdAt: new Date('2026-01-01T00:00:00Z') }
  }
  type Page = Awaited<ReturnType<typeof pageOf>>
  const inserting =
    (page: Page, limit = 10, expiresAt = later(), hash: string = randomUUID()) =>
    (tx: Stores<'pageDrafts'>) =>
      tx.pagePreviewLinks.insert({ ...page, hash, expiresAt }, limit)
  async function inserted(page: Page, expiresAt = later()) {
    const hash = randomUUID()
    const link = await bench.write(inserting(page, 10, expiresAt, hash))
    assert.ok(link && link !== 'full')
    return { hash, link }
  }
  const list = (pageId: number) => bench.read.pagePreviewLinks.list(pageId)

  it('finds a link by the hash of its token, and lists those of a page, the newest first', async () => {
    const page = await pageOf()
    const [first, second] = [await inserted(page), await inserted(page)]
    const { id, expiresAt } = first.link
    assert.deepEqual(first.link, { ...page, id, expiresAt })
    assert.deepEqual(await bench.read.pagePreviewLinks.find(first.hash), first.link)
    assert.equal(await bench.read.pagePreviewLinks.find(randomUUID()), undefined)
    assert.equal(await bench.read.pagePreviewLinks.find('\u0000'), undefined)
    assert.deepEqual(await list(page.pageId), [second.link, first.link])
    assert.deepEqual(await list((await pageOf()).pageId), [])
  })

  it('does not find links that have expired by its own clock, and purges them', async () => {
    const page = await pageOf()
    const past = await inserted(page, new Date(Date.now() - HOUR))
    const valid = await inserted(page)
    assert.equal(await bench.read.pagePreviewLinks.find(past.hash), undefined)
    assert.deepEqual(await list(page.pageId), [valid.link])
    await bench.write((tx) => tx.expired.delete(1_000))
    assert.equal(await bench.write((tx) => tx.pagePreviewLinks.delete(page.pageId, past.link.id)), false)
    assert.deepEqual(await list(page.pageId), [valid.link])
  })

  it('deletes one link, those of a page and those of an account, also with the page', async () => {
    const [page, other] = [await pageOf(), await pageOf()]
    const [first, second, foreign] = [await inserted(page), await inserted(page), await inserted(other)]
    assert.equal(await bench.write((tx) => tx.pagePreviewLinks.delete(other.pageId, first.link.id)), false)
    assert.equal(await bench.write((tx) => tx.pagePreviewLinks.delete(page.pageId, first.link.id)), true)
    assert.deepEqual(await list(page.pageId), [second.link])
    await bench.write((tx) => tx.pagePreviewLinks.deleteOfPage(page.pageId))
    assert.deepEqual([await list(page.pageId), await list(other.pageId)], [[], [foreign.link]])
    await inserted(page)
    await bench.write(async (tx) => {
      await tx.pagePreviewLinks.deleteOfAccount(page.createdBy)
      await tx.pagePreviewLinks.deleteOfAccount('no uuid')
    })
    assert.deepEqual([await list(page.pageId), await list(other.pageId)], [[], [foreign.link]])
    await bench.write((tx) => tx.pages.delete(other.pageId))
    assert.equal(await bench.read.pagePreviewLinks.find(foreign.hash), undefined)
    assert.equal(await bench.write(inserting(other)), undefined, 'the page does not exist')
  })

  it('deletes the links of a profile that gets another owner, and no others', async () => {
    const [page, other] = [await pageOf(), await pageOf()]
    const { profileId } = (await bench.read.pages.get(page.pageId)) ?? assert.fail('the page is stored')
    const [moved, kept] = [await inserted(page), await inserted(other)]
    const save = (ownerAccountId: string) =>
      bench.write((tx) => tx.profiles.save(profileId, { ownerAccountId, updatedAt: new Date() }))
    await save(page.ownerAccountId)
    assert.deepEqual(await list(page.pageId), [moved.link])
    await save(other.ownerAccountId)
    await save(page.ownerAccountId)
    assert.equal(await bench.read.pagePreviewLinks.find(moved.hash), undefined)
    assert.deepEqual([await list(page.pageId), await list(other.pageId)], [[], [kept.link]])
  })

  it('stores no more links of a page than the limit, also when two are stored concurrently', async () => {
    const page = await pageOf()
    await inserted(page, new Date(Date.now() - HOUR))
    await inserted(page)
    const outcome = await bench.overlap(inserting(page, 2), [inserting(page, 2)])
    assert.equal((await list(page.pageId)).length, 2)
    assert.ok(JSON.stringify(outcome).includes('full'))
    assert.equal(await bench.write(inserting(page, 2)), 'full')
  })
})
