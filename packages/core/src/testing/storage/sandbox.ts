import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewSandboxPayment, SandboxDecision, SandboxTransfer } from '../../ports/storage/sandbox.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { lockForErasure } from '../erase-account.ts'
import { freshName } from '../records.ts'
import { casesFor, HOUR, MINUTE, ODD_JSON, ODD_TEXT, present } from './bench.ts'

type Tx = Stores<'sandbox'>

const AT = new Date('2026-08-08T08:08:08.008Z')
const later = (ms: number) => new Date(AT.getTime() + ms)
const address = () => `0x${randomUUID().replaceAll('-', '')}${'0'.repeat(8)}`
const LARGE = 123_456_789_012_345_678_901_234n

export const sandboxWalletCases = casesFor(['sandbox'], (it, bench) => {
  const fund = (to: string, upTo = 1_000n, maxWallets = 1_000_000) =>
    bench.write((tx) => tx.sandboxWallets.fund({ address: to, upTo, at: AT, maxWallets }))
  const balance = async (of: string) => (await bench.read.sandboxWallets.get(of))?.atomic
  const newTransfer = (changes: Partial<SandboxTransfer>): SandboxTransfer => ({
    from: address(),
    to: address(),
    nonce: freshName('nonce'),
    atomic: 1n,
    transaction: freshName('transaction'),
    isAuthorized: true,
    at: AT,
    ...changes,
  })
  const moving = (changes: Partial<SandboxTransfer>) => {
    const made = newTransfer(changes)
    return (tx: Tx) => tx.sandboxWallets.transfer(made)
  }

  it('fills a wallet up to an amount, and takes nothing from one that has more', async () => {
    const wallet = address()
    assert.equal(await balance(wallet), undefined)
    assert.deepEqual(await fund(wallet, 7n), { address: wallet, atomic: 7n, createdAt: AT })
    assert.equal((await fund(wallet, LARGE))?.atomic, LARGE)
    assert.equal((await fund(wallet, 5n))?.atomic, LARGE)
    assert.equal(await balance(wallet), LARGE)
  })

  it('creates no wallet beyond the limit, and fills those that exist', async () => {
    const wallet = address()
    await fund(wallet, 1n)
    assert.equal(await fund(address(), 1n, 1), undefined)
    assert.equal((await fund(wallet, 2n, 1))?.atomic, 2n)
  })

  it('moves play money to a wallet that did not exist, and finds the transfer by nonce and by transaction', async () => {
    const transfer = newTransfer({ atomic: LARGE })
    await fund(transfer.from, LARGE + 1n)
    assert.equal(await bench.write((tx) => tx.sandboxWallets.transfer(transfer)), 'moved')
    assert.deepEqual([await balance(transfer.from), await balance(transfer.to)], [1n, LARGE])
    assert.deepEqual(await bench.read.sandboxWallets.getTransfer(transfer.from, transfer.nonce), transfer)
    assert.deepEqual(await bench.read.sandboxWallets.getTransaction(transfer.transaction), transfer)
    for (const unknown of [freshName(), ODD_TEXT, '\0']) {
      assert.equal(await bench.read.sandboxWallets.getTransfer(transfer.from, unknown), undefined)
      assert.equal(await bench.read.sandboxWallets.getTransaction(unknown), undefined)
    }
  })

  it('moves no more than a wallet has', async () => {
    const [from, to] = [address(), address()]
    assert.equal(await bench.write(moving({ from, to })), 'insufficient_balance')
    await fund(from, 5n)
    assert.equal(await bench.write(moving({ from, to, atomic: 6n })), 'insufficient_balance')
    assert.deepEqual([await balance(from), await balance(to)], [5n, undefined])
    assert.equal(await bench.write(moving({ from, to: from, atomic: 5n })), 'moved')
    assert.equal(await balance(from), 5n)
  })

  it('lets exactly one of many concurrent transfers use a nonce', async () => {
    const [from, to, nonce] = [address(), address(), freshName()]
    await fund(from, 10n)
    const transfer = () => moving({ from, to, nonce, atomic: 2n })
    const { first, others } = await bench.overlap(transfer(), [transfer(), transfer()])
    assert.deepEqual([first, ...others], ['moved', 'nonce_used', 'nonce_used'])
    assert.deepEqual([await balance(from), await balance(to)], [8n, 2n])
    assert.equal(await bench.write(moving({ from: to, to: from, nonce })), 'moved')
  })

  it('lets concurrent transfers of a wallet spend no more than it has, and loses none of what others receive', async () => {
    const [from, other, to] = [address(), address(), address()]
    await Promise.all([fund(from, 3n), fund(other, 3n)])
    const spend = (of: string) => moving({ from: of, to, atomic: 2n })
    const { first, others } = await bench.overlap(spend(from), [spend(from), spend(other)])
    assert.deepEqual([first, ...others], ['moved', 'insufficient_balance', 'moved'])
    assert.deepEqual([await balance(from), await balance(other), await balance(to)], [1n, 1n, 4n])
  })

  it('moves nothing when the transaction fails', async () => {
    const [from, to, nonce] = [address(), address(), freshName()]
    await fund(from, 3n)
    await bench.overlap(moving({ from, to, nonce }), [], 'rollback')
    assert.deepEqual([await balance(from), await balance(to)], [3n, undefined])
    assert.equal(await bench.write(moving({ from, to, nonce })), 'moved')
  })

  it('deletes wallets that were never used, a batch at a time', async () => {
    const longAgo = new Date('1999-01-01T00:00:00Z')
    const [unused, other, sender, receiver] = [address(), address(), address(), address()]
    for (const wallet of [unused, other, sender]) {
      await bench.write((tx) =>
        tx.sandboxWallets.fund({ address: wallet, upTo: 5n, at: longAgo, maxWallets: 1_000_000 }),
      )
    }
    await bench.write(moving({ from: sender, to: receiver, at: longAgo }))
    const deleteUnused = (limit: number) =>
      bench.write((tx) => tx.sandboxWallets.deleteUnused(new Date('1999-01-02T00:00:00Z'), limit))
    assert.deepEqual([await deleteUnused(1), await deleteUnused(5), await deleteUnused(5)], [1, 1, 0])
    assert.deepEqual(await Promise.all([unused, sender, receiver].map(balance)), [undefined, 4n, 1n])
  })
})

