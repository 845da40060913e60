import assert from 'node:assert/strict'
import type { PaymentDispute } from '../../ports/storage/disputes.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newReceipt } from '../records.ts'
import { casesFor } from './bench.ts'

const AT = new Date('2026-11-30T12:00:00Z')
const later = (days: number) => new Date(AT.getTime() + days * 86_400_000)

/** Disputes of payments at the bank. */
export const disputeCases = casesFor(['sales'], (it, bench) => {
  async function receipt() {
    const made = newReceipt()
    await bench.write((tx) => tx.receipts.insert(made))
    return made.receiptId
  }
  const put = (
    receiptId: string,
    reference: string,
    state: PaymentDispute['state'],
    changes: Partial<PaymentDispute> = {},
  ) => bench.write((tx: Stores<'sales'>) => tx.disputes.put({ receiptId, reference, state, updatedAt: AT, ...changes }))
  const [added, known] = [
    (isDisputed: boolean) => ({ isNew: true, isDisputed }),
    (isDisputed: boolean) => ({ isNew: false, isDisputed }),
  ]

  it('records each state of a dispute once, in whichever order they arrive', async () => {
    const [id, reference] = [await receipt(), freshName('dp')]
    assert.deepEqual(await put(id, reference, 'opened'), added(true))
    assert.deepEqual(await put(id, reference, 'opened'), known(true))
    assert.deepEqual(await put(id, reference, 'won'), added(false))
    assert.deepEqual(await put(id, reference, 'won'), known(false))
    for (const state of ['opened', 'lost'] as const) assert.equal(await put(id, reference, state), undefined)
    assert.equal(await put(id, reference, 'opened', { updatedAt: later(1) }), undefined)
    const late = freshName('dp')
    assert.deepEqual(await put(id, late, 'lost'), added(false))
    assert.equal(await put(id, late, 'opened'), undefined)
    assert.equal(await put('rcpt_unknown', reference, 'opened'), undefined)
  })

  it('states that a receipt is disputed until the last of its disputes is decided, also concurrently', async () => {
    const [id, one, other] = [await receipt(), freshName('dp'), freshName('dp')]
    await put(id, one, 'opened')
    assert.deepEqual(await put(id, other, 'opened'), added(true))
    const decided = await Promise.all([put(id, one, 'won'), put(id, other, 'won'), put(id, other, 'won')])
    assert.deepEqual(decided.map((result) => result?.isNew).toSorted(), [false, true, true])
    assert.deepEqual(decided.flatMap((result) => (result?.isNew ? [result.isDisputed] : [])).toSorted(), [false, true])
  })

  it('opens a decided dispute again by a later appeal, whose decision counts', async () => {
    const [id, reference] = [await receipt(), freshName('dp')]
    const appeal = (days: number) => put(id, reference, 'opened', { isAppeal: true, updatedAt: later(days) })
    await put(id, reference, 'won')
    assert.equal(await appeal(0), undefined)
    assert.deepEqual(await appeal(2), added(true))
    // The first decision arrives once more.
    assert.equal(await put(id, reference, 'won'), undefined)
    assert.deepEqual(await put(id, reference, 'lost', { updatedAt: later(4) }), added(false))
    assert.equal(await appeal(3), undefined)
    assert.equal(await put(id, reference, 'won'), undefined)
    // A decision whose appeal was not reported.
    assert.deepEqual(await put(id, reference, 'won', { updatedAt: later(6) }), added(false))
  })

  it('takes back only the refund that a lost dispute recorded', async () => {
    const [id, reference] = [await receipt(), freshName('dp')]
    const refund = { receiptId: id, reference, reason: 'chargeback', refundedAt: AT, refundedBy: null }
    const takeBack = (changes: object = {}) =>
      bench.write((tx) => tx.refunds.takeBack({ receiptId: id, reference, reason: 'chargeback', ...changes }))
    assert.equal(await takeBack(), undefined)
    const recorded = await bench.write((tx) => tx.refunds.record(refund))
    assert.ok(recorded)
    for (const other of [{ reference: 'dp_other' }, { reason: 'other' }, { receiptId: await receipt() }]) {
      assert.equal(await takeBack(other), undefined)
    }
    assert.deepEqual(await takeBack(), recorded)
    assert.equal(await bench.read.refunds.get(id), undefined)
  })
})
