import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewPayment, Payment } from '../../ports/storage/payments.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newPayment as anyPayment, newPurchase as anyPurchase, freshName, newSettlement } from '../records.ts'
import { casesFor, MINUTE, ODD_JSON, ODD_TEXT } from './bench.ts'

/** A purchase. Default: of a profile without an owner. */
const newPurchase: typeof anyPurchase = (changes) => anyPurchase({ profileId: 2 ** 40, ...changes })
const newPayment: typeof anyPayment = (changes) => anyPayment({ purchase: newPurchase(), ...changes })

/** The payment that a claim stores. */
const claimed = ({ openKey: _, ...payment }: NewPayment): Payment => ({
  ...payment,
  state: 'settling',
  reason: null,
  receiptId: null,
  settlement: null,
  buyer: null,
  sellerAccountId: null,
  deliveredAt: null,
})

const claim = (payment: NewPayment) => (tx: Stores) => tx.payments.claim(payment, MINUTE)

export const paymentClaimCases = casesFor([], (it, bench) => {
  it('stores a payment as it was claimed', async () => {
    const full = newPayment({
      purchase: newPurchase({ resource: ODD_TEXT, payTo: { 'eip155:1': '0xAb' }, rails: ['cash'] }),
      proof: ODD_JSON,
      checkpoint: ODD_JSON,
    })
    const bare = newPayment({
      expiresAt: null,
      payer: {},
      proof: 'a text',
      checkpoint: null,
      openKey: null,
      payerAccountId: null,
      payerDid: null,
      payerBot: null,
    })
    const plain = newPayment({ proof: [1, [2], null], checkpoint: false })
    for (const payment of [full, bare, plain]) {
      assert.deepEqual(await bench.write(claim(payment)), { outcome: 'claimed', payment: claimed(payment) })
      assert.deepEqual(await bench.read.payments.get(payment.id), claimed(payment))
      const { rail, credentialId } = payment
      assert.deepEqual(await bench.read.payments.get({ rail, credentialId }), claimed(payment))
    }
  })

  it('stores the owner of the profile at the time of the claim, also of a repeated one', async () => {
    const [before, after] = [await bench.account(), await bench.account()]
    const { id: profileId, updatedAt } = await bench.profile({ ownerAccountId: before.id })
    const give = (ownerAccountId: string) => (tx: Stores) => tx.profiles.save(profileId, { ownerAccountId, updatedAt })
    const [kept, again] = [0, 1].map(() => newPayment({ purchase: newPurchase({ profileId }), openKey: null }))
    assert.ok(kept && again)
    const sellers = async () =>
      Promise.all([kept, again].map(async ({ id }) => (await bench.read.payments.get(id))?.sellerAccountId))
    for (const payment of [kept, again]) await bench.write(claim(payment))
    await bench.write((tx) => tx.payments.mark(again.id, 'refused', 'no_money'))
    await bench.write(give(after.id))
    assert.deepEqual(await sellers(), [before.id, before.id])
    await bench.write(claim({ ...again, id: randomUUID() }))
    await bench.write((tx) => tx.payments.settle(kept.id, { receiptId: freshName('r'), settlement: newSettlement() }))
    assert.deepEqual(await sellers(), [before.id, after.id])
  })

  it('returns undefined for unknown payments', async () => {
    const { rail, credentialId } = await bench.claim()
    assert.equal(await bench.read.payments.get(randomUUID()), undefined)
    assert.equal(await bench.read.payments.get({ rail: 'other', credentialId }), undefined)
    assert.equal(await bench.read.payments.get({ rail, credentialId: freshName() }), undefined)
  })

  it('lets exactly one of many claim a credential', async () => {
    const { credentialId } = newPayment()
    // Without an open key only the credential itself prevents a second claim.
    const claims = Array.from({ length: 20 }, () => newPayment({ credentialId, openKey: null }))
    const outcomes = await Promise.all(claims.map((payment) => bench.write(claim(payment))))
    const [winner, ...more] = outcomes.filter(({ outcome }) => outcome === 'claimed')
    assert.ok(winner)
    assert.equal(more.length, 0, 'one claim wins')
    for (const { outcome, payment } of outcomes) {
      assert.ok(outcome === 'claimed' || outcome === 'exists')
      assert.equal(payment.id, winner.payment.id)
    }
  })

  it('makes a claim wait for a concurrent one, and returns the payment of that one', async () => {
    const payment = newPayment()
    const rivals = ['same', 'other'].map((fingerprint) =>
      newPayment({ credentialId: payment.credentialId, fingerprint, openKey: payment.openKey }),
    )
    const { others } = await bench.overlap(claim(payment), rivals.map(claim))
    assert.deepEqual(
      others,
      rivals.map(() => ({ outcome: 'exists', payment: claimed(payment) })),
    )
  })

  it('gives a credential to one of the others when the first claim is rolled back', async () => {
    const payment = newPayment()
    const rivals = Array.from({ length: 5 }, () => ({ ...payment, id: randomUUID() }))
    const { others } = await bench.overlap(claim(payment), rivals.map(claim), 'rollback')
    assert.deepEqual(others.map(({ outcome }) => outcome).sort(), ['claimed', ...Array(4).fill('exists')])
  })

  it('keeps a transaction usable after a claim that did not win', async () => {
    const [taken, next] = [await bench.claim(), newPayment()]
    await bench.write(async (tx) => {
      const again = await tx.payments.claim(newPayment({ credentialId: taken.credentialId }), MINUTE)
      assert.equal(again.outcome, 'exists')
      assert.equal((await tx.payments.claim(next, MINUTE)).outcome, 'claimed')
    })
    assert.ok(await bench.read.payments.get(next.id))
  })

  it('claims a credential once for each rail', async () => {
    const { credentialId } = await bench.claim({ rail: 'one' })
    assert.equal((await bench.write(claim(newPayment({ credentialId, rail: 'two' })))).outcome, 'claimed')
  })

  it('allows one unfinished payment of an open key at a time', async () => {
    const openKey = freshName('payer|resource')
    const first = await bench.claim({ openKey, createdAt: new Date() })
    const second = newPayment({ openKey })
    const open = { outcome: 'open', payment: first }
    assert.deepEqual(await bench.write(claim(second)), open)
    assert.equal(await bench.read.payments.get(second.id), undefined, 'the credential remains unspent')

    const unknown = await bench.write((tx) => tx.payments.mark(first.id, 'unknown', 'timeout'))
    assert.deepEqual(await bench.write(claim(second)), { outcome: 'open', payment: unknown })

    const settlement = newSettlement()
    await bench.write((tx) => tx.payments.settle(first.id, { receiptId: 'rcpt_1', settlement }))
    assert.equal((await bench.write(claim(second))).outcome, 'claimed', 'a settled payment is not open')
    await bench.write((tx) => tx.payments.mark(second.id, 'refused', 'insufficient_funds'))
    assert.equal(
      (await bench.write(claim(newPayment({ openKey })))).outcome,
      'claimed',
      'a refused payment is not open',
    )
  })

  it('reports an unfinished credential as existing, not its key as open', async () => {
    const payment = newPayment()
    await bench.write(claim(payment))
    assert.equal((await bench.write(claim({ ...payment, id: randomUUID() }))).outcome, 'exists')
  })

  it('claims exactly one of many credentials of an open key', async () => {
    const openKey = freshName('payer|resource')
    const [leader, ...rivals] = Array.from({ length: 5 }, () => newPayment({ openKey }))
    assert.ok(leader)
    const { first, others } = await bench.overlap(claim(leader), rivals.map(claim))
    assert.equal(first?.outcome, 'claimed')
    for (const { outcome, payment } of others) assert.deepEqual([outcome, payment.id], ['open', leader.id])
  })

  it('does not compare payments without an open key', async () => {
    const payments = [newPayment({ openKey: null }), newPayment({ openKey: null })]
    for (const payment of payments) assert.equal((await bench.write(claim(payment))).outcome, 'claimed')
  })

  it('claims a refused credential again when its fingerprint is the same', async () => {
    const refused = newPayment()
    await bench.write(claim(refused))
    await bench.write((tx) => tx.payments.mark(refused.id, 'refused', 'insufficient_funds'))

    const forged = newPayment({ credentialId: refused.credentialId })
    const denied = await bench.write(claim(forged))
    assert.equal(denied.outcome, 'exists')
    assert.deepEqual([denied.payment.state, denied.payment.reason], ['refused', 'insufficient_funds'])

    const { credentialId, fingerprint } = refused
    const retry = newPayment({
      credentialId,
      fingerprint,
      checkpoint: { block: 8 },
      purchase: newPurchase({ per: 'hour' }),
    })
    const again = await bench.write(claim(retry))
    assert.equal(again.outcome, 'claimed')
    const { id: _, ...restarted } = claimed(retry)
    const { id, ...kept } = again.payment
    assert.deepEqual(kept, restarted, 'the payment starts over')
    assert.deepEqual(await bench.read.payments.get(id), again.payment)
    assert.equal((await bench.write(claim({ ...retry, id: randomUUID() }))).outcome, 'exists')
  })

  it('lets exactly one of many claim a refused credential again', async () => {
    const refused = newPayment()
    await bench.write(claim(refused))
    await bench.write((tx) => tx.payments.mark(refused.id, 'refused', 'insufficient_funds'))
    const retries = Array.from({ length: 6 }, () => ({ ...refused, id: randomUUID() }))
    const outcomes = await Promise.all(retries.map((retry) => bench.write(claim(retry))))
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'claimed').length, 1)
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'exists').length, 5)
  })

  it('does not claim a refused credential again while another payment of its open key is unfinished', async () => {
    const openKey = freshName('payer|resource')
    const refused = newPayment({ openKey })
    await bench.write(claim(refused))
    await bench.write((tx) => tx.payments.mark(refused.id, 'refused', 'insufficient_funds'))
    const other = await bench.claim({ openKey })
    const { outcome, payment } = await bench.write(claim({ ...refused, id: randomUUID() }))
    assert.deepEqual([outcome, payment.id], ['open', other.id])
    assert.equal(
      (await bench.read.payments.get({ rail: 'cash', credentialId: refused.credentialId }))?.state,
      'refused',
    )
  })
})
