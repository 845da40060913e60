import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { PageRequest } from '../../kernel/page.ts'
import type { Receipt } from '../../ports/storage/payments.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newReceipt } from '../records.ts'
import { casesFor, ODD_TEXT } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

export const receiptCases = casesFor([], (it, bench) => {
  it('stores a receipt as it was inserted', async () => {
    const full = newReceipt({ resource: ODD_TEXT, signature: 'x'.repeat(5_000) })
    const bare = newReceipt({
      seller: { ...full.seller, accountId: null },
      amount: { atomic: '9'.repeat(78), decimal: `0.${'1'.repeat(30)}`, asset: '0xA5', currency: 'usdc' },
      per: 'request',
      settlement: { reference: 'pi_1', transaction: null, network: 'stripe:live' },
      payerDid: null,
      payerAccountId: null,
    })
    for (const receipt of [full, bare]) {
      assert.deepEqual(await bench.write((tx) => tx.receipts.insert(receipt)), receipt)
      assert.deepEqual(await bench.read.receipts.get(receipt.receiptId), receipt)
    }
    assert.equal(await bench.read.receipts.get(`rcpt_${freshName()}`), undefined)
  })

  it('inserts a receipt once, and keeps the transaction usable', async () => {
    const [receipt, next] = [newReceipt(), newReceipt()]
    await bench.write((tx) => tx.receipts.insert(receipt))
    await bench.write(async (tx) => {
      assert.equal(await tx.receipts.insert({ ...receipt, tier: 'another' }), undefined)
      assert.ok(await tx.receipts.insert(next))
    })
    assert.deepEqual(await bench.read.receipts.get(receipt.receiptId), receipt)
    assert.ok(await bench.read.receipts.get(next.receiptId))
  })

  it('lets exactly one of many insert a receipt', async () => {
    const receipt = newReceipt()
    const insert = (tier: string) => (tx: Stores) => tx.receipts.insert({ ...receipt, tier })
    const { first, others } = await bench.overlap(insert('first'), ['a', 'b', 'c'].map(insert))
    assert.equal(first?.tier, 'first')
    assert.deepEqual(others, [undefined, undefined, undefined])
    assert.equal((await bench.read.receipts.get(receipt.receiptId))?.tier, 'first')
  })

  it('lists the receipts of an account or of an agent, newest first, then by id', async () => {
    const [payerAccountId, payerDid] = [randomUUID(), `did:web:agents.example:${freshName()}`]
    const at = (ms: number) => new Date(Date.UTC(2026, 1, 1) + ms)
    const paidBy = async (payer: Partial<Receipt>) => {
      const made = [1, 2, 2, 0, 2].map((ms) => newReceipt({ ...payer, issuedAt: at(ms) }))
      for (const receipt of made) await bench.write((tx) => tx.receipts.insert(receipt))
      const before = (left: Receipt, right: Receipt) => (left.receiptId < right.receiptId ? -1 : 1)
      return made.sort((left, right) => +right.issuedAt - +left.issuedAt || before(left, right))
    }
    const byAccount = await paidBy({ payerAccountId, payerDid: null })
    const byAgent = await paidBy({ payerDid, payerAccountId: null })
    for (const [payer, paid, expected] of [
      [{ accountId: payerAccountId }, { payerAccountId, payerDid: null }, byAccount],
      [{ did: payerDid }, { payerDid, payerAccountId: null }, byAgent],
    ] as const) {
      const list = async (page: PageRequest) => {
        const { items, ...more } = await bench.read.receipts.list(payer, page)
        return { items: items.map(({ refund: _, refundClaim: __, ...receipt }) => receipt), ...more }
      }
      assert.deepEqual((await list({ limit: 100 })).items, expected)
      assert.equal((await list({ limit: 2 })).total, 5)
      for (const limit of [1, 2, 5]) assert.deepEqual(await readAll(list, limit), expected)
      const newest = newReceipt({ ...paid, issuedAt: at(9) })
      assert.deepEqual(await readAll(list, 2, () => bench.write((tx) => tx.receipts.insert(newest))), expected)
      await checkCursors(list)
    }
    const network = `eip155:${freshName('network')}`
    const onNetwork = newReceipt()
    await bench.write((tx) => tx.receipts.insert({ ...onNetwork, settlement: { ...onNetwork.settlement, network } }))
    const ofNetwork = await bench.read.receipts.list({ network }, { limit: 2 })
    assert.deepEqual(
      ofNetwork.items.map(({ receiptId }) => receiptId),
      [onNetwork.receiptId],
    )
    assert.deepEqual((await bench.read.receipts.list({ accountId: randomUUID() }, { limit: 1 })).items, [])
    assert.deepEqual((await bench.read.receipts.list({ did: 'did:web:unknown.example' }, { limit: 1 })).items, [])
  })
})
