import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createCashApp, header, openShop, receiptIdOf, type Shop } from '../support/shop.ts'

const DAY = 86_400_000

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop

beforeAll(async () => {
  test = await createCashApp()
  shop = await openShop(test.app, 'bookseller', { per: 'week' })
})
afterAll(() => test.close())

const ends = (days: number) => new Date(Date.now() + days * DAY).toISOString()

/** A user with a wallet, functions to grant and revoke, and the resulting state. */
function visitor(wallet: string) {
  const payer = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
  async function held() {
    const url = `/manage/entitlements?profile_id=${shop.profileId}&active=true&payer_wallet=${wallet}`
    return (await shop.get(url)).json().data
  }
  return {
    held,
    open: async () => (await client(test.app).get(shop.paid, payer)).statusCode === 200,
    async buy(): Promise<string> {
      const offer = await client(test.app).get(shop.paid)
      const proof = test.cashWallets.answer(header(offer, 'payment-required'), { wallet })
      const paid = await client(test.app).get(shop.paid, proof)
      expect(paid.statusCode, paid.body).toBe(200)
      return receiptIdOf(paid)
    },
    async give(validUntil?: string) {
      const tier = { profile_id: shop.profileId, tier: 'reader', payer_wallet: wallet, payer_network: 'cash:test' }
      const answer = await shop.post('/manage/entitlements', {
        ...tier,
        ...(validUntil === undefined ? {} : { valid_until: validUntil }),
      })
      expect(answer.statusCode, answer.body).toBe(201)
    },
    async refund(receiptId: string) {
      const answer = await shop.post(`/eep/payment/receipts/${receiptId}/refund`, {
        reference: await test.handBack(receiptId),
      })
      expect(answer.statusCode, answer.body).toBe(200)
    },
    /** Revokes a grant: the manual one, or that of a receipt. */
    async revoke(receiptId: string | null = null) {
      const { id } = (await held()).find((one: { receipt_id: string | null }) => one.receipt_id === receiptId)
      const answer = await shop.delete(`/manage/entitlements/${id}`)
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json()
    },
  }
}

describe('a grant by hand beside a purchase', () => {
  it('keeps a manual grant until its own end when the longer purchase is refunded', async () => {
    const reader = visitor('wallet:given-after')
    const receipt = await reader.buy()
    const end = ends(1)
    await reader.give(end)
    expect(await reader.held()).toMatchObject([
      { receipt_id: null, reason: 'hand', valid_until: end },
      { receipt_id: receipt, reason: 'purchase' },
    ])
    await reader.refund(receipt)
    expect(await reader.held()).toMatchObject([{ receipt_id: null, valid_until: end, revoked_at: null }])
    expect(await reader.open()).toBe(true)
  })

  it('keeps the longer manual grant when the purchase is refunded, and the purchase when the grant is revoked', async () => {
    const [one, other] = [visitor('wallet:for-ever'), visitor('wallet:for-ever-too')]
    for (const reader of [one, other]) {
      const receipt = await reader.buy()
      await reader.give()
      if (reader === one) {
        await reader.refund(receipt)
        expect(await reader.held()).toMatchObject([{ receipt_id: null, valid_until: null }])
        await reader.revoke()
        expect(await reader.open()).toBe(false)
      } else {
        expect(await reader.revoke()).toMatchObject({ receipt_id: null, revoked_at: expect.any(String) })
        expect(await reader.held()).toMatchObject([{ receipt_id: receipt }])
        expect(await reader.open()).toBe(true)
      }
    }
  })

  it('refuses an end outside of the years 0 to 9999 in UTC, and accepts the last moment of them', async () => {
    const grant = { profile_id: shop.profileId, tier: 'reader', payer_network: 'cash:test' }
    const give = (wallet: string, validUntil: string) =>
      shop.post('/manage/entitlements', { ...grant, payer_wallet: wallet, valid_until: validUntil })
    for (const end of ['9999-12-31T23:59:59-05:00', '0000-01-01T00:00:00+01:00']) {
      const refused = await give('wallet:refused', end)
      expect([refused.statusCode, codeOf(refused)], end).toEqual([400, 'validation_failed'])
    }
    expect((await give('wallet:last', '9999-12-31T23:59:59.999Z')).statusCode).toBe(201)
    expect(await visitor('wallet:last').held()).toMatchObject([{ valid_until: '9999-12-31T23:59:59.999Z' }])
  })

  it('revokes a manual grant and a purchase each by its id', async () => {
    const reader = visitor('wallet:both')
    await reader.give(ends(1))
    const offered = await client(test.app).get(shop.paid)
    expect(offered.statusCode).toBe(402)
    expect(await reader.open()).toBe(true)
    await reader.revoke()
    const receipt = await reader.buy()
    await reader.give(ends(1))
    expect(await reader.revoke(receipt)).toMatchObject({ receipt_id: receipt, revoked_at: expect.any(String) })
    expect(await reader.open()).toBe(true)
    expect((await reader.revoke()).revoked_at).not.toBeNull()
    expect(await reader.open()).toBe(false)
    await reader.refund(receipt)
    expect(await reader.open()).toBe(false)
  })
})

it('stores the grants of a purchase and of a tier given by hand in the order in which entitlements are locked', async () => {
  const stored: (readonly string[])[] = []
  const opened = await openStorage()
  // Records what each transaction stores.
  const transaction: typeof opened.storage.transaction = (work) =>
    opened.storage.transaction((tx) => {
      const patterns: string[] = []
      const grant: typeof tx.entitlements.grant = (one) => {
        if (patterns.push(`${one.payerWalletAddress} ${one.resourcePattern}`) === 2) stored.push(patterns)
        return tx.entitlements.grant(one)
      }
      return work({ ...tx, entitlements: { ...tx.entitlements, grant } })
    })
  const other = await createCashApp({ storage: { ...opened.storage, transaction } })
  const seller = await openShop(other.app, 'printer')
  const requirements = [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }]
  const open = { requirements: [], access: ['profile.*', 'content.*'] }
  const sold = { requirements, access: ['content.notes.looms', 'content.notes.engines', 'content.notes.*'] }
  const saved = await seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, {
    default_tier: 'public',
    tiers: { public: open, sold },
  })
  expect(saved.statusCode, saved.body).toBe(200)
  const buyer = await signUp(other.app)
  const offer = header(await client(other.app).get(seller.paid), 'payment-required')
  const paid = await buyer.get(seller.paid, other.cashWallets.answer(offer, { wallet: 'wallet:a' }))
  expect(paid.statusCode, paid.body).toBe(200)
  const gift = { profile_id: seller.profileId, tier: 'sold', payer_wallet: 'wallet:b', payer_network: 'cash:test' }
  expect((await seller.post('/manage/entitlements', gift)).statusCode).toBe(201)
  await other.close()
  await opened.close()
  expect(stored.map(({ length }) => length)).toEqual([6, 3])
  for (const each of stored) expect(each).toEqual(each.toSorted())
})
