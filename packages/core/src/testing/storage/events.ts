import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewEvent, StoredEvent } from '../../events/store.ts'
import type { Stores } from '../../ports/storage.ts'
import { newEvent } from '../records.ts'
import { type Cases, chance, leaseRunsOut, MINUTE, ODD_JSON, SHORT_LEASE } from './bench.ts'

const append =
  (...events: NewEvent[]) =>
  (tx: Stores) =>
    tx.events.append(events)

export const eventCases: Cases = (it, bench) => {
  /** Reads the log behind a position as a follower does: on from the last event it saw. */
  const tail = () => {
    const seen: StoredEvent[] = []
    let after: number
    return {
      seen,
      start: async () => {
        after = await bench.read.events.head()
      },
      read: async () => {
        const events = await bench.read.events.list({ after, limit: 1_000 })
        seen.push(...events)
        after = events.at(-1)?.position ?? after
      },
    }
  }

  it('keeps events as they were emitted, in the order given', async () => {
    const after = await bench.read.events.head()
    const { id: profileId } = await bench.profile()
    const events = [
      newEvent({ profileId, data: ODD_JSON }),
      newEvent({ accountId: null, data: {} }),
      newEvent({ type: 'gates.config_changed', at: new Date('1999-12-31T23:59:59.999Z') }),
    ]
    const stored = await bench.write(append(...events))
    assert.deepEqual(
      stored.map(({ position: _, ...event }) => event),
      events,
    )
    assert.deepEqual(await bench.read.events.list({ after, limit: 10 }), stored)
    const positions = stored.map(({ position }) => position)
    assert.deepEqual(
      positions.toSorted((left, right) => left - right),
      positions,
    )
    assert.equal(new Set(positions).size, 3)
    assert.ok(positions.every((position) => Number.isSafeInteger(position) && position > 0))
    assert.equal(await bench.read.events.head(), positions[2])
    assert.deepEqual(await bench.write(append()), [])
  })

  it('lists the newest events of a profile of the types asked for, newest first', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    const types = ['content.page_saved', 'profiles.profile_updated', 'content.page_saved', 'payments.payment_settled']
    const stored = await bench.write(append(...types.map((type) => newEvent({ type, profileId: one.id }))))
    await bench.write(append(newEvent({ type: 'content.page_saved', profileId: other.id })))
    const latest = (limit: number, ...wanted: string[]) =>
      bench.read.events.listLatest({ profileId: one.id, types: wanted, limit })
    const [first, second, third] = stored
    assert.deepEqual(await latest(10, 'content.page_saved', 'profiles.profile_updated'), [third, second, first])
    assert.deepEqual(await latest(1, 'content.page_saved'), [third])
    assert.deepEqual(await latest(10, 'nothing.was_so'), [])
  })

  it('lists the events behind a position, as many as asked for, and of one profile where one is named', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    const ids = [one.id, other.id, null, one.id, one.id]
    const stored = await bench.write(append(...ids.map((profileId) => newEvent({ profileId }))))
    const [first, , , fourth, last] = stored
    assert.ok(first && fourth && last)
    const { list } = bench.read.events
    assert.deepEqual(await list.call(bench.read.events, { after: first.position, limit: 2 }), stored.slice(1, 3))
    const ofOne = await bench.read.events.list({ after: 0, limit: 10, profileId: one.id })
    assert.deepEqual(ofOne, [first, fourth, last])
    const next = await bench.read.events.list({ after: first.position, limit: 1, profileId: one.id })
    assert.deepEqual(next, [fourth])
    assert.deepEqual(await bench.read.events.list({ after: last.position, limit: 5, profileId: one.id }), [])
    assert.deepEqual(await bench.read.events.list({ after: Number.MAX_SAFE_INTEGER, limit: 5 }), [])
  })

  it('shows no position behind one that was read already', async () => {
    const follower = tail()
    await follower.start()
    const [first, second] = [newEvent(), newEvent()]
    const appended = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const slow = bench.write(async (tx) => {
      await tx.events.append([first])
      appended.resolve()
      await released.promise
    })
    await Promise.race([appended.promise, slow])
    // The second tries to overtake. It may have to wait, and on a storage with one connection so does the reader.
    const fast = bench.write(append(second))
    await chance(fast)
    const early = follower.read()
    await chance(early)
    released.resolve()
    await Promise.all([slow, fast, early])
    await follower.read()

    assert.deepEqual(
      follower.seen.map(({ id }) => id).filter((id) => id === first.id || id === second.id),
      [first.id, second.id],
      'a reader of the log must meet both events, in the order of their positions',
    )
  })

  it('goes on behind an event that was rolled back', async () => {
    const follower = tail()
    await follower.start()
    const [gone, kept] = [newEvent(), newEvent()]
    await bench.overlap(append(gone), [append(kept)], 'rollback')
    await follower.read()
    assert.deepEqual(
      follower.seen.map(({ id }) => id),
      [kept.id],
    )
  })

  it('loses no event of many writers, and shows them in order to a reader who reads meanwhile', async () => {
    const follower = tail()
    await follower.start()
    const events = Array.from({ length: 20 }, () => newEvent())
    let writing = true
    const writers = Promise.all(events.map((event) => bench.write(append(event)))).finally(() => {
      writing = false
    })
    while (writing) await follower.read()
    await writers
    await follower.read()
    assert.deepEqual(follower.seen.map(({ id }) => id).sort(), events.map(({ id }) => id).sort())
    const positions = follower.seen.map(({ position }) => position)
    assert.deepEqual(
      positions.toSorted((left, right) => left - right),
      positions,
    )
  })

  it('wakes whoever watches the log', async () => {
    const { storage } = bench
    if (!storage.watch) return
    let appended = false
    const woken = Promise.withResolvers<true>()
    const stop = await storage.watch(() => {
      if (appended) woken.resolve(true)
    })
    // A storage may wake once when it starts to listen.
    await sleep(50)
    appended = true
    await bench.write(append(newEvent()))
    const heard = await Promise.race([woken.promise, sleep(10_000, false, { ref: false })])
    await stop()
    assert.ok(heard, 'nobody was woken within ten seconds')
  })
}

