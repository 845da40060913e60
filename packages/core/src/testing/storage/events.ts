import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EventList,
  type EventQuery,
  LOG_START,
  type NewEvent,
  type StoredEvent,
} from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newEvent } from '../records.ts'
import { casesFor, chance, leaseRunsOut, MINUTE, ODD_JSON, SHORT_LEASE } from './bench.ts'

const append =
  (...events: NewEvent[]) =>
  (tx: Stores) =>
    tx.events.append(events)

const idsOf = (events: readonly StoredEvent[]) => events.map(({ id }) => id)

export const eventCases = casesFor([], (it, bench) => {
  /** Reads the log as a follower does: after the last settled event that it saw. */
  const tail = () => {
    const seen: StoredEvent[] = []
    let after: string
    return {
      seen,
      start: async () => {
        after = await bench.endOfLog()
      },
      read: async () => {
        const { events } = await bench.read.events.list({ after, limit: 1_000 })
        seen.push(...events)
        after = events.at(-1)?.cursor ?? after
      },
      /** Reads until no event waits for an open transaction. */
      readAll: async () => {
        const events = await bench.events(after)
        seen.push(...events)
        after = events.at(-1)?.cursor ?? after
      },
    }
  }
  it('stores events as they were emitted, in the given order', async () => {
    const after = await bench.endOfLog()
    const { id: profileId } = await bench.profile()
    const events = [
      newEvent({ profileId, data: ODD_JSON }),
      newEvent({ accountId: null, data: {} }),
      newEvent({ traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }),
      newEvent({ type: 'gates.config_changed', at: new Date('1999-12-31T23:59:59.999Z') }),
    ]
    const stored = await bench.write(append(...events))
    assert.deepEqual(
      stored.map(({ cursor: _, ...event }) => event),
      events,
    )
    assert.deepEqual(await bench.events(after), stored)
    assert.equal(new Set(stored.map(({ cursor }) => cursor)).size, events.length)
    assert.equal(await bench.read.events.head(), stored.at(-1)?.cursor)
    assert.deepEqual(await bench.write(append()), [])
  })

  it('lists the events after a cursor, up to a limit, of all profiles or of one', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    const ids = [one.id, other.id, null, one.id, one.id]
    const stored = await bench.write(append(...ids.map((profileId) => newEvent({ profileId }))))
    const [first, , , fourth, last] = stored
    assert.ok(first && fourth && last)
    await bench.endOfLog()
    const list = async (query: EventQuery) => {
      const { events, early } = await bench.read.events.list(query)
      assert.deepEqual(early, [])
      return events
    }
    assert.deepEqual(await list({ after: first.cursor, limit: 2 }), stored.slice(1, 3))
    assert.deepEqual(await list({ after: LOG_START, limit: 10, profileId: one.id }), [first, fourth, last])
    assert.deepEqual(await list({ after: first.cursor, limit: 1, profileId: one.id }), [fourth])
    assert.deepEqual(await list({ after: last.cursor, limit: 5, profileId: one.id }), [])
    assert.deepEqual(await list({ after: last.cursor, limit: 5 }), [])
  })

  it('settles no event before one that a transaction that began earlier can still commit', async () => {
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
    await follower.readAll()

    assert.deepEqual(
      idsOf(follower.seen),
      [first.id, second.id],
      'a reader of the log must get both events, in the order in which they were appended',
    )
  })

  it('lists a committed event early while an earlier transaction is open, and again once it is settled', async () => {
    const after = await bench.endOfLog()
    const [held, free] = [newEvent(), newEvent()]
    const lists: EventList[] = []
    const look = async (limit: number) => lists.push(await bench.read.events.list({ after, limit }))
    await bench.overlap(
      async (tx, meanwhile) => {
        await tx.events.append([held])
        await meanwhile()
      },
      [append(free)],
      'commit',
      () => look(10),
    )
    const [during] = lists
    assert.ok(during)
    // A storage whose writers or readers wait for each other shows both at the end; no storage shows the second alone.
    const settled = idsOf(during.events)
    assert.ok(settled.length === 0 || settled[0] === held.id, 'an event was settled before one that precedes it')
    if (settled.length === 0 && during.early.length > 0) assert.deepEqual(idsOf(during.early), [free.id])
    assert.deepEqual(idsOf(await bench.events(after)), [held.id, free.id])
  })

  it('leaves out the events that an earlier list had seen', async () => {
    const after = await bench.endOfLog()
    const [one, two, three] = [newEvent(), newEvent(), newEvent()]
    for (const event of [one, two]) await bench.write(append(event))
    const allOf = ({ events, early }: EventList) => [...events, ...early]
    const first = await bench.read.events.list({ after, limit: 1 })
    assert.deepEqual(idsOf(allOf(first)), [one.id])
    await bench.write(append(three))
    const later = await bench.read.events.list({ after, seen: first.seen, limit: 10 })
    assert.deepEqual(idsOf(allOf(later)), first.seen === undefined ? [one.id, two.id, three.id] : [three.id])
  })

  it('lists an event that was committed after a list, although its transaction was open during it', async () => {
    const after = await bench.endOfLog()
    const [held, free] = [newEvent(), newEvent()]
    const lists: EventList[] = []
    await bench.overlap(
      async (tx, meanwhile) => {
        await tx.events.append([held])
        await meanwhile()
      },
      [append(free)],
      'commit',
      async () => lists.push(await bench.read.events.list({ after, limit: 10 })),
    )
    const [during] = lists
    assert.ok(during)
    const { events, early } = await bench.read.events.list({ after, seen: during.seen, limit: 10 })
    const listed = [...during.events, ...during.early, ...events, ...early]
    assert.deepEqual(new Set(idsOf(listed)), new Set([held.id, free.id]))
  })

  it('continues after an event that was rolled back', async () => {
    const follower = tail()
    await follower.start()
    const [gone, kept] = [newEvent(), newEvent()]
    await bench.overlap(append(gone), [append(kept)], 'rollback')
    await follower.readAll()
    assert.deepEqual(idsOf(follower.seen), [kept.id])
  })

  it('returns every event of concurrent writers exactly once to a reader that reads meanwhile', async () => {
    const follower = tail()
    const after = await bench.endOfLog()
    await follower.start()
    const events = Array.from({ length: 20 }, () => newEvent())
    let writing = true
    const writers = Promise.all(events.map((event) => bench.write(append(event)))).finally(() => {
      writing = false
    })
    while (writing) await follower.read()
    await writers
    await follower.readAll()
    assert.deepEqual(idsOf(follower.seen).sort(), events.map(({ id }) => id).sort())
    assert.deepEqual(idsOf(follower.seen), idsOf(await bench.events(after)))
  })

  it('notifies the watchers of the log', async () => {
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
    const heard = await Promise.race([woken.promise, sleep(MINUTE, false, { ref: false })])
    await stop()
    assert.ok(heard, 'the watcher was not notified within a minute')
  })
})