export const sandboxPaymentCases = casesFor(['sandbox'], (it, bench) => {
  const newCheckout = (changes: Partial<NewSandboxPayment> = {}): NewSandboxPayment => ({
    id: freshName('checkout'),
    kind: 'checkout',
    currency: 'usd',
    amount: 500n,
    details: ODD_JSON,
    createdAt: AT,
    expiresAt: later(HOUR),
    ...changes,
  })
  const open = async (changes?: Partial<NewSandboxPayment>) => {
    const payment = newCheckout(changes)
    assert.equal(await bench.write((tx) => tx.sandboxPayments.insert(payment, 1_000_000)), true)
    return payment
  }
  const deciding = (id: string, changes: Partial<SandboxDecision> = {}) => {
    const decision: SandboxDecision = { id, from: ['open'], to: 'paid', at: later(MINUTE), ...changes }
    return (tx: Tx) => tx.sandboxPayments.decide(decision)
  }
  const decide = (...args: Parameters<typeof deciding>) => bench.write(deciding(...args))

  it('stores a payment that is open', async () => {
    const payment = await open({ amount: LARGE })
    const stored = { ...payment, state: 'open', email: null, decidedAt: null, refundedAt: null, dispute: null }
    assert.deepEqual(await bench.read.sandboxPayments.get(payment.id), stored)
    for (const unknown of [freshName(), '\0']) {
      assert.equal(await bench.read.sandboxPayments.get(unknown), undefined)
      assert.equal(await decide(unknown), undefined)
    }
  })

  it('stores as many open payments of a kind as the limit allows, without those that expired', async () => {
    const insert = (changes: Partial<NewSandboxPayment>, maxOpen: number) =>
      bench.write((tx) => tx.sandboxPayments.insert(newCheckout(changes), maxOpen))
    const far = new Date('2400-01-01T00:00:00Z')
    const inTime = { createdAt: far, expiresAt: new Date(far.getTime() + HOUR) }
    assert.equal(await insert(inTime, 1), true)
    assert.equal(await insert(inTime, 1), false)
    assert.equal(await insert({ ...inTime, kind: 'token' }, 1), true)
    const next = new Date(far.getTime() + HOUR)
    assert.equal(await insert({ createdAt: next, expiresAt: new Date(next.getTime() + 1) }, 1), true)
  })

  it('lets exactly one of many concurrent decisions change a payment', async () => {
    const { id } = await open()
    const { first, others } = await bench.overlap(deciding(id, { email: ODD_TEXT }), [
      deciding(id, { to: 'declined' }),
      deciding(id, { to: 'canceled' }),
    ])
    assert.deepEqual(
      [first, ...others].map((each) => each?.state),
      ['paid', undefined, undefined],
    )
    const { state, email, decidedAt } = present(await bench.read.sandboxPayments.get(id))
    assert.deepEqual({ state, email, decidedAt }, { state: 'paid', email: ODD_TEXT, decidedAt: later(MINUTE) })
  })

  it('decides an unknown payment later, with less than a token may pay and with further details', async () => {
    const { id } = await open({ kind: 'token', details: { a: 1, b: 2 } })
    await decide(id, { to: 'unknown', amount: 70n, details: { b: 3, c: { d: null } } })
    const found = present(await decide(id, { from: ['unknown'], to: 'paid', at: later(9 * HOUR) }))
    assert.deepEqual([found.state, found.amount, found.details], ['paid', 70n, { a: 1, b: 3, c: { d: null } }])
    assert.equal(await decide(id, { from: ['unknown', 'open'], to: 'declined' }), undefined)
  })

  it('lets a payment that is past its time only expire', async () => {
    const { id } = await open()
    assert.equal(await decide(id, { at: later(HOUR) }), undefined)
    assert.equal((await decide(id, { to: 'expired', at: later(HOUR) }))?.state, 'expired')
    assert.equal(await decide(id), undefined)
  })

  it('gives a paid payment back once', async () => {
    const { id } = await open()
    const refund = (at: Date) => bench.write((tx) => tx.sandboxPayments.refund(id, at))
    assert.equal(await refund(AT), undefined)
    await decide(id)
    assert.deepEqual((await refund(later(HOUR)))?.refundedAt, later(HOUR))
    assert.deepEqual((await refund(later(2 * HOUR)))?.refundedAt, later(HOUR))
  })

  it('opens the dispute of a paid payment, and decides it once', async () => {
    const { id } = await open()
    const dispute = (state: 'opened' | 'won' | 'lost') =>
      bench.write(async (tx) => (await tx.sandboxPayments.dispute(id, state))?.dispute)
    assert.equal(await dispute('opened'), undefined)
    await decide(id)
    assert.deepEqual(
      [await dispute('won'), await dispute('opened'), await dispute('opened')],
      [undefined, 'opened', undefined],
    )
    assert.deepEqual([await dispute('lost'), await dispute('won')], ['lost', undefined])
  })

  it('lists the latest payments in some states', async () => {
    const createdAt = new Date('2300-01-01T00:00:00Z')
    const expiresAt = new Date('2300-01-02T00:00:00Z')
    const [one, two] = [await open({ createdAt, expiresAt }), await open({ createdAt: expiresAt, expiresAt })]
    await decide(one.id, { to: 'unknown', at: createdAt })
    const list = async (states: Parameters<Tx['sandboxPayments']['list']>[0], limit: number) =>
      (await bench.read.sandboxPayments.list(states, limit)).map(({ id }) => id)
    assert.deepEqual(await list(['unknown'], 1), [one.id])
    const both = (await list(['unknown', 'open'], 100)).filter((id) => id === one.id || id === two.id)
    assert.deepEqual(both, [two.id, one.id])
  })

  it('deletes payments that were never made, a batch at a time', async () => {
    const expiresAt = new Date('1999-01-01T00:00:00Z')
    const createdAt = new Date('1998-12-31T00:00:00Z')
    const old = { createdAt, expiresAt }
    const [paid, unknown] = [await open(old), await open(old)]
    for (const each of [paid, unknown]) await decide(each.id, { to: 'unknown', at: createdAt })
    await decide(paid.id, { from: ['unknown'] })
    const gone = [await open(old), await open(old)]
    await decide(gone[0]?.id ?? '', { to: 'declined', at: createdAt })
    const deleteUnpaid = (limit: number) =>
      bench.write((tx) => tx.sandboxPayments.deleteUnpaid(new Date('1999-01-02T00:00:00Z'), limit))
    assert.deepEqual([await deleteUnpaid(1), await deleteUnpaid(5), await deleteUnpaid(5)], [1, 1, 0])
    for (const { id } of [paid, unknown]) assert.notEqual(await bench.read.sandboxPayments.get(id), undefined)
  })
})

