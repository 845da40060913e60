import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type EventStore,
  type FollowerStore,
  LOG_START,
  type NewEvent,
  type StoredEvent,
} from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Write } from '../storage/guard.ts'
import { createDurableConsumer, type DurableConsumer, type TransactionalHandler } from './durable.ts'

const LEASE_MS = 200

/** An in-memory log with leases. */
function createLog() {
  const log: StoredEvent[] = []
  const leases = new Map<string, { holder: string; cursor: string; until: number }>()
  const events: EventStore = {
    list: async ({ after, limit }) => ({ events: log.slice(Number(after), Number(after) + limit), early: [] }),
    head: async () => String(log.length),
    append: async (added) => {
      const stored = added.map((event, index) => ({ ...event, cursor: String(log.length + 1 + index) }))
      log.push(...stored)
      return stored
    },
  }
  const followers: FollowerStore = {
    lease: async ({ name, holder }, { leaseMs, start }) => {
      const known = leases.get(name)
      if (known && known.holder !== holder && known.until > Date.now()) return undefined
      const cursor = known?.cursor ?? start
      leases.set(name, { holder, cursor, until: Date.now() + leaseMs })
      return cursor
    },
    advance: async ({ name, holder }, { from, to }) => {
      const known = leases.get(name)
      if (known?.holder !== holder || known.cursor !== from) return false
      known.cursor = to
      return true
    },
  }
  // Consumers use no other store.
  const write: Write<'followers'> = (work) => work({ events, followers } as unknown as Stores<'followers'>, () => {})
  const event = (type: string): NewEvent => ({
    id: type,
    type,
    profileId: null,
    accountId: null,
    data: {},
    at: new Date(),
  })
  return {
    events,
    followers,
    write,
    add: (...types: string[]) => events.append(types.map(event)),
    /** Gives the lease to another holder, as after a lease has expired. */
    give: (name: string, holder: string) => leases.set(name, { holder, cursor: LOG_START, until: Date.now() + 60_000 }),
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const running: DurableConsumer[] = []
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(async () => {
  const stopped = Promise.all(running.splice(0).map((follower) => follower.stop()))
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  await stopped
  vi.useRealTimers()
})

function follow(log: ReturnType<typeof createLog>, handle: (type: string) => void | Promise<void>, leaseMs = LEASE_MS) {
  const deps = { events: log.events, write: log.write, onError: () => {}, leaseMs, retryMs: 10, start: LOG_START }
  const follower = createDurableConsumer('crm', ({ type }) => handle(type), deps)
  running.push(follower)
  follower.start()
  return follower
}

/** A consumer that stores the types of events in the transactions of `write`. */
function storing(log: ReturnType<typeof createLog>, write: Write<'followers'>, stored: string[]) {
  const consumer = createDurableConsumer(
    'crm',
    { prepare: async (batch) => async () => void stored.push(...batch.map(({ type }) => type)) },
    { events: log.events, write, onError: () => {}, leaseMs: 60_000, retryMs: 10, start: LOG_START },
  )
  running.push(consumer)
  return consumer
}

/** Advances the clock and runs due timers. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('calls the handler when the lease was acquired, before the first events, and when it was lost', async () => {
  const log = createLog()
  const calls: string[] = []
  const handler: TransactionalHandler = {
    leased: async (cursor) => void calls.push(`leased at ${cursor}`),
    prepare: async (batch) => async () => void calls.push(...batch.map(({ type }) => type)),
    lost: () => void calls.push('lost'),
  }
  const deps = { events: log.events, write: log.write, onError: () => {}, leaseMs: LEASE_MS, retryMs: 10 }
  const consumer = createDurableConsumer('crm', handler, { ...deps, start: LOG_START })
  running.push(consumer)
  await log.add('one')
  consumer.start()
  await pass(LEASE_MS)
  expect(calls).toEqual([`leased at ${LOG_START}`, 'one'])
  log.give('crm', 'another')
  await pass(LEASE_MS)
  expect(calls.slice(2)).toEqual(['lost'])
})

describe('a follower', () => {
  it('reports the failures of an outage once a minute, and those of the next outage again', async () => {
    const log = createLog()
    let isAvailable = false
    const write: Write<'followers'> = async (work) => {
      if (!isAvailable) throw new Error('The storage is unavailable')
      return log.write(work)
    }
    const onError = vi.fn()
    const deps = { events: log.events, write, onError, leaseMs: LEASE_MS, retryMs: 1_000, start: LOG_START }
    const follower = createDurableConsumer('crm', () => {}, deps)
    running.push(follower)
    follower.start()
    await pass(50_000)
    expect(onError).toHaveBeenCalledTimes(1)
    await pass(12_000)
    expect(onError).toHaveBeenCalledTimes(2)
    isAvailable = true
    await pass(2_000)
    isAvailable = false
    await pass(2_000)
    expect(onError.mock.calls.length).toBeGreaterThan(2)
    isAvailable = true
  })

  it('keeps its lease while a handler takes longer than the lease lasts', async () => {
    const log = createLog()
    await log.add('one', 'two')
    const handled: string[] = []
    follow(log, async (type) => {
      await sleep(LEASE_MS * 3)
      handled.push(`first ${type}`)
    })
    await pass(5)
    follow(log, (type) => void handled.push(`second ${type}`))
    await pass(LEASE_MS * 7)
    expect(handled).toEqual(['first one', 'first two'])
  })

  it('loses its lease to another process after it was silent for too long, and the event is handled again', async () => {
    const log = createLog()
    await log.add('one')
    await log.write((tx) =>
      tx.followers.lease({ name: 'crm', holder: 'a process that died' }, { leaseMs: LEASE_MS, start: LOG_START }),
    )
    const handled: string[] = []
    follow(log, (type) => void handled.push(type))
    await pass(LEASE_MS - 1)
    expect(handled).toEqual([])
    await pass(LEASE_MS)
    expect(handled).toEqual(['one'])
  })

  it('delivers nothing more after another consumer took over the lease', async () => {
    const log = createLog()
    await log.add('one', 'two')
    const handled: string[] = []
    follow(log, async (type) => {
      handled.push(type)
      log.give('crm', 'another instance')
      await sleep(LEASE_MS)
    })
    await pass(LEASE_MS * 4)
    expect(handled).toEqual(['one'])
  })

  it('releases its lease when it stops', async () => {
    const log = createLog()
    const handled: string[] = []
    const first = follow(log, (type) => void handled.push(`first ${type}`), 60_000)
    await log.add('one')
    first.wake()
    await pass(0)
    expect(handled).toEqual(['first one'])
    await first.stop()
    await log.add('two')
    follow(log, (type) => void handled.push(`second ${type}`))
    // Long before the lease would have expired.
    await pass(LEASE_MS)
    expect(handled).toEqual(['first one', 'second two'])
  })

  it('leases once for many events, and reads no page after the last one', async () => {
    const log = createLog()
    const handled: string[] = []
    const consumer = follow(log, (type) => void handled.push(type), 60_000)
    await pass(0)
    const lease = vi.spyOn(log.followers, 'lease')
    const list = vi.spyOn(log.events, 'list')
    for (const type of ['one', 'two', 'three']) {
      await log.add(type)
      consumer.wake()
      await pass(0)
    }
    expect(handled).toEqual(['one', 'two', 'three'])
    expect(lease).not.toHaveBeenCalled()
    expect(list).toHaveBeenCalledTimes(3)
  })

  it('asks once in each retry period for a lease that another process holds, however many events wake it', async () => {
    const log = createLog()
    log.give('crm', 'another instance')
    const lease = vi.spyOn(log.followers, 'lease')
    const consumer = follow(log, () => {})
    await pass(0)
    for (let event = 0; event < 9; event += 1) {
      consumer.wake()
      await pass(1)
    }
    expect(lease).toHaveBeenCalledOnce()
    await pass(10)
    expect(lease).toHaveBeenCalledTimes(2)
  })

  it('stores each event once in a transaction, also when the answer to a commit is lost', async () => {
    const log = createLog()
    const stored: string[] = []
    let isLost = true
    const write: Write<'followers'> = async (work) => {
      const result = await log.write(work)
      if (stored.length === 1 && isLost) {
        isLost = false
        throw new Error('the connection ended after the commit')
      }
      return result
    }
    const consumer = storing(log, write, stored)
    await log.add('one')
    consumer.start()
    await pass(50)
    await log.add('two')
    consumer.wake()
    await pass(50)
    expect(isLost).toBe(false)
    expect(stored).toEqual(['one', 'two'])
  })

  it('stores each event once, also when a late renewal returns an old position', async () => {
    const log = createLog()
    const stored: string[] = []
    const { lease } = log.followers
    const leasing = vi.spyOn(log.followers, 'lease')
    let isLost = true
    const write: Write<'followers'> = async (work) => {
      const result = await log.write(work)
      if (stored.length === 2 && isLost) {
        isLost = false
        leasing.mockImplementationOnce(async (...lessee) => (await lease(...lessee)) && LOG_START)
        throw new Error('the connection ended after the commit')
      }
      return result
    }
    const consumer = storing(log, write, stored)
    await log.add('one', 'two')
    consumer.start()
    await pass(100)
    expect(stored).toEqual(['one', 'two'])
  })

  it('gets the events of its types only, and moves past the others without a transaction for each', async () => {
    const log = createLog()
    const advance = vi.spyOn(log.followers, 'advance')
    const handled: string[] = []
    const deps = { events: log.events, write: log.write, onError: () => {}, leaseMs: 60_000, retryMs: 10 }
    const options = { ...deps, start: LOG_START, types: new Set(['wanted']) }
    const start = () => {
      const consumer = createDurableConsumer('crm', ({ cursor }) => void handled.push(cursor), options)
      running.push(consumer)
      consumer.start()
      return consumer
    }
    const consumer = start()
    await pass(50)
    for (const type of ['other', 'other', 'other', 'wanted', 'other']) {
      await log.add(type)
      consumer.wake()
      await pass(50)
    }
    expect(handled).toEqual(['4'])
    expect(advance.mock.calls.map(([, { to }]) => to)).toEqual(['4'])
    await consumer.stop()
    expect(advance.mock.lastCall?.[1].to).toBe('5')
    await log.add('wanted')
    start()
    await pass(50)
    expect(handled).toEqual(['4', '6'])
  })

  it('never moves back when another process had the lease while a handler ran', async () => {
    const log = createLog()
    const advance = vi.spyOn(log.followers, 'advance')
    const { lease } = log.followers
    const leasing = vi.spyOn(log.followers, 'lease')
    const handled: string[] = []
    await log.add('one', 'two', 'three')
    follow(log, async (type) => {
      handled.push(type)
      if (type !== 'one') return
      leasing.mockImplementationOnce(async () => undefined)
      // The other process has handled the first two meanwhile.
      leasing.mockImplementationOnce(async (...lessee) => {
        await log.followers.advance(lessee[0], { from: LOG_START, to: '2' })
        return lease(...lessee)
      })
      await sleep(LEASE_MS)
    })
    await pass(LEASE_MS * 3)
    expect(advance.mock.calls.map(([, { to }]) => to)).toEqual(['2', '1', '3'])
    expect(handled).toEqual(['one', 'three'])
  })

  it('stores its cursor within seconds while it skips events', async () => {
    const log = createLog()
    const advance = vi.spyOn(log.followers, 'advance')
    const deps = { events: log.events, write: log.write, onError: () => {}, leaseMs: 60_000, start: LOG_START }
    const consumer = createDurableConsumer('crm', () => {}, { ...deps, types: new Set(['wanted']) })
    running.push(consumer)
    await log.add('other', 'other')
    consumer.start()
    await pass(1_000)
    expect(advance).not.toHaveBeenCalled()
    await pass(10_000)
    expect(advance.mock.calls.map(([, { to }]) => to)).toEqual(['2'])
  })

  it('does not move past an event that failed after others that it does not get', async () => {
    const log = createLog()
    const handled: string[] = []
    let fails = true
    const handle = ({ cursor }: StoredEvent) => {
      handled.push(cursor)
      if (fails) throw new Error('not now')
    }
    const deps = { events: log.events, write: log.write, onError: () => {}, leaseMs: 60_000, retryMs: 10 }
    const types = new Set(['wanted'])
    const consumer = createDurableConsumer('crm', handle, { ...deps, start: LOG_START, types })
    running.push(consumer)
    await log.add('other', 'wanted', 'other')
    consumer.start()
    await pass(15)
    expect(handled).toEqual(['2', '2'])
    fails = false
    await pass(50)
    expect(handled).toEqual(['2', '2', '2'])
  })

  it('stores its cursor once for many events whose handling stores nothing, and when it stops', async () => {
    const log = createLog()
    const advance = vi.spyOn(log.followers, 'advance')
    const handled: string[] = []
    const handler: TransactionalHandler = {
      async prepare(batch) {
        handled.push(...batch.map(({ type }) => type))
        return undefined
      },
    }
    const deps = { events: log.events, write: log.write, onError: () => {}, leaseMs: 60_000, start: LOG_START }
    const consumer = createDurableConsumer('crm', handler, deps)
    running.push(consumer)
    consumer.start()
    await pass(2_000)
    for (const type of ['one', 'two', 'three']) {
      await log.add(type)
      consumer.wake()
      await pass(50)
    }
    expect(handled).toEqual(['one', 'two', 'three'])
    await pass(2_000)
    expect(advance.mock.calls.length).toBeLessThanOrEqual(2)
    await log.add('four')
    consumer.wake()
    await pass(50)
    await consumer.stop()
    const next = createDurableConsumer('crm', handler, deps)
    running.push(next)
    next.start()
    await pass(2_000)
    expect(handled).toEqual(['one', 'two', 'three', 'four'])
  })

  it('does not store its cursor past an event that its handler still works on', async () => {
    const log = createLog()
    const handled: string[] = []
    let pending: string | undefined
    const handler: TransactionalHandler = {
      async prepare(batch, _signal, after) {
        handled.push(...batch.map(({ type }) => type))
        if (batch.some(({ type }) => type === 'slow')) pending ??= after
        return undefined
      },
      pendingSince: () => pending,
    }
    const deps = { events: log.events, write: log.write, onError: () => {}, leaseMs: 60_000, start: LOG_START }
    const consumer = createDurableConsumer('crm', handler, deps)
    running.push(consumer)
    consumer.start()
    await pass(50)
    for (const type of ['quick', 'slow', 'last']) {
      await log.add(type)
      consumer.wake()
      await pass(6_000)
    }
    await consumer.stop()
    expect(handled).toEqual(['quick', 'slow', 'last'])
    const next = createDurableConsumer('crm', handler, deps)
    running.push(next)
    next.start()
    await pass(50)
    expect(handled.slice(3)).toEqual(['slow', 'last'])
    pending = undefined
    await next.stop()
    const third = createDurableConsumer('crm', handler, deps)
    running.push(third)
    third.start()
    await pass(50)
    expect(handled).toHaveLength(5)
  })
})
