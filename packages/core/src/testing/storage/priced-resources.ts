import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage/storage.ts'
import { newAccount, newPage, newProfile, newReceipt } from '../records.ts'
import { type Bench, casesFor, present } from './bench.ts'
import { gateConfig } from './gate-config.ts'

const at = new Date('2026-08-08T08:08:08.008Z')
const since = new Date('2026-07-01T00:00:00Z')
const before = { page: Number.MAX_SAFE_INTEGER, file: Number.MAX_SAFE_INTEGER }

/** A public profile with a page, and with a gate that sells or one that does not. */
async function seller(bench: Bench<'pricedResources'>, { sells = true, verified = true } = {}) {
  return bench.write(async (tx: Stores<'pricedResources'>) => {
    const account = present(await tx.accounts.insert(newAccount()))
    await tx.accounts.save(account.id, { emailVerified: verified })
    const profile = present(await tx.profiles.insert(newProfile(account.id, { visibility: 'public' })))
    const page = present(await tx.pages.insert(newPage(profile.id, account.id, { status: 'published' })))
    const free = { default_tier: 'public', tiers: { public: { requirements: [], access: ['*'] } } }
    const config = sells ? gateConfig() : free
    await tx.gates.put({ profileId: profile.id, config, changedBy: account.id, updatedAt: at })
    return { id: profile.id, account: account.id, page: page.id }
  })
}

export const pricedResourceCases = casesFor(['pricedResources'], (it, bench) => {
  const sellers = async (of: readonly number[], verifiedOnly = false) =>
    (await bench.read.pricedResources.listSellers({ limit: 1_000, since, verifiedOnly })).filter((id) =>
      of.includes(id),
    )
  const sold = (profileId: number, changes: Parameters<typeof newReceipt>[0]) => {
    const seller = { profileId, did: 'did:web:seller.example', accountId: null }
    return bench.write((tx) =>
      tx.receipts.insert(newReceipt({ seller, payerAccountId: null, issuedAt: at, ...changes })),
    )
  }

  it('lists the sellers in public lists, and none of another profile', async () => {
    const [one, free, unverified, hidden] = [
      await seller(bench),
      await seller(bench, { sells: false }),
      await seller(bench, { verified: false }),
      await seller(bench),
    ]
    await bench.write((tx) => tx.profiles.save(hidden.id, { visibility: 'unlisted', updatedAt: at }))
    const all = [one.id, free.id, unverified.id, hidden.id]
    assert.deepEqual(new Set(await sellers(all)), new Set([one.id, unverified.id]))
    assert.deepEqual(await sellers(all, true), [one.id])
    await bench.write((tx) => tx.profiles.withdrawOfAccount(one.account, at))
    assert.deepEqual(await sellers(all, true), [])
  })

  it('lists sellers with more buyers first, and counts each buyer once, without the owner, the team and old sales', async () => {
    const [popular, single, own] = [await seller(bench), await seller(bench), await seller(bench)]
    for (const wallet of ['0xaa', '0xbb']) await sold(popular.id, { payerWalletAddress: wallet })
    for (const receipt of [1, 2, 3]) await sold(single.id, { payerWalletAddress: receipt === 3 ? '0xCC' : '0xcc' })
    for (const _ of [1, 2, 3]) await sold(own.id, { payerAccountId: own.account })
    await sold(own.id, { payerWalletAddress: '0xdd', issuedAt: new Date(since.getTime() - 1) })
    assert.deepEqual(await sellers([own.id, single.id, popular.id]), [popular.id, single.id, own.id])
  })

  it('lists the newest pages of profiles with gates, and reads those that are in public lists', async () => {
    const one = await seller(bench)
    const { page } = await bench.read.pricedResources.listNewest([one.id], { limit: 10, before })
    assert.deepEqual(page, [one.page])
    const [source] = await bench.read.pricedResources.listSources({ page })
    assert.deepEqual([source?.id, source?.body, source?.gates], [one.page, '', gateConfig()])
    await bench.write((tx) => tx.profiles.withdrawOfAccount(one.account, at))
    assert.deepEqual(await bench.read.pricedResources.listSources({ page }), [])
  })
})