export const sandboxPlanCases = casesFor(['sandbox'], (it, bench) => {
  const insert = (changes: { readonly attempt?: string; readonly createdAt?: Date } = {}) =>
    bench.write((tx) =>
      tx.sandboxPlans.insert({
        id: freshName('plan'),
        accountId: randomUUID(),
        attempt: freshName('attempt'),
        details: ODD_JSON,
        createdAt: AT,
        ...changes,
      }),
    )

  it('stores one order for an attempt', async () => {
    const plan = await insert()
    assert.deepEqual(plan.details, ODD_JSON)
    assert.deepEqual([plan.version, plan.subscriptionId, plan.aheadMs, plan.createdAt], [1, null, 0, AT])
    assert.deepEqual(await insert({ attempt: plan.attempt }), plan)
    assert.deepEqual(await bench.read.sandboxPlans.get(plan.id), plan)
    for (const unknown of [freshName(), '\0']) {
      assert.equal(await bench.read.sandboxPlans.get(unknown), undefined)
      assert.equal(await bench.read.sandboxPlans.getBySubscription(unknown), undefined)
    }
  })

  it('lets exactly one of many concurrent changes of a version win', async () => {
    const { id } = await insert()
    const subscriptionId = freshName('subscription')
    const update = (by: number) => (tx: Tx) =>
      tx.sandboxPlans.update({ id, version: 1, subscriptionId, aheadMs: by, details: { by } })
    const { first, others } = await bench.overlap(update(1), [update(2), update(3)])
    assert.deepEqual([first?.version, ...others], [2, undefined, undefined])
    const found = present(await bench.read.sandboxPlans.getBySubscription(subscriptionId))
    assert.deepEqual([found.id, found.aheadMs, found.details], [id, 1, { by: 1 }])
  })

  it('lists the latest orders', async () => {
    const plan = await insert({ createdAt: new Date('2300-01-01T00:00:00Z') })
    assert.deepEqual(await bench.read.sandboxPlans.list(1), [plan])
  })
})

