import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Entitlement } from '../../ports/storage/gates.ts'
import { newEntitlement } from '../records.ts'
import { casesFor, HOUR } from './bench.ts'

const now = new Date()
const hours = (count: number) => new Date(now.getTime() + count * HOUR)

/** Manual grants and paid access in one entitlement. */
export const handGrantCases = casesFor(['sales'], (it, bench) => {
  async function holder() {
    const { id } = await bench.profile()
    const paid = newEntitlement(id, { validUntil: hours(5), tier: 'patron' })
    const given: Entitlement = { ...paid, id: randomUUID(), receiptId: null, validUntil: hours(1), tier: 'reader' }
    const { receiptId } = paid
    assert.ok(receiptId)
    const held = () => bench.read.entitlements.listActive(paid)
    const grant = (one: Entitlement) => bench.write((tx) => tx.entitlements.grant(one))
    return { paid, given, receiptId, held, grant }
  }

  it('keeps a manual grant when the payment is refunded, whichever came first', async () => {
    for (const isGivenFirst of [false, true]) {
      const { paid, given, receiptId, held, grant } = await holder()
      const { id } = await grant(isGivenFirst ? given : paid)
      const shown = await grant(isGivenFirst ? paid : given)
      assert.deepEqual(shown, { ...paid, id })
      const left = { ...given, id }
      assert.deepEqual(await bench.write((tx) => tx.grants.revokeOfReceipt(receiptId, now)), [
        { taken: { ...shown, revokedAt: now }, left },
      ])
      assert.deepEqual(await held(), [left])
      const taken = { ...left, revokedAt: now }
      assert.deepEqual(await bench.write((tx) => tx.grants.revoke(id, now)), { taken, left: null })
      assert.deepEqual(await held(), [])
      assert.deepEqual(await bench.read.grants.get(id), taken)
    }
  })

  it('revokes the manual grant first, and the paid access with the next call', async () => {
    const { paid, given, held, grant } = await holder()
    await grant(paid)
    await grant(given)
    const { first, others } = await bench.overlap(
      (tx) => tx.grants.revoke(paid.id, now),
      [(tx) => tx.grants.revoke(paid.id, now)],
    )
    const revokedAt = now
    assert.deepEqual(first, { taken: { ...given, id: paid.id, revokedAt }, left: paid })
    assert.deepEqual(others, [{ taken: { ...paid, revokedAt }, left: null }])
    assert.deepEqual(await held(), [])
  })

  it('keeps the latest end of repeated manual grants, and clears it when they are revoked', async () => {
    const { paid, given, receiptId, held, grant } = await holder()
    const { id } = await grant(paid)
    for (const count of [1, 3, 2]) await grant({ ...given, validUntil: hours(count) })
    await bench.write((tx) => tx.grants.revokeOfReceipt(receiptId, now))
    assert.deepEqual(await held(), [{ ...given, id, validUntil: hours(3) }])
    await bench.write((tx) => tx.grants.revoke(id, now))
    await grant(paid)
    assert.deepEqual(await bench.write((tx) => tx.grants.revokeOfReceipt(receiptId, now)), [
      { taken: { ...paid, revokedAt: now }, left: null },
    ])
  })

  it('restores no manual grant that has expired', async () => {
    const { paid, given, receiptId, held, grant } = await holder()
    await grant(paid)
    await grant(given)
    const [gone] = await bench.write((tx) => tx.grants.revokeOfReceipt(receiptId, hours(1)))
    assert.equal(gone?.left, null)
    assert.deepEqual(await held(), [])
  })

  it('keeps a manual grant that is made during a refund', async () => {
    for (const isRefundFirst of [true, false]) {
      const { paid, given, receiptId, held, grant } = await holder()
      const { id } = await grant(paid)
      type Work = Parameters<typeof bench.write>[0]
      const refund: Work = (tx) => tx.grants.revokeOfReceipt(receiptId, now)
      const give: Work = (tx) => tx.entitlements.grant(given)
      await bench.overlap(isRefundFirst ? refund : give, [isRefundFirst ? give : refund])
      assert.deepEqual(await held(), [{ ...given, id }])
    }
  })
})