export const pruneCases = casesFor(['followers', 'eventRetention'], (it, bench) => {
  const HOUR = 3_600_000
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR)
  const prune = async (keep: readonly string[], hours = 1) => {
    const query = { before: inHours(hours), keep, heldSince: inHours(hours), limit: 100 }
    while ((await bench.write((tx) => tx.eventRetention.prune(query))) > 0);
  }

  it('deletes old events except those to keep, and returns the position after which no event is missing', async () => {
    const types = ['test.deleted', 'test.kept', 'test.deleted']
    const stored = await bench.write(append(...types.map((type) => newEvent({ type }))))
    const [recent] = await bench.write(append(newEvent({ at: inHours(2) })))
    const [first, kept, last] = stored
    assert.ok(first && kept && last && recent)
    await bench.endOfLog()
    const name = randomUUID()
    const follower = { name, holder: 'one' }
    await bench.write((tx) => tx.followers.lease(follower, { leaseMs: 3 * HOUR, start: first.cursor }))

    await prune(['test.kept'])
    assert.equal(await bench.read.eventRetention.horizon(), first.cursor, 'a follower still needs the next event')

    await bench.write((tx) => tx.followers.lease(follower, { leaseMs: 0, start: LOG_START }))
    await prune(['test.kept'])
    assert.equal(await bench.read.eventRetention.horizon(), last.cursor)
    const left = (await bench.read.events.list({ after: LOG_START, limit: 1_000 })).events
    const listed = new Set(idsOf(left))
    assert.deepEqual(
      [first, kept, last, recent].map(({ id }) => listed.has(id)),
      [false, true, false, true],
    )
  })

  it('deletes kept events of some types from before a time, up to the given limit, before the horizon only', async () => {
    const at = (ms: number) => new Date(Date.UTC(1990, 0, 1) + ms)
    const types = ['test.kept_a', 'test.kept_b', 'test.kept_a', 'test.kept_a']
    const stored = await bench.write(append(...types.map((type, ms) => newEvent({ type, at: at(ms) }))))
    await bench.endOfLog()
    await prune(['test.kept_a', 'test.kept_b'], 3)
    const recent = await bench.write(append(newEvent({ type: 'test.kept_a', at: at(0) })))
    await bench.endOfLog()
    const ids = idsOf([...stored, ...recent])
    const left = async () => {
      const listed = new Set(idsOf((await bench.read.events.list({ after: LOG_START, limit: 1_000 })).events))
      return ids.map((id) => listed.has(id))
    }
    const pruneKept = (limit: number) =>
      bench.write((tx) => tx.eventRetention.pruneKept({ before: at(3), types: ['test.kept_a'], limit }))
    assert.equal(await pruneKept(1), 1)
    assert.deepEqual(await left(), [false, true, true, true, true])
    assert.equal(await pruneKept(9), 1)
    assert.equal(await pruneKept(9), 0)
    assert.deepEqual(await left(), [false, true, false, true, true])
  })
})