export const followerCases: Cases = (it, bench) => {
  const lease = (name: string, holder: string, { leaseMs = MINUTE, start = 0 } = {}) =>
    bench.write((tx) => tx.events.lease({ name, holder }, { leaseMs, start }))
  const advance = (name: string, holder: string, position: number) =>
    bench.write((tx) => tx.events.advance({ name, holder }, position))

  it('starts a new follower where it is told to, and lets its holder renew the lease', async () => {
    const name = randomUUID()
    assert.equal(await lease(name, 'one', { start: 7 }), 7)
    assert.equal(await lease(name, 'one', { start: 99 }), 7)
    assert.equal(await lease(randomUUID(), 'one', { start: 0 }), 0)
  })

  it('keeps others away while a lease runs, and hands over where the follower stands when it has run out', async () => {
    const name = randomUUID()
    await lease(name, 'one', { leaseMs: SHORT_LEASE, start: 3 })
    assert.equal(await advance(name, 'one', 12), true)
    await lease(name, 'one')
    assert.equal(await lease(name, 'two'), undefined)
    assert.equal(await lease(name, 'one', { leaseMs: SHORT_LEASE }), 12)
    await leaseRunsOut()
    assert.equal(await lease(name, 'two', { start: 0 }), 12)
    assert.equal(await lease(name, 'one'), undefined)
  })

  it('does not move a follower for somebody who lost it', async () => {
    const name = randomUUID()
    await lease(name, 'one', { leaseMs: SHORT_LEASE, start: 3 })
    await leaseRunsOut()
    await lease(name, 'two')
    assert.equal(await advance(name, 'one', 50), false)
    assert.equal(await lease(name, 'two'), 3)
    assert.equal(await advance(name, 'two', 4), true)
    assert.equal(await lease(name, 'two'), 4)
    assert.equal(await advance(randomUUID(), 'two', 4), false)
  })

  it('gives a follower to exactly one of many, new or left behind', async () => {
    const name = randomUUID()
    const take = (holder: string) => (tx: Stores) => tx.events.lease({ name, holder }, { leaseMs: MINUTE, start: 5 })
    const fresh = await bench.overlap(take('one'), ['two', 'three', 'four'].map(take))
    assert.deepEqual([fresh.first, ...fresh.others], [5, undefined, undefined, undefined])
    await lease(name, 'one', { leaseMs: SHORT_LEASE })
    await leaseRunsOut()
    const left = await bench.overlap(take('two'), ['three', 'four', 'five'].map(take))
    assert.deepEqual([left.first, ...left.others], [5, undefined, undefined, undefined])
  })
}
