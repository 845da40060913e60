import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { DeliveryOutcome, NewPayment, Payment } from '../../ports/storage/payments.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newPurchase, newReceipt, newSettlement } from '../records.ts'
import { type Bench, casesFor, HOUR, leaseRunsOut, MINUTE, ODD_TEXT, present, SHORT_LEASE } from './bench.ts'

const result = () => ({ receiptId: `rcpt_${freshName()}`, settlement: newSettlement() })

/** Returns a function that makes a settled payment. */
const soldOn =
  (bench: Bench) =>
  async (per: 'request' | 'day' = 'request', openKey = freshName('payer|resource'), more: Partial<NewPayment> = {}) => {
    const { id } = await bench.claim({
      openKey,
      purchase: newPurchase({ per }),
      // Whether content is delivered again depends on the clock of the database.
      expiresAt: new Date(Date.now() + 2 * MINUTE),
      ...more,
    })
    return { openKey, payment: present(await bench.write((tx) => tx.payments.settle(id, result()))) }
  }

export const paymentOutcomeCases = casesFor([], (it, bench) => {
  const settle = ({ id }: Payment, outcome = result()) => bench.write((tx) => tx.payments.settle(id, outcome))
  const markUnknown = ({ id }: Payment, reason = 'timeout') =>
    bench.write((tx) => tx.payments.mark(id, 'unknown', reason))
  const refuse = ({ id }: Payment, reason = 'no_funds') => bench.write((tx) => tx.payments.mark(id, 'refused', reason))
  const takeOver = ({ id }: Payment) => bench.write((tx) => tx.payments.takeOver(id, MINUTE))
  const sold = soldOn(bench)

  it('stores all fields of a settlement', async () => {
    const claimed = await bench.claim()
    const {
      headers: _,
      transaction: __,
      ...bare
    } = newSettlement({ payer: { wallet: ODD_TEXT, network: 'cash:test' } })
    for (const [payment, settlement] of [
      [claimed, newSettlement()],
      [await bench.claim(), bare],
    ] as const) {
      const settled = { ...payment, state: 'settled', receiptId: 'rcpt_1', settlement }
      assert.deepEqual(await settle(payment, { receiptId: 'rcpt_1', settlement }), settled)
      const kept = await bench.read.payments.get(payment.id)
      assert.deepEqual(kept, settled)
      assert.ok(kept?.settlement?.settledAt instanceof Date)
    }
  })

  it('settles once, and ignores later attempts', async () => {
    const payment = await bench.claim()
    const settled = await settle(payment)
    assert.equal(await settle(payment), undefined)
    assert.equal(await refuse(payment), undefined)
    assert.equal(await markUnknown(payment), undefined)
    assert.equal(await takeOver(payment), undefined)
    assert.deepEqual(await bench.read.payments.get(payment.id), settled)
    assert.equal(await settle({ ...payment, id: randomUUID() }), undefined)
  })

  it('lets exactly one of many settle a payment', async () => {
    const { id } = await bench.claim()
    const attempt = (receiptId: string) => (tx: Stores) => tx.payments.settle(id, { ...result(), receiptId })
    const { others } = await bench.overlap(attempt('rcpt_first'), ['rcpt_a', 'rcpt_b'].map(attempt))
    assert.deepEqual(others, [undefined, undefined])
    assert.equal((await bench.read.payments.get(id))?.receiptId, 'rcpt_first')
  })

  it('lets the next one settle when the first is rolled back', async () => {
    const { id } = await bench.claim()
    const attempt = (receiptId: string) => (tx: Stores) => tx.payments.settle(id, { ...result(), receiptId })
    const { others } = await bench.overlap(attempt('rcpt_first'), [attempt('rcpt_second')], 'rollback')
    assert.equal(others[0]?.receiptId, 'rcpt_second')
  })

  it('finds the refused payment of a wallet by its rail, network and reason', async () => {
    const payer = { wallet: freshName('0x'), network: 'cash:test' }
    const payment = await bench.claim({ payer })
    const key = { rail: payment.rail, ...payer, refusedFor: ['reverted', 'no_funds'] }
    assert.equal(await bench.read.payments.get(key), undefined)
    await refuse(payment, 'reverted')
    assert.equal((await bench.read.payments.get(key))?.id, payment.id)
    const others = [
      { rail: 'other' },
      { wallet: 'other' },
      { network: 'other' },
      { refusedFor: ['no_funds'] },
      { refusedFor: [] },
    ]
    for (const other of others) assert.equal(await bench.read.payments.get({ ...key, ...other }), undefined)
    await settle(payment)
    assert.equal(await bench.read.payments.get(key), undefined)
  })

  it('records a refusal with its reason, and after it only a settlement that was found later', async () => {
    const payment = await bench.claim()
    const refused = { ...payment, state: 'refused', reason: ODD_TEXT }
    assert.deepEqual(await refuse(payment, ODD_TEXT), refused)
    assert.equal(await refuse(payment), undefined)
    assert.equal(await markUnknown(payment), undefined)
    assert.equal(await takeOver(payment), undefined)
    assert.deepEqual(await bench.read.payments.get(payment.id), refused)
    assert.equal((await settle(payment))?.state, 'settled')
    assert.equal(await settle(payment), undefined)
  })

  it('marks a payment as unknown, ends its lease, and lets it be settled or refused', async () => {
    for (const finish of [settle, refuse]) {
      const payment = await bench.claim()
      const unknown = { ...payment, state: 'unknown', reason: 'timeout' }
      assert.deepEqual(await markUnknown(payment), unknown)
      assert.equal((await takeOver(payment))?.id, payment.id, 'it has no lease')
      assert.equal((await markUnknown(payment, 'again'))?.reason, 'again')
      assert.ok(await finish(payment))
    }
  })

  it('hands a payment over only when its lease has expired', async () => {
    const running = await bench.claim()
    assert.equal(await takeOver(running), undefined)
    const payment = await bench.claim({}, SHORT_LEASE)
    await leaseRunsOut()
    assert.deepEqual(await takeOver(payment), payment)
    assert.equal(await takeOver(payment), undefined, 'a lease runs again')
    assert.equal(await takeOver({ ...payment, id: randomUUID() }), undefined)
  })

  it('hands a payment over to exactly one of many', async () => {
    const payment = await bench.claim()
    await markUnknown(payment)
    const take = (tx: Stores) => tx.payments.takeOver(payment.id, MINUTE)
    const { first, others } = await bench.overlap(take, [take, take, take])
    assert.equal(first?.id, payment.id)
    assert.deepEqual(others, [undefined, undefined, undefined])
  })

  it('lists the unfinished payments without a lease, least recently checked first', async () => {
    const expired = await bench.claim({}, SHORT_LEASE)
    const suspended = await bench.claim()
    const taken = await bench.claim()
    const running = await bench.claim()
    const finished = await bench.claim()
    const refused = await bench.claim()
    for (const payment of [suspended, taken, finished, refused]) await markUnknown(payment)
    await takeOver(taken)
    await settle(finished)
    await refuse(refused)
    const mine = new Set([expired, suspended, taken, running, finished, refused].map(({ id }) => id))
    const abandoned = async () =>
      (await bench.read.payments.listAbandoned(10_000)).map(({ id }) => id).filter((id) => mine.has(id))

    await leaseRunsOut()
    assert.deepEqual(await abandoned(), [expired.id, suspended.id])
    assert.equal((await bench.read.payments.listAbandoned(1)).length, 1)
    await markUnknown(running)
    assert.deepEqual(await abandoned(), [expired.id, suspended.id, running.id])
    await takeOver(expired)
    await markUnknown(expired)
    assert.deepEqual(await abandoned(), [suspended.id, running.id, expired.id])
    for (const payment of [expired, suspended, taken, running]) await refuse(payment)
    assert.deepEqual(await abandoned(), [])
  })

  it('finds the open payment of a key until it has an outcome', async () => {
    const openKey = freshName('buyer|tier')
    assert.equal(await bench.read.payments.get({ openKey, is: 'open' }), undefined)
    const first = await bench.claim({ openKey, createdAt: new Date() })
    assert.deepEqual(await bench.read.payments.get({ openKey, is: 'open' }), first)
    await markUnknown(first)
    assert.equal((await bench.read.payments.get({ openKey, is: 'open' }))?.id, first.id)
    await refuse(first)
    assert.equal(await bench.read.payments.get({ openKey, is: 'open' }), undefined)
    const second = await bench.claim({ openKey })
    assert.equal((await bench.read.payments.get({ openKey, is: 'open' }))?.id, second.id)
    const receiptId = freshName('r')
    await bench.write((tx) => tx.payments.settle(second.id, { receiptId, settlement: newSettlement() }))
    assert.equal(await bench.read.payments.get({ openKey, is: 'open' }), undefined)
    assert.equal(await bench.read.payments.get({ openKey: '\0', is: 'open' }), undefined)
  })

  it('releases the key of a payment whose outcome is still unknown a day after it was created', async () => {
    const openKey = freshName('buyer|tier')
    const old = await bench.claim({ openKey, createdAt: new Date(Date.now() - 25 * HOUR) })
    assert.equal((await bench.read.payments.get({ openKey, is: 'open' }))?.id, old.id)
    assert.equal((await markUnknown(old))?.state, 'unknown')
    assert.equal(await bench.read.payments.get({ openKey, is: 'open' }), undefined)
    await bench.claim({ openKey })
    assert.equal((await settle(old))?.state, 'settled')
  })

  it('finds a request that was paid and not delivered, until it is delivered', async () => {
    const { openKey, payment } = await sold()
    assert.deepEqual(await bench.read.payments.get({ openKey, is: 'undelivered' }), payment)
    await bench.write((tx) => tx.payments.endDelivery(payment.id, 'delivered'))
    assert.equal(await bench.read.payments.get({ openKey, is: 'undelivered' }), undefined)
  })

  it('finds an undelivered payment that no request holds before one that is held', async () => {
    const { openKey, payment } = await sold()
    const found = async () => (await bench.read.payments.get({ openKey, is: 'undelivered' }))?.id
    await bench.write((tx) => tx.payments.holdDelivery(payment.id, MINUTE))
    assert.equal(await found(), payment.id)
    const free = await bench.claim({ openKey, purchase: newPurchase({ per: 'request' }) })
    const settled = { receiptId: freshName('r'), settlement: newSettlement() }
    await bench.write((tx) => tx.payments.settle(free.id, settled))
    assert.equal(await found(), free.id)
  })

  it('finds no undelivered payment of another key, of a longer entitlement, or before it is settled', async () => {
    const openKey = freshName('payer|resource')
    const open = await bench.claim({ openKey, purchase: newPurchase({ per: 'request' }) })
    assert.equal(await bench.read.payments.get({ openKey, is: 'undelivered' }), undefined)
    await refuse(open)
    assert.equal(await bench.read.payments.get({ openKey, is: 'undelivered' }), undefined)
    assert.equal(await bench.read.payments.get({ openKey: (await sold('day')).openKey, is: 'undelivered' }), undefined)
    assert.equal(await bench.read.payments.get({ openKey: freshName(), is: 'undelivered' }), undefined)
  })

  it('reserves a delivery for one request, until it is released, delivered, or expired', async () => {
    const { id } = (await sold()).payment
    const hold = (ms = MINUTE) => bench.write((tx) => tx.payments.holdDelivery(id, ms))
    const end = (outcome: DeliveryOutcome) => bench.write((tx) => tx.payments.endDelivery(id, outcome))
    assert.equal(await hold(), 'reserved')
    assert.equal(await hold(), 'busy')
    await end('unsent')
    assert.equal((await bench.read.payments.get(id))?.deliveredAt, null)
    assert.equal(await hold(SHORT_LEASE), 'reserved')
    await leaseRunsOut()
    assert.equal(await hold(), 'reserved')
    await end('delivered')
    const delivered = await bench.read.payments.get(id)
    assert.ok(delivered?.deliveredAt instanceof Date)
    assert.equal(await hold(), 'over')
    await end('unsent')
    assert.deepEqual(await bench.read.payments.get(id), delivered, 'delivered is final')
  })

  it('reserves a delivery for exactly one of many requests', async () => {
    const { id } = (await sold()).payment
    const hold = (tx: Stores) => tx.payments.holdDelivery(id, MINUTE)
    const { first, others } = await bench.overlap(hold, [hold, hold, hold])
    assert.equal(first, 'reserved')
    assert.deepEqual(others, ['busy', 'busy', 'busy'])
  })

  it('allows three failed deliveries, and does not count those that sent nothing', async () => {
    const { id } = (await sold()).payment
    const hold = (tx: Stores) => tx.payments.holdDelivery(id, MINUTE)
    const end = (outcome: DeliveryOutcome) => bench.write((tx) => tx.payments.endDelivery(id, outcome))
    for (const outcome of ['unsent', 'broken', 'unsent', 'broken', 'unsent'] as const) {
      assert.equal(await bench.write(hold), 'reserved')
      assert.equal(await bench.write(hold), 'busy')
      await end(outcome)
    }
    const { first, others } = await bench.overlap(hold, [hold, hold])
    assert.deepEqual([first, others], ['reserved', ['busy', 'busy']], 'the third may still succeed')
    await end('broken')
    assert.equal(await bench.write(hold), 'over')
  })

  it('allows another delivery for an hour after the credential was made, and the first one at any time', async () => {
    const ended = new Date(Date.now() - 2 * HOUR)
    const recent = new Date(Date.now() - HOUR / 2)
    for (const [expiresAt, again] of [
      [ended, false],
      [recent, true],
    ] as const) {
      const { payment, openKey } = await sold('request', undefined, { expiresAt })
      const hold = () => bench.write((tx) => tx.payments.holdDelivery(payment.id, MINUTE))
      assert.equal(await hold(), 'reserved')
      await bench.write((tx) => tx.payments.endDelivery(payment.id, 'broken'))
      assert.equal((await bench.read.payments.get({ openKey, is: 'undelivered' }))?.id, again ? payment.id : undefined)
      assert.equal(await hold(), again ? 'reserved' : 'over')
    }
  })

  it('allows another delivery for an hour after the payment was recorded, however old the credential is', async () => {
    const expiresAt = new Date(Date.now() - 2 * HOUR)
    for (const [age, outcome] of [
      [HOUR / 2, 'reserved'],
      [2 * HOUR, 'over'],
    ] as const) {
      const { payment } = await sold('request', undefined, { expiresAt })
      const receiptId = payment.receiptId ?? ''
      await bench.write((tx) => tx.receipts.insert(newReceipt({ receiptId, issuedAt: new Date(Date.now() - age) })))
      const hold = () => bench.write((tx) => tx.payments.holdDelivery(payment.id, MINUTE))
      assert.equal(await hold(), 'reserved')
      await bench.write((tx) => tx.payments.endDelivery(payment.id, 'broken'))
      assert.equal(await hold(), outcome)
    }
  })

  it('reserves no delivery of a payment that is not settled', async () => {
    const { id } = await bench.claim()
    const hold = () => bench.write((tx) => tx.payments.holdDelivery(id, MINUTE))
    assert.equal(await hold(), 'busy')
    await bench.write((tx) => tx.payments.mark(id, 'refused', 'no_funds'))
    assert.equal(await hold(), 'busy')
  })
})

