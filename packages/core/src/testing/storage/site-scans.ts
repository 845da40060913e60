import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewSiteScan, SiteScanTerms } from '../../ports/storage/site-scans.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName } from '../records.ts'
import { casesFor, HOUR, MINUTE } from './bench.ts'

type Tx = Stores<'siteScans'>

const AT = new Date('2026-07-07T07:07:07.007Z')
const later = (ms: number) => new Date(AT.getTime() + ms)
const newHost = () => `${freshName()}.example`

export const siteScanCases = casesFor(['siteScans'], (it, bench) => {
  const newScan = (accountId: string, changes: Partial<NewSiteScan> = {}): NewSiteScan => ({
    id: randomUUID(),
    accountId,
    host: newHost(),
    requestedAt: AT,
    ...changes,
  })
  const terms = (changes: Partial<SiteScanTerms> = {}): SiteScanTerms => ({
    since: later(-24 * HOUR),
    limit: 20,
    heldUntil: later(10 * MINUTE),
    ...changes,
  })
  const accepting = (scan: NewSiteScan, changes?: Partial<SiteScanTerms>) => (tx: Tx) =>
    tx.siteScans.accept(scan, terms(changes))
  const accept = (...args: Parameters<typeof accepting>) => bench.write(accepting(...args))
  const hold = (id: string, at: Date, until: Date) => bench.write((tx) => tx.siteScans.hold(id, at, until))

  it('accepts scans of an account up to the limit, and names the oldest that counts', async () => {
    const { id } = await bench.account()
    const other = await bench.account()
    assert.deepEqual(await accept(newScan(id, { requestedAt: later(-25 * HOUR) })), { outcome: 'accepted' })
    assert.deepEqual(await accept(newScan(id, { requestedAt: later(-HOUR) }), { limit: 2 }), { outcome: 'accepted' })
    assert.deepEqual(await accept(newScan(id), { limit: 2 }), { outcome: 'accepted' })
    const reached = { outcome: 'limit_reached', oldestAt: later(-HOUR) }
    assert.deepEqual(await accept(newScan(id), { limit: 2 }), reached)
    assert.deepEqual(await accept(newScan(other.id), { limit: 2 }), { outcome: 'accepted' })
    assert.deepEqual(await accept(newScan(id), { limit: 3 }), { outcome: 'accepted' })
  })

  it('accepts no more than the limit of many concurrent scans of an account', async () => {
    const { id } = await bench.account()
    const scan = () => accepting(newScan(id), { limit: 2 })
    const { first, others } = await bench.overlap(scan(), [scan(), scan(), scan()])
    const outcomes = [first, ...others].map((each) => each?.outcome).sort()
    assert.deepEqual(outcomes, ['accepted', 'accepted', 'limit_reached', 'limit_reached'])
  })

  it('lets exactly one of many concurrent scans hold a host', async () => {
    const host = newHost()
    const accounts = await Promise.all([1, 2, 3].map(() => bench.account()))
    const [first, ...others] = accounts.map(({ id }) => accepting(newScan(id, { host })))
    const held = { outcome: 'host_held' }
    const made = await bench.overlap(first as NonNullable<typeof first>, others)
    assert.deepEqual(made, { first: { outcome: 'accepted' }, others: [held, held] })
  })

  it('does not count a scan that another one kept from its host', async () => {
    const [one, other] = [await bench.account(), await bench.account()]
    const host = newHost()
    await accept(newScan(one.id, { host }))
    assert.equal((await accept(newScan(other.id, { host }), { limit: 1 }))?.outcome, 'host_held')
    assert.deepEqual(await accept(newScan(other.id), { limit: 1 }), { outcome: 'accepted' })
  })

  it('frees a host when its scan releases it, when its time is over, and when the transaction fails', async () => {
    const { id } = await bench.account()
    const first = newScan(id)
    await accept(first)
    await bench.write((tx) => tx.siteScans.release(first.id))
    const second = newScan(id, { host: first.host })
    assert.deepEqual(await accept(second), { outcome: 'accepted' })
    // A scan that lost its host does not release that of another one.
    await bench.write((tx) => tx.siteScans.release(first.id))
    const third = newScan(id, { host: first.host, requestedAt: later(9 * MINUTE) })
    assert.equal((await accept(third))?.outcome, 'host_held')
    const host = newHost()
    await bench.overlap(accepting(newScan(id, { host })), [], 'rollback')
    assert.deepEqual(await accept(newScan(id, { host })), { outcome: 'accepted' })
    const late = newScan(id, { host: first.host, requestedAt: later(10 * MINUTE) })
    assert.deepEqual(await accept(late, { heldUntil: later(20 * MINUTE) }), { outcome: 'accepted' })
  })

  it('extends the hold of a scan, and gives it back unless another scan holds the host', async () => {
    const { id } = await bench.account()
    const scan = newScan(id)
    await accept(scan)
    assert.equal(await hold(scan.id, later(MINUTE), later(15 * MINUTE)), true)
    const other = newScan(id, { host: scan.host, requestedAt: later(14 * MINUTE) })
    assert.deepEqual(await accept(other), { outcome: 'host_held' })
    const next = newScan(id, { host: scan.host, requestedAt: later(15 * MINUTE) })
    assert.equal((await accept(next, { heldUntil: later(30 * MINUTE) }))?.outcome, 'accepted')
    assert.equal(await hold(scan.id, later(16 * MINUTE), later(40 * MINUTE)), false)
    assert.equal(await hold(scan.id, later(30 * MINUTE), later(40 * MINUTE)), true)
    assert.equal(await hold(next.id, later(31 * MINUTE), later(50 * MINUTE)), false)
    for (const unknown of [randomUUID(), 'no-id']) assert.equal(await hold(unknown, AT, later(MINUTE)), false)
  })

  it('lets exactly one of two scans take a host whose hold is over', async () => {
    const { id } = await bench.account()
    const scan = newScan(id)
    await accept(scan)
    const next = newScan(id, { host: scan.host, requestedAt: later(HOUR) })
    const { first, others } = await bench.overlap(
      (tx) => tx.siteScans.hold(scan.id, later(HOUR), later(2 * HOUR)),
      [accepting(next, { heldUntil: later(3 * HOUR) })],
    )
    assert.equal(first, true)
    assert.deepEqual(others, [{ outcome: 'host_held' }])
  })

  it('deletes old scans, a batch at a time, and keeps those that count', async () => {
    const { id } = await bench.account()
    const longAgo = new Date('1999-01-01T00:00:00Z')
    const old = [newScan(id, { requestedAt: longAgo }), newScan(id, { requestedAt: longAgo })]
    for (const scan of old) await accept(scan, { heldUntil: longAgo })
    const kept = newScan(id)
    await accept(kept)
    const before = new Date('1999-01-02T00:00:00Z')
    const deleteOld = (limit: number) => bench.write((tx) => tx.siteScans.deleteOld(before, limit))
    assert.deepEqual([await deleteOld(1), await deleteOld(5), await deleteOld(5)], [1, 1, 0])
    assert.equal(await hold(old[0]?.id ?? '', AT, later(HOUR)), false)
    assert.equal(await hold(kept.id, AT, later(HOUR)), true)
  })

  it('accepts no scan of a deleted account, whose hosts are free', async () => {
    const { id } = await bench.account()
    const scan = newScan(id)
    await accept(scan)
    assert.equal(await bench.write((tx) => eraseAccount(tx, id)), true)
    assert.equal(await accept(newScan(id)), undefined)
    assert.equal(await accept(newScan('no-id')), undefined)
    assert.equal(await hold(scan.id, AT, later(HOUR)), false)
    const other = await bench.account()
    assert.deepEqual(await accept(newScan(other.id, { host: scan.host })), { outcome: 'accepted' })
  })
})
