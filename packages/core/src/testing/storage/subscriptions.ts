import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Subscription } from '../../ports/storage/subscriptions.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName } from '../records.ts'
import { newCheckout, newSubscription } from '../subscription-records.ts'
import { casesFor, MINUTE, ODD_TEXT, present } from './bench.ts'

const put = (subscription: Subscription) => (tx: Stores<'subscriptions'>) => tx.subscriptions.put(subscription)
const ALL = { limit: 1_000 }

export const subscriptionCases = casesFor(['subscriptions'], (it, bench) => {
  const made = async (changes: Partial<Subscription> = {}, accountId?: string) =>
    present(await bench.write(put(newSubscription(accountId ?? (await bench.account()).id, changes))))

  it('stores a subscription as it was put', async () => {
    const { id: accountId } = await bench.account()
    const plain = newSubscription(accountId, { status: 'canceled' })
    const whole = newSubscription(accountId, {
      processorCustomerId: ODD_TEXT,
      trialEnd: new Date('2026-01-01T00:00:00.001Z'),
      currentPeriodEnd: new Date('2026-02-01T00:00:00.002Z'),
      cancelAtPeriodEnd: true,
      canceledAt: new Date('2026-01-05T00:00:00.003Z'),
      priceAtCreationCents: 1_000_000_000,
      nextTier: 'team',
      nextPriceCents: 2_000_000_000,
    })
    for (const one of [plain, whole]) {
      assert.deepEqual(await bench.write(put(one)), one)
      assert.deepEqual(await bench.read.subscriptions.get(one.processor, one.processorSubscriptionId), one)
    }
    assert.deepEqual(await bench.read.subscriptions.getLive(accountId), whole)
  })

  it('lists the trials that end and are not cancelled, and lets exactly one of many calls remind of each end', async () => {
    const processor = freshName()
    const trialEnd = new Date('2026-03-04T00:00:00.000Z')
    const within = { from: new Date('2026-03-01T00:00:00.000Z'), to: trialEnd }
    const trial = await made({ processor, status: 'trialing', trialEnd })
    await made({ processor, status: 'trialing', trialEnd, cancelAtPeriodEnd: true })
    await made({ processor, status: 'trialing', trialEnd: within.from })
    await made({ processor, status: 'active', trialEnd })
    const due = () => bench.read.subscriptions.listTrialsEnding(processor, within, ALL)
    assert.deepEqual(await due(), [trial])
    const claim = (end: Date, id = trial.id) => bench.write((tx) => tx.subscriptions.claimTrialReminder(id, end, 3))
    assert.equal(await claim(within.from), false)
    assert.equal(await claim(trialEnd, randomUUID()), false)
    assert.equal(await claim(trialEnd, 'no uuid'), false)
    const won = await Promise.all([claim(trialEnd), claim(trialEnd), claim(trialEnd)])
    assert.equal(won.filter(Boolean).length, 1)
    assert.deepEqual(await due(), [])
    const extended = { ...trial, trialEnd: new Date('2026-03-03T00:00:00.000Z') }
    await bench.write(put(extended))
    assert.equal(await claim(trialEnd), false)
    assert.equal(await claim(extended.trialEnd), true)
  })

  it('returns undefined for unknown subscriptions', async () => {
    const { subscriptions } = bench.read
    assert.equal(await subscriptions.get('stripe', freshName()), undefined)
    assert.equal(await subscriptions.get('stripe', 'a\0b'), undefined)
    for (const id of [randomUUID(), 'no uuid']) {
      assert.equal(await subscriptions.getLive(id), undefined)
      assert.equal(await subscriptions.getCheckout(id), undefined)
      assert.equal(await subscriptions.getCustomer(id, 'stripe', 'usd'), undefined)
      assert.equal(await bench.write(put(newSubscription(id))), undefined)
      assert.equal(await bench.write((tx) => tx.subscriptions.putCheckout(newCheckout(id))), false)
    }
    assert.equal(await subscriptions.getAccountOf('stripe', freshName()), undefined)
  })

  it('updates a subscription, with its plan and price, but never its currency and creation time', async () => {
    const before = await made()
    const another = newSubscription((await bench.account()).id, { ...before, id: randomUUID() })
    const changes = {
      tier: 'team',
      priceAtCreationCents: 9_999,
      nextTier: 'pro',
      nextPriceCents: 800,
      status: 'past_due',
      processorCustomerId: 'cus_other',
      currentPeriodEnd: new Date('2027-01-01T00:00:00.000Z'),
      cancelAtPeriodEnd: true,
      canceledAt: new Date('2026-12-01T00:00:00.000Z'),
      trialEnd: null,
      updatedAt: new Date('2026-12-02T00:00:00.000Z'),
    } as const
    const fixed = { currency: 'eur', createdAt: new Date(0) } as const
    const after = await bench.write(put({ ...another, accountId: before.accountId, ...fixed, ...changes }))
    assert.deepEqual(after, { ...before, ...changes })
    const settled = { ...present(after), tier: 'pro', nextTier: null, nextPriceCents: null } as const
    assert.deepEqual(await bench.write(put(settled)), settled)
  })

  it('does not change a subscription that has ended', async () => {
    for (const status of ['canceled', 'incomplete_expired'] as const) {
      const over = await made({ status })
      const { processor, processorSubscriptionId } = over
      assert.deepEqual(await bench.write(put({ ...over, status: 'active', cancelAtPeriodEnd: true })), over)
      assert.deepEqual(await bench.read.subscriptions.get(processor, processorSubscriptionId), over)
      assert.equal(await bench.read.subscriptions.getLive(over.accountId), undefined)
    }
  })

  it('keeps one live subscription per account, whatever its status', async () => {
    const statuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'other'] as const
    for (const status of statuses) {
      const live = await made({ status })
      assert.equal(await bench.write(put(newSubscription(live.accountId))), undefined)
      assert.deepEqual(await bench.read.subscriptions.getLive(live.accountId), live)
      await made({ status: 'canceled' }, live.accountId)
      await bench.write(put({ ...live, status: 'canceled' }))
      await made({}, live.accountId)
    }
  })

  it('stores exactly one of many concurrent live subscriptions of an account, and keeps the transactions usable', async () => {
    const { id } = await bench.account()
    const { first, others } = await bench.overlap(put(newSubscription(id)), [
      async (tx) => {
        const refused = await tx.subscriptions.put(newSubscription(id))
        return [refused, await tx.subscriptions.put(newSubscription(id, { status: 'canceled' }))] as const
      },
    ])
    assert.deepEqual(await bench.read.subscriptions.getLive(id), present(first))
    const [refused, over] = present(others[0])
    assert.equal(refused, undefined)
    assert.equal(present(over).status, 'canceled')
  })

  it('stores no subscription of an account that is deleted concurrently', async () => {
    const { id } = await bench.account()
    const { others } = await bench.overlap<unknown, unknown>(
      (tx) => eraseAccount(tx, id),
      [put(newSubscription(id)), (tx) => tx.subscriptions.putCheckout(newCheckout(id))],
    )
    assert.deepEqual(others, [undefined, false])
  })

  it('stores customer ids per processor and currency', async () => {
    const customer = freshName('cus')
    const { accountId } = await made({ processorCustomerId: customer, status: 'canceled' })
    await made({ processorCustomerId: null, createdAt: new Date('2030-01-01T00:00:00.000Z') }, accountId)
    const { subscriptions } = bench.read
    assert.equal(await subscriptions.getCustomer(accountId, 'stripe', 'usd'), customer)
    assert.equal(await subscriptions.getCustomer(accountId, 'stripe', 'eur'), undefined)
    assert.equal(await subscriptions.getCustomer(accountId, 'another', 'usd'), undefined)
    assert.equal(await subscriptions.getAccountOf('stripe', customer), accountId)
    assert.equal(await subscriptions.getAccountOf('another', customer), undefined)
  })

  it('lists the customer ids of an account at a processor once each, the latest first', async () => {
    const [first, second] = [freshName('cus'), freshName('cus')]
    const { accountId } = await made({ processorCustomerId: first, status: 'canceled' })
    const begun = (year: number) =>
      ({ status: 'canceled', createdAt: new Date(`${year}-01-01T00:00:00.000Z`) }) as const
    await made({ processorCustomerId: second, currency: 'eur', ...begun(2030) }, accountId)
    await made({ processorCustomerId: first, ...begun(2031) }, accountId)
    await made({ processorCustomerId: null, ...begun(2032) }, accountId)
    await made({ processorCustomerId: freshName('cus'), processor: 'another', status: 'canceled' }, accountId)
    await made({ processorCustomerId: freshName('cus') })
    const { subscriptions } = bench.read
    assert.deepEqual(await subscriptions.listCustomers(accountId, 'stripe'), [first, second])
    for (const id of [randomUUID(), 'no uuid']) assert.deepEqual(await subscriptions.listCustomers(id, 'stripe'), [])
  })

  it('lists due subscriptions and those of accounts in deletion, in batches', async () => {
    const processor = freshName('processor')
    const at = new Date('2026-05-05T00:00:00.000Z')
    const later = new Date('2026-05-05T00:00:00.001Z')
    const due = [await made({ processor, currentPeriodEnd: at }), await made({ processor, currentPeriodEnd: at })]
    await made({ processor, currentPeriodEnd: later })
    await made({ processor, currentPeriodEnd: null })
    await made({ processor, currentPeriodEnd: at, status: 'canceled' })
    due.sort((left, right) => (left.id < right.id ? -1 : 1))
    const { subscriptions } = bench.read
    assert.deepEqual(await subscriptions.listDue(processor, at, ALL), due)
    assert.deepEqual(await subscriptions.listDue(processor, at, { limit: 1 }), [due[0]])
    assert.deepEqual(await subscriptions.listDue(processor, at, { limit: 9, after: present(due[0]).id }), [due[1]])

    assert.deepEqual(await subscriptions.listLeaving(processor, ALL), [])
    for (const { accountId } of due) {
      await bench.write((tx) => tx.accounts.save(accountId, { deletionScheduledAt: at }))
    }
    assert.deepEqual(await subscriptions.listLeaving(processor, ALL), due)
    await bench.write(put({ ...present(due[0]), cancelAtPeriodEnd: true }))
    assert.deepEqual(await subscriptions.listLeaving(processor, ALL), [due[1]])
  })

  it('stores the checkout of the last attempt of an account', async () => {
    const processor = freshName('processor')
    const { id } = await bench.account()
    const [first, second] = [
      newCheckout(id, { processor }),
      newCheckout(id, { processor, checkoutId: null, url: null }),
    ]
    for (const checkout of [first, second]) {
      assert.equal(await bench.write((tx) => tx.subscriptions.putCheckout(checkout)), true)
      assert.deepEqual(await bench.read.subscriptions.getCheckout(id), checkout)
    }
    const after = new Date(second.createdAt.getTime() + 1)
    assert.deepEqual(await bench.read.subscriptions.listCheckouts(processor, after, ALL), [second])
    assert.deepEqual(await bench.read.subscriptions.listCheckouts(processor, second.createdAt, ALL), [])
    assert.deepEqual(await bench.read.subscriptions.listCheckouts(processor, after, { limit: 9, after: id }), [])
    await bench.write((tx) => tx.subscriptions.deleteCheckout(id, first.attempt))
    assert.deepEqual(await bench.read.subscriptions.getCheckout(id), second)
    await bench.write((tx) => tx.subscriptions.deleteCheckout(id, second.attempt))
    assert.equal(await bench.read.subscriptions.getCheckout(id), undefined)
  })

  it('deletes everything with the account', async () => {
    const { accountId, ...one } = await made()
    await bench.write((tx) => tx.subscriptions.putCheckout(newCheckout(accountId)))
    await bench.write((tx) => tx.subscriptions.takeLease(accountId, randomUUID(), MINUTE))
    await bench.write((tx) => eraseAccount(tx, accountId))
    assert.equal(await bench.read.subscriptions.get(one.processor, one.processorSubscriptionId), undefined)
    assert.equal(await bench.read.subscriptions.getCheckout(accountId), undefined)
  })
})