export const eventTimeCases = casesFor(['eventRetention'], (it, bench) => {
  const find = (moment: Date) => bench.read.eventRetention.findCursor(moment)
  const after = async (cursor: string) =>
    (await bench.read.events.list({ after: cursor, limit: 10_000 })).events.map(({ id }) => id)

  it('finds the position of a time in the log, even when the times of events are out of order', async () => {
    // Earlier than every other event of the cases.
    const start = Date.UTC(1990, 0, 1)
    const seconds = (count: number) => new Date(start + count * 1_000)
    const hours = (count: number) => seconds(count * 3_600)
    const times = [seconds(0), seconds(10), seconds(5), hours(1), hours(2)]
    const stored: StoredEvent[] = []
    for (const at of times) stored.push(...(await bench.write(append(newEvent({ at })))))
    const ids = idsOf(stored)
    await bench.endOfLog()
    const found = async (moment: Date) => {
      const listed = new Set(await after(await find(moment)))
      return ids.map((id) => listed.has(id))
    }
    assert.deepEqual(await found(seconds(-1)), [true, true, true, true, true])
    // The one at 10 seconds comes before the one at 5 seconds in the log.
    assert.deepEqual(await found(seconds(4)), [false, true, true, true, true])
    assert.deepEqual(await found(seconds(10)), [false, false, false, true, true])
    assert.deepEqual(await found(hours(1)), [false, false, false, false, true])
    assert.equal(await find(new Date(Date.UTC(2900, 0, 1))), await bench.read.events.head())
  })
})

export const changelogCases = casesFor(['changelog'], (it, bench) => {
  it('lists the newest events of a profile with the given types, newest first', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    const types = ['content.page_saved', 'profiles.profile_updated', 'content.page_saved', 'payments.payment_settled']
    const stored = await bench.write(append(...types.map((type) => newEvent({ type, profileId: one.id }))))
    await bench.write(append(newEvent({ type: 'content.page_saved', profileId: other.id })))
    const latest = (limit: number, ...wanted: string[]) =>
      bench.read.changelog.listLatest({ profileId: one.id, types: wanted, limit })
    const [first, second, third] = stored
    assert.deepEqual(await latest(10, 'content.page_saved', 'profiles.profile_updated'), [third, second, first])
    assert.deepEqual(await latest(1, 'content.page_saved'), [third])
    assert.deepEqual(await latest(10, 'nothing.was_so'), [])
  })
})

