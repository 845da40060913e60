import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { StorageWorkload } from '../../ports/storage/storage.ts'
import { newEvent, newJob } from '../records.ts'
import { casesFor, HOUR, present } from './bench.ts'

const AT = new Date('2026-05-06T07:08:09.123Z')

export const workloadCases = casesFor(['jobs', 'followers'], (it, bench) => {
  /** The open work, with that of other cases; undefined in a storage that does not report it. */
  const workload = async (): Promise<StorageWorkload | undefined> => bench.storage.workload?.()

  it('counts open payments by rail, state and reason, and no payment with an outcome', async () => {
    const rail = `rail-${randomUUID()}`
    const createdAt = new Date(Date.now() - HOUR)
    const open = await Promise.all([1, 2, 3].map(() => bench.claim({ rail, createdAt })))
    const [first, second] = [present(open[0]), present(open[1])]
    await bench.write((tx) => tx.payments.mark(first.id, 'unknown', 'timeout'))
    await bench.write((tx) => tx.payments.mark(second.id, 'refused', 'no money'))
    const found = await workload()
    if (!found) return
    const own = found.payments.filter((each) => each.rail === rail)
    const counts = own.map(({ state, reason, count }) => ({ state, reason, count }))
    counts.sort((left, right) => (left.state < right.state ? -1 : 1))
    assert.deepEqual(counts, [
      { state: 'settling', reason: null, count: 1 },
      { state: 'unknown', reason: 'timeout', count: 1 },
    ])
    // The clock of the storage may differ from this one.
    for (const { oldestSeconds } of own) assert.ok(oldestSeconds > 3_000 && oldestSeconds < 4_200, `${oldestSeconds}`)
  })

  it('counts jobs that are queued or running, and none that has ended', async () => {
    const kind = `kind-${randomUUID()}`
    const { id: accountId } = await bench.account()
    const add = async () => present(await bench.write((tx) => tx.jobs.add(newJob(accountId, { kind }))))
    const [, running, ended] = [await add(), await add(), await add()]
    for (const { id } of [running, ended]) await bench.write((tx) => tx.jobs.start(id, id))
    await bench.write((tx) => tx.jobs.finish(ended.id, ended.id, { status: 'succeeded', result: {}, finishedAt: AT }))
    const found = await workload()
    if (!found) return
    const own = found.jobs.filter((each) => each.kind === kind)
    assert.deepEqual(own.map(({ status, count }) => `${count} ${status}`).sort(), ['1 queued', '1 running'])
  })

  it('reports how old the first event is that a leased follower has not handled', async () => {
    const [done, late, gone] = [randomUUID(), randomUUID(), randomUUID()]
    const event = newEvent({ at: new Date(Date.now() - HOUR) })
    const start = await bench.endOfLog()
    await bench.write((tx) => tx.events.append([event]))
    const cursor = present((await bench.events(start)).find(({ id }) => id === event.id)).cursor
    const lease = (name: string, from: string, leaseMs: number) =>
      bench.write((tx) => tx.followers.lease({ name, holder: name }, { leaseMs, start: from }))
    await lease(late, start, HOUR)
    await lease(gone, start, -2 * HOUR)
    await lease(done, await bench.endOfLog(), HOUR)
    const found = await workload()
    if (!found) return
    const lagOf = (name: string) => found.followers.find((each) => each.name === name)?.lagSeconds
    const lag = lagOf(late) ?? 0
    assert.ok(lag > 3_000 && lag < 4_200, `${lag} ${cursor}`)
    assert.ok((lagOf(done) ?? 0) < 3_000)
    assert.equal(lagOf(gone), undefined)
    assert.ok(Number.isInteger(found.deliveries) && found.deliveries >= 0)
  })
})
