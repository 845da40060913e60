import assert from 'node:assert/strict'
import type { PaymentDispute } from '../../ports/storage/disputes.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newReceipt } from '../records.ts'
import { casesFor } from './bench.ts'

const AT = new Date('2026-11-30T12:00:00Z')

/** Disputes of payments at the bank. */
export const disputeCases = casesFor(['sales'], (it, bench) => {
  async function receipt() {
    const made = newReceipt()
    await bench.write((tx) => tx.receipts.insert(made))
    return made.receiptId
  }
  const put = (receiptId: string, reference: string, state: PaymentDispute['state']) =>
    bench.write((tx: Stores<'sales'>) => tx.disputes.put({ receiptId, reference, state, updatedAt: AT }))

  it('records each state of a dispute once, in whichever order they arrive', async () => {
    const [id, reference] = [await receipt(), freshName('dp')]
    assert.deepEqual(await put(id, reference, 'opened'), { isDisputed: true })
    assert.equal(await put(id, reference, 'opened'), undefined)
    assert.deepEqual(await put(id, reference, 'won'), { isDisputed: false })
    for (const state of ['opened', 'won', 'lost'] as const) assert.equal(await put(id, reference, state), undefined)
    const late = freshName('dp')
    assert.deepEqual(await put(id, late, 'lost'), { isDisputed: false })
    assert.equal(await put(id, late, 'opened'), undefined)
    assert.equal(await put('rcpt_unknown', reference, 'opened'), undefined)
  })

  it('states that a receipt is disputed until the last of its disputes is decided, also concurrently', async () => {
    const [id, one, other] = [await receipt(), freshName('dp'), freshName('dp')]
    await put(id, one, 'opened')
    assert.deepEqual(await put(id, other, 'opened'), { isDisputed: true })
    const decided = await Promise.all([put(id, one, 'won'), put(id, other, 'won'), put(id, other, 'won')])
    assert.deepEqual(decided.map((result) => result?.isDisputed).toSorted(), [false, true, undefined])
  })
})