export const followerCases = casesFor(['followers'], (it, bench) => {
  const lease = (name: string, holder: string, { leaseMs = MINUTE, start = LOG_START } = {}) =>
    bench.write((tx) => tx.followers.lease({ name, holder }, { leaseMs, start }))
  const advance = (name: string, holder: string, from: string, to: string) =>
    bench.write((tx) => tx.followers.advance({ name, holder }, { from, to }))

  it('starts a new follower at the given position, and lets its holder renew the lease', async () => {
    const name = randomUUID()
    assert.equal(await lease(name, 'one', { start: '0-0-7' }), '0-0-7')
    assert.equal(await lease(name, 'one', { start: '0-0-99' }), '0-0-7')
    assert.equal(await lease(randomUUID(), 'one', { start: LOG_START }), LOG_START)
  })

  it('refuses other holders while a lease runs, and hands over the position when it has expired', async () => {
    const name = randomUUID()
    await lease(name, 'one', { leaseMs: SHORT_LEASE, start: '0-0-3' })
    assert.equal(await advance(name, 'one', '0-0-3', '0-0-12'), true)
    await lease(name, 'one')
    assert.equal(await lease(name, 'two'), undefined)
    assert.equal(await lease(name, 'one', { leaseMs: SHORT_LEASE }), '0-0-12')
    await leaseRunsOut()
    assert.equal(await lease(name, 'two', { start: LOG_START }), '0-0-12')
    assert.equal(await lease(name, 'one'), undefined)
  })

  it('does not move a follower for a holder that lost its lease', async () => {
    const name = randomUUID()
    await lease(name, 'one', { leaseMs: SHORT_LEASE, start: '0-0-3' })
    await leaseRunsOut()
    await lease(name, 'two')
    assert.equal(await advance(name, 'one', '0-0-3', '0-0-50'), false)
    assert.equal(await lease(name, 'two'), '0-0-3')
    assert.equal(await advance(name, 'two', '0-0-3', '0-0-4'), true)
    assert.equal(await lease(name, 'two'), '0-0-4')
    assert.equal(await advance(randomUUID(), 'two', '0-0-3', '0-0-4'), false)
  })

  it('moves a follower from the same position once', async () => {
    const name = randomUUID()
    await lease(name, 'one', { start: '0-0-3' })
    const move = (to: string) => (tx: Stores<'followers'>) =>
      tx.followers.advance({ name, holder: 'one' }, { from: '0-0-3', to })
    const { first, others } = await bench.overlap(move('0-0-5'), [move('0-0-5'), move('0-0-9')])
    assert.deepEqual([first, ...others], [true, false, false])
    assert.equal(await lease(name, 'one'), '0-0-5')
  })
})

export const followerLeaseCases = casesFor(['followers'], (it, bench) => {
  const lease = (name: string, holder: string, { leaseMs = MINUTE, start = LOG_START } = {}) =>
    bench.write((tx) => tx.followers.lease({ name, holder }, { leaseMs, start }))

  it('leases a follower to exactly one of many, whether new or expired', async () => {
    const name = randomUUID()
    const take = (holder: string) => (tx: Stores<'followers'>) =>
      tx.followers.lease({ name, holder }, { leaseMs: MINUTE, start: '0-0-5' })
    const fresh = await bench.overlap(take('one'), ['two', 'three', 'four'].map(take))
    assert.deepEqual([fresh.first, ...fresh.others], ['0-0-5', undefined, undefined, undefined])
    await lease(name, 'one', { leaseMs: SHORT_LEASE })
    await leaseRunsOut()
    const left = await bench.overlap(take('two'), ['three', 'four', 'five'].map(take))
    assert.deepEqual([left.first, ...left.others], ['0-0-5', undefined, undefined, undefined])
  })
})