export const sandboxMailCases = casesFor(['sandbox'], (it, bench) => {
  const newMail = (changes: { readonly to?: string; readonly sentAt?: Date } = {}) => ({
    id: randomUUID(),
    to: 'ada@profiles.example',
    subject: ODD_TEXT,
    html: `<p>${ODD_TEXT}</p>`,
    text: ODD_TEXT,
    sentAt: AT,
    ...changes,
  })
  const insert = (mail: ReturnType<typeof newMail>, keep = 1_000) =>
    bench.write((tx) => tx.sandboxMail.insert(mail, keep))

  it('keeps the latest emails', async () => {
    const mails = [1, 2, 3].map((day) => newMail({ sentAt: new Date(`2300-01-0${day}T00:00:00Z`) }))
    for (const mail of mails) await insert(mail)
    assert.deepEqual(await bench.read.sandboxMail.list(3), mails.toReversed())
    const last = newMail({ sentAt: new Date('2300-01-04T00:00:00Z') })
    await insert(last, 2)
    assert.deepEqual(await bench.read.sandboxMail.list(9), [last, mails[2]])
    assert.deepEqual(await bench.read.sandboxMail.get(last.id), last)
    for (const gone of [mails[0]?.id ?? '', randomUUID(), 'no-id']) {
      assert.equal(await bench.read.sandboxMail.get(gone), undefined)
    }
  })

  it('erases the emails to an account, its orders, and its address in payments', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    const mails = [newMail({ to: leaving.email.toUpperCase() }), newMail({ to: staying.email })] as const
    for (const mail of mails) await insert(mail)
    const order = { attempt: freshName(), details: {}, createdAt: AT }
    const plan = { ...order, id: freshName(), accountId: leaving.id }
    const kept = { ...order, id: freshName(), attempt: freshName(), accountId: staying.id }
    const payment = { id: freshName(), kind: 'checkout', currency: 'usd', amount: 1n, details: {} } as const
    await bench.write(async (tx) => {
      await tx.sandboxPlans.insert(plan)
      await tx.sandboxPlans.insert(kept)
      await tx.sandboxPayments.insert({ ...payment, createdAt: AT, expiresAt: later(HOUR) }, 1_000_000)
      await tx.sandboxPayments.decide({ id: payment.id, from: ['open'], to: 'paid', at: AT, email: leaving.email })
    })
    await bench.write(async (tx) => tx.sandboxMail.eraseAccount(present(await lockForErasure(tx, leaving.id))))
    assert.equal(await bench.read.sandboxMail.get(mails[0].id), undefined)
    assert.deepEqual(await bench.read.sandboxMail.get(mails[1].id), mails[1])
    assert.equal(await bench.read.sandboxPlans.get(plan.id), undefined)
    assert.notEqual(await bench.read.sandboxPlans.get(kept.id), undefined)
    const { state, email } = present(await bench.read.sandboxPayments.get(payment.id))
    assert.deepEqual({ state, email }, { state: 'paid', email: null })
  })
})
