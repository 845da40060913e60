import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewPaidRequest, RequestClaim, RequestOutcome } from '../../ports/storage/paid-requests.ts'
import type { NewPayment, Payment } from '../../ports/storage/payments.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName, newPayment, newPurchase, newReceipt, newSettlement } from '../records.ts'
import { casesFor, leaseRunsOut, MINUTE, present, SHORT_LEASE } from './bench.ts'

type Tx = Stores<'paidRequests'>

const RESERVED: RequestClaim = { state: 'reserved', maxOpen: 4 }
const SETTLING: RequestClaim = { state: 'settling', maxOpen: 4 }

const newRequest = (changes: Partial<NewPaidRequest> = {}): NewPaidRequest => ({
  bound: freshName('POST bound'),
  payer: freshName('payer'),
  creditKeys: [freshName('credit')],
  headerDigest: freshName('header'),
  charge: 'after',
  compensation: 'keep',
  isCorrectable: true,
  compensateAfterMs: 60 * MINUTE,
  ...changes,
})

const payment = (changes: Partial<NewPayment> = {}): NewPayment =>
  newPayment({
    purchase: newPurchase({ profileId: 2 ** 40, per: 'request' }),
    expiresAt: new Date(Date.now() + 2 * MINUTE),
    createdAt: new Date(),
    ...changes,
  })

