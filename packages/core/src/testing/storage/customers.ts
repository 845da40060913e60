import assert from 'node:assert/strict'
import type { Purchase } from '../../ports/payment-rail.ts'
import type { Receipt } from '../../ports/storage/payments.ts'
import { freshName, newPurchase, newReceipt, newSettlement } from '../records.ts'
import { casesFor } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

const at = (second: number) => new Date(Date.UTC(2026, 4, 4, 0, 0, second))

/** How sellers see their customers. */
export const customerCases = casesFor(['sales'], (it, bench) => {
  type Sold = Partial<Purchase> & { readonly buyer?: string; readonly toldEmail?: string }
  const GUEST = { payerAccountId: null, payerDid: null }

  async function sell(profileId: number, second: number, changes: Partial<Receipt>, more: Sold = {}) {
    const { buyer, toldEmail, ...purchase } = more
    const receipt = newReceipt({
      seller: { profileId, did: 'did:web:seller.example', accountId: null },
      issuedAt: at(second),
      ...changes,
    })
    const { id } = await bench.claim({ purchase: newPurchase({ profileId, ...purchase }) })
    const { receiptId } = receipt
    await bench.write((tx) => tx.payments.settle(id, { receiptId, settlement: newSettlement(), buyer, toldEmail }))
    await bench.write((tx) => tx.receipts.insert(receipt))
    return receipt
  }

  it('counts the purchases of an account, a buyer, an agent and a wallet as one customer each', async () => {
    const [{ id }, { id: elsewhere }] = [await bench.profile(), await bench.profile()]
    const account = await bench.account()
    const [buyer, did, wallet] = [freshName('b'), `did:web:agents.example:${freshName()}`, `0xAbC${freshName('d')}`]
    const network = 'eip155:1'
    for (const second of [1, 2]) {
      // The account comes first, whatever else identifies it.
      await sell(id, second, { payerAccountId: account.id, payerDid: second === 1 ? did : null }, { buyer })
      await sell(id, 2 + second, { ...GUEST, payerWalletAddress: freshName('card') }, { buyer })
      await sell(id, 4 + second, { payerAccountId: null, payerDid: did })
      const payerWalletAddress = second === 1 ? wallet : wallet.toLowerCase()
      await sell(id, 6 + second, { ...GUEST, payerWalletAddress, payerNetwork: network })
    }
    await sell(id, 9, { ...GUEST, payerWalletAddress: wallet, payerNetwork: 'eip155:2' })
    await sell(elsewhere, 10, { ...GUEST, payerWalletAddress: freshName('card') }, { buyer })

    const { items, total } = await bench.read.customers.listOf(id, { limit: 10 })
    assert.equal(total, 5)
    assert.deepEqual(
      items.map(({ kind, purchases, firstAt, lastAt }) => [kind, purchases, firstAt, lastAt]),
      [
        ['payer', 1, at(9), at(9)],
        ['payer', 2, at(7), at(8)],
        ['agent', 2, at(5), at(6)],
        ['buyer', 2, at(3), at(4)],
        ['account', 2, at(1), at(2)],
      ],
    )
    assert.deepEqual([items[2]?.payerDid, items[1]?.payerWalletAddress], [did, wallet.toLowerCase()])
    const sales = await bench.read.sales.list({ profileIds: [id] }, { limit: 20 })
    assert.deepEqual(new Set(sales.items.map(({ customer }) => customer.id)), new Set(items.map((one) => one.id)))

    const [other] = (await bench.read.customers.listOf(elsewhere, { limit: 10 })).items
    assert.equal(other?.kind, 'buyer')
    assert.ok(!items.some((one) => one.id === other?.id), 'profiles can compare their customers')

    const list = (page: { readonly limit: number }) => bench.read.customers.listOf(id, page)
    assert.deepEqual(await readAll(list, 2), items)
    await checkCursors(list)
  })

  it('sums what a customer paid by asset, with what was refunded', async () => {
    const { id } = await bench.profile()
    const payer = { ...GUEST, payerWalletAddress: freshName('wallet') }
    const paid = (atomic: string, asset: string) => ({
      ...payer,
      amount: { atomic, decimal: '1', asset, currency: 'usdc' },
    })
    const network = 'cash:test'
    await sell(id, 1, paid('100000000000000000000', 'coin'))
    const { receiptId } = await sell(id, 2, paid('1', 'coin'))
    await sell(id, 3, paid('5', 'slip'))
    await bench.write((tx) =>
      tx.refunds.record({ receiptId, reference: freshName('r'), reason: null, refundedAt: at(9), refundedBy: null }),
    )
    const [customer] = (await bench.read.customers.listOf(id, { limit: 10 })).items
    assert.deepEqual([customer?.purchases, customer?.refunds], [3, 1])
    assert.deepEqual(customer?.sums, [
      { network, asset: 'coin', currency: 'usdc', gross: '100000000000000000001', refunded: '1' },
      { network, asset: 'slip', currency: 'usdc', gross: '5', refunded: '0' },
    ])
  })

  it('names an account only while its person profile is public', async () => {
    const { id } = await bench.profile()
    const account = await bench.account()
    const person = await bench.profile({ ownerAccountId: account.id, username: account.username })
    await sell(id, 1, { payerAccountId: account.id })
    const named = async () => (await bench.read.customers.listOf(id, { limit: 1 })).items[0]?.username
    assert.equal(await named(), account.username)
    for (const visibility of ['unlisted', 'private'] as const) {
      await bench.write((tx) => tx.profiles.save(person.id, { visibility, updatedAt: at(1) }))
      assert.equal(await named(), null)
    }
    await bench.write((tx) => tx.profiles.save(person.id, { visibility: 'public', updatedAt: at(1) }))
    await bench.write((tx) => tx.profiles.withdrawOfAccount(account.id, at(1)))
    assert.equal(await named(), null)
  })

  it('keeps the purchases of erased accounts as those of one erased customer', async () => {
    const { id } = await bench.profile()
    const accounts = [await bench.account(), await bench.account()]
    for (const [second, account] of accounts.entries()) {
      const receipt = await sell(id, second, { payerAccountId: account.id, payerDid: null })
      await bench.write((tx) => tx.receipts.replace({ ...receipt, payerAccountId: null }))
      // Another replacement, as for the erased seller, changes nothing of it.
      await bench.write((tx) => tx.receipts.replace({ ...receipt, payerAccountId: null, signature: 'x' }))
    }
    const guest = await sell(id, 5, GUEST)
    await bench.write((tx) => tx.receipts.replace({ ...guest, signature: 'x' }))
    const { items } = await bench.read.customers.listOf(id, { limit: 10 })
    assert.deepEqual(
      items.map(({ kind, purchases }) => [kind, purchases]),
      [
        ['payer', 1],
        ['erased', 2],
      ],
    )
  })

  it('shows the email address that a buyer shared with the seller with that sale alone', async () => {
    const { id } = await bench.profile()
    const buyer = freshName('b')
    await sell(id, 1, GUEST, { buyer })
    await sell(id, 2, GUEST, { buyer, toldEmail: 'ada@mail.example' })
    const { items } = await bench.read.sales.list({ profileIds: [id] }, { limit: 10 })
    assert.deepEqual(
      items.map(({ toldEmail }) => toldEmail),
      ['ada@mail.example', null],
    )
  })

  it('returns the titles of the latest purchases of each customer, each once', async () => {
    const { id } = await bench.profile()
    const payer = { ...GUEST, payerWalletAddress: freshName('wallet') }
    const shown = { url: 'https://profiles.example/u/a', mimeType: 'text/plain' }
    for (const [second, title] of ['one', 'two', 'three', 'four', 'five', 'two', ''].entries())
      await sell(id, second, { ...payer, resource: 'content.notes' }, { shown: { ...shown, description: title } })
    const [customer] = (await bench.read.customers.listOf(id, { limit: 10 })).items
    assert.deepEqual(customer?.titles, ['content.notes', 'two', 'five', 'four'])
  })

  it('sums sales by period, from the first start on', async () => {
    const [{ id }, { id: second }] = [await bench.profile(), await bench.profile()]
    const amount = (atomic: string) => ({ amount: { atomic, decimal: '1', asset: 'coin', currency: 'usdc' } })
    for (const [time, atomic] of [
      [0, '1'],
      [10, '2'],
      [19, '4'],
      [20, '8'],
      [35, '16'],
    ] as const)
      await sell(id, time, amount(atomic))
    await sell(second, 35, amount('32'))
    const query = { profileIds: [id, second], to: at(40) }
    const sums = await bench.read.sales.sumByPeriod(query, [at(10), at(20), at(25), at(30)])
    assert.deepEqual(
      sums.map(({ period, sales, gross }) => [period, sales, gross]),
      [
        [0, 2, '6'],
        [1, 1, '8'],
        [3, 2, '48'],
      ],
    )
    assert.deepEqual(await bench.read.sales.sumByPeriod(query, []), [])
    assert.deepEqual(await bench.read.sales.sumByPeriod({ ...query, profileIds: [] }, [at(0)]), [])
  })
})