export const lastingPurchaseCases = casesFor(['sales'], (it, bench) => {
  it('lists claimed payments in every state by id, in parts, from a time on', async () => {
    const since = new Date(Date.now() + 40 * 365 * 24 * HOUR)
    const earlier = await bench.claim({ createdAt: new Date(since.getTime() - 1) })
    const [open, settled, refused] = [
      await bench.claim({ createdAt: since }),
      await bench.claim({ createdAt: since }),
      await bench.claim({ createdAt: new Date(since.getTime() + HOUR) }),
    ]
    await bench.write((tx) => tx.payments.settle(settled.id, result()))
    await bench.write((tx) => tx.payments.mark(refused.id, 'refused', 'no_funds'))
    const ids = [open, settled, refused].map(({ id }) => id).toSorted()
    const list = async (after?: string) =>
      (await bench.read.sales.listPayments({ since, after, limit: 2 })).map(({ id }) => id)
    assert.deepEqual(await list(), ids.slice(0, 2))
    assert.deepEqual(await list(ids[1]), ids.slice(2))
    assert.deepEqual(await list(ids[2]), [])
    const all = await bench.read.sales.listPayments({ limit: 10_000 })
    for (const payment of [earlier, open])
      assert.deepEqual(
        all.find(({ id }) => id === payment.id),
        payment,
      )
  })

  const sold = soldOn(bench)

  it('finds no undelivered payment, and reserves no delivery, after a refund', async () => {
    const { openKey, payment } = await sold()
    const receiptId = payment.receiptId ?? ''
    await bench.write((tx) => tx.receipts.insert(newReceipt({ receiptId })))
    assert.deepEqual(await bench.read.payments.get({ openKey, is: 'undelivered' }), payment)
    const refund = { receiptId, reference: 'back', reason: null, refundedAt: new Date(), refundedBy: null }
    await bench.write((tx) => tx.refunds.record(refund))
    assert.equal(await bench.read.payments.get({ openKey, is: 'undelivered' }), undefined)
    assert.equal(await bench.write((tx) => tx.payments.holdDelivery(payment.id, MINUTE)), 'over')
  })
})
