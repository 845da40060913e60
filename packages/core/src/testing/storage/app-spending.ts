import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AppReceipt, NewSpend, SpendReservation } from '../../ports/storage/app-spending.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { lockForErasure } from '../erase-account.ts'
import { freshName, newSpend } from '../records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'

type Tx = Stores<'connectedApps'>

const UNIT = 1_000_000
const AT = new Date('2026-03-04T23:59:59.999Z')
const NEXT_DAY = new Date('2026-03-05T00:00:00Z')
const NEXT_MONTH = new Date('2026-04-01T00:00:00Z')
const LIMITS = { purchase: 5 * UNIT, day: 10 * UNIT, month: 50 * UNIT, accountMonth: 200 * UNIT }

const reserve = (spend: NewSpend) => (tx: Tx) => tx.appSpending.reserveSpend(spend)
const outcomes = (results: readonly (SpendReservation | undefined)[]) => results.map((result) => result?.outcome)

export const appSpendingCases = casesFor(['connectedApps'], (it, bench) => {
  const spent = async (spend: NewSpend) => {
    assert.deepEqual(await bench.write(reserve(spend)), { outcome: 'reserved' })
    return spend
  }
  const totals = (accountId: string, at = AT) => bench.read.appSpending.listTotals(accountId, at)

  it('reserves an amount once, and counts it by day and month', async () => {
    const { id } = await bench.account()
    const spend = await spent(newSpend(id, { at: AT, spender: ODD_TEXT }))
    assert.deepEqual(await bench.write(reserve({ ...spend, amount: 9 * UNIT })), { outcome: 'exists' })
    const total = { spender: ODD_TEXT, currency: 'usd', month: UNIT }
    assert.deepEqual(await totals(id), [{ ...total, day: UNIT }])
    assert.deepEqual(await totals(id, NEXT_DAY), [{ ...total, day: 0 }])
    assert.deepEqual(await totals(id, NEXT_MONTH), [])
    assert.deepEqual(await totals('no uuid'), [])
    assert.deepEqual(await bench.read.appSpending.listMonths(id), [
      { spender: ODD_TEXT, currency: 'usd', month: '2026-03-01', amount: UNIT },
    ])
  })

  it('refuses what would exceed a limit, and returns how much is left', async () => {
    const { id } = await bench.account()
    const attempt = (changes: Partial<NewSpend>) =>
      bench.write(reserve(newSpend(id, { at: AT, limits: LIMITS, ...changes })))
    const exceeded = (limit: string, remaining: number) => ({ outcome: 'exceeded', limit, remaining: remaining * UNIT })
    assert.deepEqual(await attempt({ amount: 5 * UNIT + 1 }), exceeded('purchase', 5))
    assert.deepEqual(await attempt({ amount: 5 * UNIT }), { outcome: 'reserved' })
    assert.deepEqual(await attempt({ amount: 4 * UNIT }), { outcome: 'reserved' })
    assert.deepEqual(await attempt({ amount: UNIT + 1 }), exceeded('day', 1))
    assert.deepEqual(await attempt({ amount: UNIT }), { outcome: 'reserved' })
    const month = { at: NEXT_DAY, limits: { ...LIMITS, month: 12 * UNIT } }
    assert.deepEqual(await attempt({ ...month, amount: 3 * UNIT }), exceeded('month', 2))
    const all = { at: NEXT_DAY, spender: 'other', limits: { ...LIMITS, accountMonth: 9 * UNIT } }
    assert.deepEqual(await attempt(all), exceeded('account_month', 0))
    // Other days, months, currencies and accounts have their own.
    for (const changes of [{ at: NEXT_DAY }, { at: NEXT_MONTH }, { currency: 'eur' } as const, { spender: 'other' }])
      assert.deepEqual(await attempt({ amount: 5 * UNIT, ...changes }), { outcome: 'reserved' })
    assert.deepEqual(await attempt({ at: NEXT_MONTH, limits: { ...LIMITS, accountMonth: null } }), {
      outcome: 'reserved',
    })
    // A refused spend is not stored.
    const spend = newSpend(id, { at: NEXT_DAY, amount: 6 * UNIT })
    assert.equal((await bench.write(reserve(spend))).outcome, 'exceeded')
    assert.equal((await bench.write(reserve({ ...spend, amount: UNIT }))).outcome, 'reserved')
  })

  it('adjusts or releases a reserved amount once, on the day that it was reserved for', async () => {
    const { id } = await bench.account()
    const [one, two] = [
      await spent(newSpend(id, { at: AT, amount: 5 * UNIT })),
      await spent(newSpend(id, { at: NEXT_DAY })),
    ]
    const adjust = (tx: Tx) => tx.appSpending.adjustSpend(one.id, 2 * UNIT)
    const release = (tx: Tx) => tx.appSpending.releaseSpend(one.id)
    const { first, others } = await bench.overlap(adjust, [release, adjust])
    assert.deepEqual([first, ...others], [true, false, false])
    const [total] = await totals(id)
    assert.deepEqual([total?.day, total?.month], [2 * UNIT, 3 * UNIT])

    assert.equal(await bench.write((tx) => tx.appSpending.releaseSpend(two.id)), true)
    assert.equal(await bench.write((tx) => tx.appSpending.adjustSpend(two.id, UNIT)), false)
    assert.equal(await bench.write((tx) => tx.appSpending.releaseSpend(two.id, 'adjusted')), false)
    assert.equal((await totals(id))[0]?.month, 2 * UNIT)
    assert.equal(await bench.write((tx) => tx.appSpending.releaseSpend(one.id, 'adjusted')), true)
    assert.equal(await bench.write((tx) => tx.appSpending.releaseSpend(one.id, 'adjusted')), false)
    assert.deepEqual(await totals(id), [])
    assert.deepEqual(await bench.write(reserve(one)), { outcome: 'reserved' })
    for (const unknown of [randomUUID(), '\0'])
      assert.equal(await bench.write((tx) => tx.appSpending.adjustSpend(unknown, UNIT)), false)
  })

  it('keeps a hundred concurrent purchases under the limit of a spender', async () => {
    const { id } = await bench.account()
    const one = () => reserve(newSpend(id, { at: AT, limits: { ...LIMITS, day: 7 * UNIT } }))
    const { first, others } = await bench.overlap(one(), Array.from({ length: 99 }, one))
    assert.equal(outcomes([first, ...others]).filter((outcome) => outcome === 'reserved').length, 7)
    assert.equal((await totals(id))[0]?.day, 7 * UNIT)
  })

  it('keeps concurrent purchases of two apps under the limit of the account', async () => {
    const { id } = await bench.account()
    const by = (spender: string) => () =>
      reserve(newSpend(id, { at: AT, spender, limits: { ...LIMITS, accountMonth: 7 * UNIT } }))
    const others = [...Array.from({ length: 10 }, by('one')), ...Array.from({ length: 10 }, by('two'))]
    const results = await bench.overlap(by('one')(), others)
    const reserved = outcomes([results.first, ...results.others]).filter((outcome) => outcome === 'reserved')
    assert.equal(reserved.length, 7)
    const sums = (await totals(id)).map(({ month }) => month)
    assert.equal(
      sums.reduce((sum, month) => sum + month, 0),
      7 * UNIT,
    )
  })

  it('counts nothing of a transaction that is rolled back', async () => {
    const { id } = await bench.account()
    const limits = { ...LIMITS, day: UNIT }
    const [one, two] = [newSpend(id, { at: AT, limits }), newSpend(id, { at: AT, limits })]
    const { others } = await bench.overlap(reserve(one), [reserve(two), reserve(one)], 'rollback')
    assert.deepEqual(outcomes(others).sort(), ['exceeded', 'reserved'])
  })

  it('reserves one id for exactly one of concurrent callers', async () => {
    const { id } = await bench.account()
    const spend = newSpend(id, { at: AT })
    const { first, others } = await bench.overlap(reserve(spend), [reserve(spend), reserve(spend)])
    assert.deepEqual(outcomes([first, ...others]), ['reserved', 'exists', 'exists'])
    assert.equal((await totals(id))[0]?.day, UNIT)
  })

  it('shows the apps of receipts to their account, newest first', async () => {
    const [{ id: accountId }, { id: other }] = [await bench.account(), await bench.account()]
    const receipt = (changes: Partial<AppReceipt>): AppReceipt => ({
      receiptId: freshName('receipt'),
      accountId,
      spender: 'one',
      name: ODD_TEXT,
      host: null,
      createdAt: AT,
      ...changes,
    })
    const [old, young] = [receipt({}), receipt({ createdAt: NEXT_DAY, spender: 'two', host: 'two.example' })]
    const add = (each: AppReceipt) => bench.write((tx) => tx.appSpending.addReceipt(each))
    for (const each of [old, young, receipt({ accountId: other }), { ...old, name: 'Again' }]) await add(each)
    const { read } = bench
    const ids = [old.receiptId, '\0', randomUUID()]
    assert.deepEqual([...(await read.appSpending.getReceiptApps(accountId, ids))], [[old.receiptId, old]])
    assert.equal((await read.appSpending.getReceiptApps(other, ids)).size, 0)
    assert.equal((await read.appSpending.getReceiptApps('no uuid', ids)).size, 0)
    const first = await read.appSpending.listReceipts(accountId, {}, { limit: 1 })
    const second = await read.appSpending.listReceipts(accountId, {}, { limit: 1, cursor: first.nextCursor })
    assert.deepEqual([first.total, ...first.items, ...second.items], [2, young, old])
    const ofTwo = await read.appSpending.listReceipts(accountId, { spender: 'two' }, { limit: 9 })
    assert.deepEqual(ofTwo.items, [young])
  })

  it('erases the spending of the given account only', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    for (const { id } of [leaving, staying]) {
      await spent(newSpend(id, { at: AT }))
      const receipt = { receiptId: freshName(), spender: 'one', name: 'One', host: null, createdAt: AT }
      await bench.write((tx) => tx.appSpending.addReceipt({ ...receipt, accountId: id }))
    }
    await bench.write(async (tx) => tx.connectedApps.eraseAccount(present(await lockForErasure(tx, leaving.id))))
    const left = async (id: string) => [
      (await totals(id)).length,
      (await bench.read.appSpending.listReceipts(id, {}, { limit: 9 })).total,
    ]
    assert.deepEqual(
      [await left(leaving.id), await left(staying.id)],
      [
        [0, 0],
        [1, 1],
      ],
    )
  })
})
