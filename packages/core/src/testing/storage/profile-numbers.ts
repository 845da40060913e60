import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage/storage.ts'
import { keeping, newPage, newReceipt, newUpload, uploaded } from '../records.ts'
import { casesFor } from './bench.ts'

const NOTHING = {
  pages: { draft: 0, published: 0, archived: 0 },
  categories: 0,
  reactions: { like: 0, bookmark: 0 },
  sales: 0,
}

const AT = new Date('2026-06-06T06:06:06.006Z')

const NONE_OWNED = { profiles: 0, pages: 0, files: 0, storageBytes: 0 }

export const profileNumberCases = casesFor(['reactions', 'files'], (it, bench) => {
  it('counts the profiles and pages of an account', async () => {
    const { id: ownerAccountId } = await bench.account()
    assert.deepEqual(await bench.read.profiles.countOfAccount(ownerAccountId), NONE_OWNED)
    const profile = await bench.profile({ ownerAccountId })
    await bench.profile({ ownerAccountId })
    await bench.page(profile)
    await bench.page(profile, { status: 'archived' })
    await bench.page(await bench.profile())
    await bench.write(async (tx) => {
      const [upload, file] = [newUpload(ownerAccountId), newUpload(ownerAccountId)]
      await tx.files.createUpload(upload)
      await tx.files.createUpload(file)
      await tx.files.commitUploads(keeping(profile, [uploaded(file, { size: 7 })]))
    })
    const { storageBytes, ...counts } = await bench.read.profiles.countOfAccount(ownerAccountId)
    assert.deepEqual(counts, { profiles: 2, pages: 2, files: 1 })
    assert.ok(storageBytes > 7)
    assert.deepEqual(await bench.read.profiles.countOfAccount('unknown'), NONE_OWNED)
  })

  it('counts the bytes of files, of every page version and of every gate version of an account', async () => {
    const { id: ownerAccountId } = await bench.account()
    const bytes = async () => (await bench.read.profiles.countOfAccount(ownerAccountId)).storageBytes
    const [profile, second] = [await bench.profile({ ownerAccountId }), await bench.profile({ ownerAccountId })]
    const page = await bench.page(profile, { title: 'ab', body: 'äö', excerpt: null })
    assert.equal(await bytes(), 2 + 4)
    await bench.write((tx) => tx.pages.save(page.id, { body: 'x'.repeat(10), updatedAt: AT, savedBy: ownerAccountId }))
    assert.equal(await bytes(), 6 + 12)
    const config = { default_tier: 'open', tiers: { open: { requirements: [], access: ['*'] } } }
    const size = Buffer.byteLength(JSON.stringify(config))
    const put = { profileId: second.id, config, changedBy: ownerAccountId, updatedAt: AT }
    await bench.write((tx) => tx.gates.put(put))
    await bench.write((tx) => tx.gates.put(put))
    assert.equal(await bytes(), 18 + 2 * size)
    await bench.write((tx) => tx.pages.delete(page.id))
    assert.equal(await bytes(), 2 * size)
  })

  it('counts the rows of the previous transaction when the account is locked first', async () => {
    const profile = await bench.profile()
    const { id, ownerAccountId } = profile
    const add = async (tx: Stores<'reactions' | 'files'>) => {
      await tx.accounts.lock(ownerAccountId)
      const { storageBytes: before } = await tx.profiles.countOfAccount(ownerAccountId)
      await tx.pages.insert(newPage(id, ownerAccountId, { title: '', body: 'x'.repeat(10), excerpt: null }))
      return before
    }
    const { first, others } = await bench.overlap(add, [add, add])
    assert.deepEqual([first, ...others.toSorted((left, right) => left - right)], [0, 10, 20])
  })
})

export const profileNumberProfileNumbersCases = casesFor(['reactions', 'files', 'profileNumbers'], (it, bench) => {
  it('counts the contents of several profiles separately', async () => {
    const [full, empty, unasked] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const category = await bench.category(full)
    await bench.category(full, { parentId: category.id })
    const page = await bench.page(full, { status: 'published', categoryId: category.id })
    for (const status of ['published', 'draft', 'archived', 'archived', 'archived'] as const) {
      await bench.page(full, { status })
    }
    await bench.page(unasked)
    const seller = { profileId: full.id, did: 'did:web:seller.example', accountId: null }
    const toggle = (kind: 'like' | 'bookmark', accountId: string) =>
      bench.write((tx) => tx.reactions.toggle({ pageId: page.id, accountId, kind, at: new Date() }))
    await toggle('like', full.ownerAccountId)
    await toggle('like', empty.ownerAccountId)
    await toggle('bookmark', empty.ownerAccountId)
    await bench.write(async (tx) => {
      for (let sale = 0; sale < 2; sale += 1) await tx.receipts.insert(newReceipt({ seller }))
    })

    const counted = await bench.read.profileNumbers.countOfProfiles([full.id, empty.id, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(
      counted,
      new Map([
        [
          full.id,
          {
            pages: { draft: 1, published: 2, archived: 3 },
            categories: 2,
            reactions: { like: 2, bookmark: 1 },
            sales: 2,
          },
        ],
        [empty.id, NOTHING],
      ]),
    )
    assert.deepEqual(await bench.read.profileNumbers.countOfProfiles([]), new Map())
  })
})