export const paidRequestCases = casesFor(['paidRequests'], (it, bench) => {
  const claiming =
    (request: NewPaidRequest, how = RESERVED, of: NewPayment = payment(), leaseMs = MINUTE) =>
    (tx: Tx) =>
      tx.paidRequests.claim(of, request, leaseMs, how)

  async function claimed(
    request: NewPaidRequest = newRequest(),
    how = RESERVED,
    of: NewPayment = payment(),
    leaseMs = MINUTE,
  ): Promise<Payment> {
    const made = await bench.write(claiming(request, how, of, leaseMs))
    assert.ok(made.outcome === 'claimed', made.outcome)
    return made.payment
  }

  /** A settled payment whose delivery no request holds. */
  async function sold(request: Partial<NewPaidRequest> = {}, of: NewPayment = payment()): Promise<Payment> {
    const { id } = await claimed(newRequest({ charge: 'before', ...request }), SETTLING, of)
    const receiptId = `rcpt_${freshName()}`
    return present(
      await bench.write(async (tx) => {
        await tx.receipts.insert(newReceipt({ receiptId }))
        return tx.payments.settle(id, { receiptId, settlement: newSettlement() })
      }),
    )
  }

  const hold = ({ id }: Payment, bound?: string) => bench.write((tx) => tx.paidRequests.holdDelivery(id, MINUTE, bound))
  const end = ({ id }: Payment, outcome: RequestOutcome) =>
    bench.write((tx) => tx.paidRequests.endDelivery(id, outcome))
  async function attempt(of: Payment, outcome: RequestOutcome): Promise<void> {
    assert.equal(await hold(of), 'reserved')
    await end(of, outcome)
  }
  const taking = (tx: Tx) => tx.paidRequests.takeUndelivered(1_000)
  const takenOf = async ({ id }: Payment) => (await bench.write(taking)).filter((one) => one.payment.id === id)

  it('stores the request of a payment as it was claimed', async () => {
    const request = newRequest({ creditKeys: [freshName('one'), freshName('two')], payer: null, isCorrectable: false })
    const { id, state } = await claimed(request)
    assert.equal(state, 'reserved')
    const fresh = { atomic: null, lastOutcome: null, failures: 0, rejections: 0, ended: null }
    assert.deepEqual(await bench.read.paidRequests.get(id), { paymentId: id, ...request, ...fresh })
    assert.equal(await bench.read.paidRequests.get(randomUUID()), undefined)
    assert.equal(await bench.read.paidRequests.get('no uuid'), undefined)
  })

  it('claims a credential once, and keeps identical requests in line', async () => {
    const first = payment()
    const made = await claimed(newRequest(), RESERVED, first)
    const again = await bench.write(claiming(newRequest(), RESERVED, { ...first, id: randomUUID() }))
    assert.equal(again.outcome, 'exists')
    const other = await bench.write(claiming(newRequest(), SETTLING, payment({ openKey: first.openKey })))
    assert.deepEqual([other.outcome, 'payment' in other && other.payment.id], ['open', made.id])
    const open = await bench.read.payments.get({ openKey: String(first.openKey), is: 'open' })
    assert.equal(open?.id, made.id)
  })

  it('lets a payer reserve no more payments than allowed, however many calls are concurrent', async () => {
    const payer = freshName('payer')
    const claims = Array.from({ length: 12 }, () => claiming(newRequest({ payer }), { state: 'reserved', maxOpen: 3 }))
    const outcomes = await Promise.all(claims.map((one) => bench.write(one)))
    const won = outcomes.flatMap((one) => (one.outcome === 'claimed' ? [one] : []))
    assert.deepEqual([won.length, outcomes.filter(({ outcome }) => outcome === 'too_many').length], [3, 9])
    assert.deepEqual(won.map(({ reserved }) => reserved.length).sort(), [0, 1, 2])
    assert.equal((await bench.read.paidRequests.listReserved(payer)).length, 3)
    assert.equal(
      (await bench.write(claiming(newRequest({ payer }), SETTLING))).outcome,
      'claimed',
      'taken before the handler',
    )
    assert.equal((await bench.write(claiming(newRequest()))).outcome, 'claimed', 'another payer')
    const [one] = won
    assert.ok(one)
    await bench.write((tx) => tx.paidRequests.release(one.payment.id, 'not_used'))
    assert.equal((await bench.write(claiming(newRequest({ payer }), RESERVED))).outcome, 'claimed', 'one is released')
  })

  it('makes a reservation wait for a concurrent one of the same payer, and count it', async () => {
    const payer = freshName('payer')
    const only = { state: 'reserved', maxOpen: 1 } as const
    const { first, others } = await bench.overlap(claiming(newRequest({ payer }), only), [
      claiming(newRequest({ payer }), only),
    ])
    assert.deepEqual([first?.outcome, others[0]?.outcome], ['claimed', 'too_many'])
  })

  it('measures a reserved payment once', async () => {
    const { id } = await claimed()
    const measure = (atomic: string | null) => (tx: Tx) => tx.paidRequests.measure(id, atomic, MINUTE)
    const { first, others } = await bench.overlap(measure('12'), [measure('13'), measure(null)])
    assert.deepEqual([first?.state, ...others], ['settling', undefined, undefined])
    assert.equal((await bench.read.paidRequests.get(id))?.atomic, '12')
    assert.equal(await bench.write((tx) => tx.paidRequests.release(id, 'late')), undefined)
    assert.equal(await bench.write((tx) => tx.paidRequests.measure('no uuid', null, MINUTE)), undefined)
  })

  it('refuses a reserved payment whose lease has ended, and does not measure it afterwards', async () => {
    const { id } = await claimed(newRequest(), RESERVED, payment(), SHORT_LEASE)
    assert.equal(await bench.write((tx) => tx.payments.takeOver(id, MINUTE)), undefined, 'its lease runs')
    await leaseRunsOut()
    assert.ok((await bench.read.payments.listAbandoned(1_000)).some((one) => one.id === id))
    const taken = await bench.write((tx) => tx.payments.takeOver(id, MINUTE))
    assert.deepEqual([taken?.state, taken?.reason], ['refused', 'interrupted'])
    assert.equal(await bench.write((tx) => tx.paidRequests.measure(id, null, MINUTE)), undefined)
    assert.equal((await bench.read.payments.get(id))?.state, 'refused')
  })

  it('lets either the handler or the take-over decide about a reserved payment', async () => {
    for (const order of ['measure', 'takeOver'] as const) {
      const { id } = await claimed(newRequest(), RESERVED, payment(), SHORT_LEASE)
      await leaseRunsOut()
      const measure = (tx: Tx) => tx.paidRequests.measure(id, null, MINUTE)
      const takeOver = (tx: Tx) => tx.payments.takeOver(id, MINUTE)
      const [first, second] = order === 'measure' ? [measure, takeOver] : [takeOver, measure]
      const made = await bench.overlap(first, [second])
      assert.deepEqual(
        [made.first?.state, made.others[0]],
        [order === 'measure' ? 'settling' : 'refused', undefined],
        order,
      )
    }
  })

  it('extends the lease of a reserved payment and the hold of a delivery', async () => {
    const extend = ({ id }: Payment) => bench.write((tx) => tx.paidRequests.extendLease(id, MINUTE))
    const reserved = await claimed(newRequest(), RESERVED, payment(), SHORT_LEASE)
    assert.equal(await extend(reserved), true)
    const settled = await sold()
    assert.equal(await extend(settled), false, 'no request holds it')
    assert.equal(await bench.write((tx) => tx.paidRequests.holdDelivery(settled.id, SHORT_LEASE)), 'reserved')
    assert.equal(await extend(settled), true)
    await leaseRunsOut()
    assert.equal(await bench.write((tx) => tx.payments.takeOver(reserved.id, MINUTE)), undefined)
    assert.equal(await hold(settled), 'busy')
    await end(settled, 'delivered')
    assert.equal(await extend(settled), false, 'it is delivered')
    assert.equal(await extend({ ...settled, id: 'no uuid' }), false)
  })

  it('claims a refused credential again, for another request', async () => {
    const first = payment()
    const { id } = await claimed(newRequest(), RESERVED, first)
    await bench.write((tx) => tx.paidRequests.keepAnswer(id, 'sealed'))
    await bench.write((tx) => tx.paidRequests.release(id, 'not_used'))
    const request = newRequest({ charge: 'before' })
    const again = await claimed(request, SETTLING, { ...first, id: randomUUID() })
    assert.deepEqual([again.id, again.state], [id, 'settling'])
    assert.equal((await bench.read.paidRequests.get(id))?.bound, request.bound)
    assert.equal(await bench.read.paidRequests.readAnswer(id), undefined)
  })

  it('lets exactly one of many hold a delivery', async () => {
    const settled = await sold()
    const holding = (tx: Tx) => tx.paidRequests.holdDelivery(settled.id, MINUTE)
    const { first, others } = await bench.overlap(holding, [holding, holding])
    assert.deepEqual([first, ...others], ['reserved', 'busy', 'busy'])
    await end(settled, 'delivered')
    assert.deepEqual(
      [await hold(settled), (await bench.read.payments.get(settled.id))?.deliveredAt instanceof Date],
      ['over', true],
    )
    assert.equal(await hold({ ...settled, id: 'no uuid' }), 'over')
    assert.equal(await hold({ ...settled, id: randomUUID() }), 'over')
  })

  it('lets broken deliveries be repeated three times, and failed ones more often', async () => {
    const [broken, failed] = [await sold(), await sold()]
    for (const _ of [1, 2, 3]) await attempt(broken, 'broken')
    assert.equal(await hold(broken), 'over')
    for (const _ of [1, 2, 3, 4]) await attempt(failed, 'failed')
    assert.equal(await hold(failed), 'reserved')
    assert.deepEqual(await takenOf(broken), [], 'the client got a part of it')
  })

  it('uses a payment up that was rejected three times', async () => {
    const settled = await sold()
    for (const _ of [1, 2, 3]) await attempt(settled, 'rejected')
    assert.equal(await hold(settled), 'over')
    assert.equal((await bench.read.paidRequests.get(settled.id))?.ended, 'used')
    assert.deepEqual(await takenOf(settled), [])
    const bound = await sold({ isCorrectable: false, compensation: 'keep' })
    for (const _ of [1, 2, 3]) await attempt(bound, 'rejected')
    assert.equal(await hold(bound), 'over', 'its credential is for one content, and its money is kept')
    assert.equal((await bench.read.paidRequests.get(bound.id))?.ended, 'used')
  })

  it('binds a rejected payment to one other request', async () => {
    const [settled, failed] = [await sold(), await sold()]
    await attempt(settled, 'rejected')
    await attempt(failed, 'failed')
    const bind = (bound: string) => (tx: Tx) => tx.paidRequests.bindRequest(settled.id, bound)
    const { first, others } = await bench.overlap(bind('POST one'), [bind('POST two')])
    assert.deepEqual([first, ...others], [true, false])
    assert.equal((await bench.read.paidRequests.get(settled.id))?.bound, 'POST one')
    assert.equal(await bench.write((tx) => tx.paidRequests.bindRequest(failed.id, 'POST one')), false)
  })

  it('keeps an answer until it is delivered', async () => {
    const settled = await sold()
    const keep = (sealed: string | null) => bench.write((tx) => tx.paidRequests.keepAnswer(settled.id, sealed))
    await keep('first')
    await keep('second')
    assert.equal(await bench.read.paidRequests.readAnswer(settled.id), 'second')
    await attempt(settled, 'broken')
    assert.equal(await bench.read.paidRequests.readAnswer(settled.id), 'second')
    await attempt(settled, 'delivered')
    assert.equal(await bench.read.paidRequests.readAnswer(settled.id), undefined)
    await keep('third')
    await keep(null)
    assert.equal(await bench.read.paidRequests.readAnswer(settled.id), undefined)
  })

  it('finds what is owed to a payer, the oldest first, and holds it for another request', async () => {
    const key = freshName('credit')
    const at = (seconds: number) => payment({ createdAt: new Date(Date.now() - seconds * 1_000) })
    const [second, first, broken, held] = [
      await sold({ creditKeys: [key, freshName()] }, at(10)),
      await sold({ creditKeys: [key] }, at(20)),
      await sold({ creditKeys: [key] }, at(30)),
      await sold({ creditKeys: [key] }, at(40)),
    ]
    await attempt(first, 'failed')
    await attempt(second, 'rejected')
    await attempt(broken, 'broken')
    assert.equal(await hold(held), 'reserved')
    const owed = await bench.read.paidRequests.listCredits([freshName(), key])
    assert.deepEqual(
      owed.map(({ id }) => id),
      [first.id, second.id],
    )
    assert.equal(await hold(first, 'POST other'), 'reserved')
    assert.equal((await bench.read.paidRequests.get(first.id))?.bound, 'POST other')
    assert.deepEqual(await bench.read.paidRequests.listCredits([]), [])
  })

  it('gives each payment that is due for compensation to one caller', async () => {
    const [late, early] = [await sold({ compensateAfterMs: 1 }), await sold()]
    await leaseRunsOut()
    assert.equal(await bench.read.paidRequests.hasDue(), true)
    const [one, two] = await Promise.all([takenOf(late), takenOf(late)])
    assert.equal(one.length + two.length, 1)
    const [owed] = [...one, ...two]
    assert.deepEqual([owed?.compensation, owed?.isFirst, owed?.payment.receiptId], ['keep', true, late.receiptId])
    assert.deepEqual([await takenOf(late), await takenOf(early)], [[], []])
    assert.equal(await bench.read.paidRequests.hasDue(), false, 'all that was due is taken')
    assert.equal(await hold(late), 'reserved', 'its payer can still use it')
  })

  it('is due after three failures, and immediately for a rejected credential that cannot pay for another content', async () => {
    const [failing, bound] = [await sold(), await sold({ isCorrectable: false })]
    await attempt(failing, 'failed')
    await attempt(failing, 'failed')
    assert.deepEqual(await takenOf(failing), [])
    await attempt(failing, 'failed')
    await attempt(bound, 'rejected')
    const taken = (await bench.write(taking)).map(({ payment: { id } }) => id)
    assert.deepEqual([taken.includes(failing.id), taken.includes(bound.id)], [true, true])
  })

  it('lets either the refund or a delivery have a payment', async () => {
    const refunded = () => sold({ compensation: 'refund', compensateAfterMs: 1 })
    const [first, second] = [await refunded(), await refunded()]
    await leaseRunsOut()
    const holding =
      ({ id }: Payment) =>
      (tx: Tx) =>
        tx.paidRequests.holdDelivery(id, MINUTE)
    const isTaken = async (tx: Tx, { id }: Payment) => (await taking(tx)).some((one) => one.payment.id === id)
    const heldFirst = await bench.overlap(holding(first), [(tx) => isTaken(tx, first)])
    assert.deepEqual([heldFirst.first, heldFirst.others[0]], ['reserved', false])
    // Both were due, and the first attempt to take them took the second one.
    assert.equal(await hold(second), 'over')
    await end(first, 'failed')
    const third = await refunded()
    await leaseRunsOut()
    const takenFirst = await bench.overlap((tx) => isTaken(tx, third), [holding(third)])
    assert.deepEqual([takenFirst.first, takenFirst.others[0]], [true, 'over'])
    assert.equal((await bench.read.paidRequests.get(third.id))?.ended, 'compensated')
  })

  it('records what a payer did, by kind and time', async () => {
    const payer = freshName('payer')
    const before = new Date(Date.now() - MINUTE)
    for (const kind of ['unsold', 'unsold', 'failed_after'] as const) {
      await bench.write((tx) => tx.paidRequests.addStrike({ payer, kind }))
    }
    const count = (kinds: readonly ('unsold' | 'failed_after')[], since = before) =>
      bench.read.paidRequests.countStrikes(payer, kinds, since)
    assert.deepEqual([await count(['unsold']), await count(['unsold', 'failed_after']), await count([])], [2, 3, 0])
    assert.equal(await count(['unsold'], new Date(Date.now() + MINUTE)), 0)
    assert.equal(await bench.read.paidRequests.countStrikes(freshName(), ['unsold'], before), 0)
  })

  it('deletes the kept answers of an erased account', async () => {
    const { id: accountId } = await bench.account()
    const [own, other] = [await sold({}, payment({ payerAccountId: accountId })), await sold()]
    for (const { id } of [own, other]) await bench.write((tx) => tx.paidRequests.keepAnswer(id, 'sealed'))
    await bench.write((tx) => eraseAccount(tx, accountId))
    assert.deepEqual(
      [await bench.read.paidRequests.readAnswer(own.id), await bench.read.paidRequests.readAnswer(other.id)],
      [undefined, 'sealed'],
    )
  })
})
