import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Receipt } from '../../ports/storage/payments.ts'
import { freshName, newGrant, newPurchase, newReceipt, newSettlement } from '../records.ts'
import { casesFor, HOUR } from './bench.ts'

const at = (second: number) => new Date(Date.UTC(2026, 4, 4, 0, 0, second))

/** How buyers see their own purchases. */
export const ownPurchaseCases = casesFor(['openPurchases', 'sales'], (it, bench) => {
  async function sell(second: number, changes: Partial<Receipt> = {}, buyer?: string) {
    const { id: profileId } = await bench.profile()
    const purchase = newPurchase({ profileId })
    const { id } = await bench.claim({ purchase })
    const seller = { profileId, did: 'did:web:seller.example', accountId: null }
    const receipt = newReceipt({ seller, issuedAt: at(second), ...changes })
    await bench.write((tx) =>
      tx.payments.settle(id, { receiptId: receipt.receiptId, settlement: newSettlement(), buyer }),
    )
    await bench.write((tx) => tx.receipts.insert(receipt))
    return { receipt: { ...receipt, refund: null, refundClaim: null }, purchase, access: null, profileId }
  }
  const idsOf = (page: { readonly items: readonly { readonly receipt: Receipt }[] }) =>
    page.items.map(({ receipt }) => receipt.receiptId)
  const wallet = () => `0x${randomUUID().replaceAll('-', '')}AbCdEf01`

  it('lists the purchases of an account, a payer and buyers, and no others', async () => {
    const [accountId, address, buyer] = [randomUUID(), wallet(), freshName('b')]
    const payerNetwork = 'eip155:1'
    const ofAccount = await sell(1, { payerAccountId: accountId })
    const ofPayer = await sell(2, { payerWalletAddress: address, payerNetwork })
    const ofBuyer = await sell(3, {}, buyer)
    const ofAll = await sell(4, { payerAccountId: accountId, payerWalletAddress: address, payerNetwork }, buyer)
    await sell(5, { payerWalletAddress: address, payerNetwork: 'eip155:2' })
    await sell(6, {}, freshName('b'))

    const list = bench.read.openPurchases.listOf
    const page = { limit: 10 }
    const payer = { payerWalletAddress: address.toLowerCase(), payerNetwork }
    const id = ({ receipt }: typeof ofAll) => receipt.receiptId
    assert.deepEqual(idsOf(await list({ accountId }, page)), [id(ofAll), id(ofAccount)])
    assert.deepEqual(idsOf(await list({ payer }, page)), [id(ofAll), id(ofPayer)])
    assert.deepEqual(idsOf(await list({ buyers: [freshName('b'), buyer] }, page)), [id(ofAll), id(ofBuyer)])
    const everything = await list({ accountId, payer, buyers: [buyer] }, page)
    assert.deepEqual(idsOf(everything), [id(ofAll), id(ofBuyer), id(ofPayer), id(ofAccount)])
    assert.equal(everything.total, 4)
    const { profileId: _, ...shown } = ofAll
    assert.deepEqual(everything.items[0], shown)
    for (const none of [
      {},
      { buyers: [] },
      { buyers: ['a\0b'] },
      { accountId: 'no uuid' },
      { accountId: randomUUID() },
    ])
      assert.deepEqual(await list(none, page), { items: [], total: 0, nextCursor: undefined })
  })

  it('distinguishes case in addresses that are not of EVM', async () => {
    const payerWalletAddress = freshName('Card_Abc')
    const { receipt } = await sell(1, { payerWalletAddress, payerNetwork: 'cash:test' })
    const list = (address: string) =>
      bench.read.openPurchases.listOf(
        { payer: { payerWalletAddress: address, payerNetwork: 'cash:test' } },
        { limit: 1 },
      )
    assert.deepEqual(idsOf(await list(payerWalletAddress)), [receipt.receiptId])
    assert.deepEqual(idsOf(await list(payerWalletAddress.toLowerCase())), [])
  })

  it('gives the pages of a list without gaps', async () => {
    const accountId = randomUUID()
    const sold = []
    for (const second of [1, 2, 2, 3, 4]) sold.push((await sell(second, { payerAccountId: accountId })).receipt)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await bench.read.openPurchases.listOf({ accountId }, { limit: 2, cursor })
      assert.equal(page.total, 5)
      seen.push(...idsOf(page))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.equal(new Set(seen).size, 5)
    assert.deepEqual(new Set(seen), new Set(sold.map(({ receiptId }) => receiptId)))
  })

  it('shows until when a purchase is open, and that it ended or was given back', async () => {
    const accountId = randomUUID()
    const { receipt, profileId } = await sell(1, { payerAccountId: accountId })
    const { receiptId } = receipt
    const get = async () => (await bench.read.openPurchases.getOf({ accountId }, receiptId))?.access
    assert.equal(await get(), null)
    const end = new Date(Date.now() + HOUR)
    for (const validUntil of [end, new Date(Date.now() + HOUR / 2), new Date(Date.now() - HOUR)]) {
      const held = newGrant(profileId, { receiptId, validUntil, payerWalletAddress: freshName('w') })
      await bench.write((tx) => tx.entitlements.grant(held))
    }
    assert.deepEqual(await get(), { validUntil: end })
    const forever = newGrant(profileId, { receiptId, validUntil: null, payerWalletAddress: freshName('w') })
    await bench.write((tx) => tx.entitlements.grant(forever))
    assert.deepEqual(await get(), { validUntil: null })
    await bench.write((tx) => tx.grants.endOfReceipt(receiptId, at(9)))
    assert.equal(await get(), null)
  })

  it('finds one purchase for its owner only', async () => {
    const accountId = randomUUID()
    const { receipt, profileId: _, ...shown } = await sell(1, { payerAccountId: accountId })
    const get = bench.read.openPurchases.getOf
    assert.deepEqual(await get({ accountId }, receipt.receiptId), { receipt, ...shown })
    assert.equal(await get({ accountId: randomUUID() }, receipt.receiptId), undefined)
    assert.equal(await get({ accountId }, 'a\0b'), undefined)
    assert.equal(await get({ accountId }, 'rcpt_unknown'), undefined)
  })
})
