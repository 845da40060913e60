import { describe, expect, it, vi } from 'vitest'
import { compareCursors, LOG_START, type StoredEvent } from '../../../ports/storage/events.ts'
import type { SignalEvent } from './envelope.ts'
import { decodeEventId, encodeEventId } from './event-id.ts'
import { createHeldEvents, createSignalHub, type SubscribeOptions } from './hub.ts'

/** More events than the hub holds for a client that does not read: 1,000. */
const TOO_MANY = 1_002

const FIRST_TIME = Date.UTC(2026, 0, 1)
/** Events are a second apart. */
const timeOf = (count: number) => new Date(FIRST_TIME + count * 1_000)

/** A log in memory; `announce` wakes the hub, as the reader of the log does. */
function setUp() {
  const log: StoredEvent[] = []
  let horizon = LOG_START
  let listener: ((event: StoredEvent) => void | Promise<void>) | undefined
  let added = 0
  let announced = 0
  const list = vi.fn(async ({ after, limit }: { after: string; limit: number }) => ({
    events: log.filter(({ cursor }) => compareCursors(cursor, after) > 0).slice(0, limit),
    early: [],
  }))
  const hidden = new Set<string>()
  const resolve = vi.fn(async (events: readonly StoredEvent[]) =>
    events.filter(({ cursor }) => !hidden.has(cursor)).map(toSignal),
  )
  let changes = 0
  const watch = () => {
    const begun = changes
    return () => begun === changes
  }
  const onError = vi.fn()
  const onStored = vi.fn()
  const hub = createSignalHub({
    events: { list, head: async () => log.at(-1)?.cursor ?? LOG_START },
    retention: {
      horizon: async () => horizon,
      async findCursor(moment) {
        const index = log.findIndex(({ at }) => at > moment)
        return (index < 0 ? log.at(-1) : log[index - 1])?.cursor ?? LOG_START
      },
    },
    consumers: {
      live(listen) {
        listener = listen
        return () => {}
      },
      cursor: () => log[announced - 1]?.cursor ?? LOG_START,
    },
    resolve,
    cache: { watch },
    onError,
    onStored,
  })
  const add = (count: number) => {
    for (let made = 0; made < count; made += 1) {
      added += 1
      const cursor = `0-${added}-1`
      log.push({ id: cursor, cursor, type: 'test.made', profileId: 1, accountId: null, data: {}, at: timeOf(added) })
    }
  }
  return {
    hub,
    list,
    onError,
    onStored,
    resolve,
    /** Makes events invisible to all. */
    hide(...cursors: readonly string[]) {
      for (const cursor of cursors) hidden.add(cursor)
      changes += 1
    },
    log,
    add,
    announce() {
      for (const event of log.slice(announced)) void listener?.(event)
      announced = log.length
    },
    pruneTo(count: number) {
      horizon = log[count - 1]?.cursor ?? LOG_START
      log.splice(0, count)
      announced -= count
    },
    follow(options: Partial<SubscribeOptions> = {}) {
      const seen: string[] = []
      const ends: string[] = []
      const resets: unknown[] = []
      const subscription = hub.subscribe({
        filter: {},
        reader: { kind: 'anyone' },
        onEvent: ({ envelope }) => void seen.push(decodeEventId(envelope.id) ?? ''),
        onEnd: (reason) => void ends.push(reason),
        onReset: (reset) => void resets.push(reset),
        ...options,
      })
      return { seen, ends, resets, subscription }
    },
  }
}

function toSignal({ cursor, profileId }: StoredEvent): SignalEvent {
  const envelope = { id: encodeEventId(cursor) } as SignalEvent['envelope']
  return { cursor, type: 'test.made', profileId, envelope, json: '{}', recipients: { kind: 'everyone' } }
}

const places = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `0-${from + index}-1`)

/** A client that is busy with its first event until it is free. */
function slowClient() {
  const seen: string[] = []
  const { promise, resolve: free } = Promise.withResolvers<void>()
  const onEvent = ({ cursor }: SignalEvent) => (seen.push(cursor) === 1 ? promise : undefined)
  return { seen, onEvent, free }
}

const soon = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 2 })

describe('the hub of events', () => {
  it('gives a new client the events from now on', async () => {
    const { hub, add, announce, follow } = setUp()
    add(3)
    announce()
    hub.start()
    await soon(() => expect(hub.stats().eventsRead).toBe(3))
    const { seen } = follow()
    add(2)
    announce()
    await soon(() => expect(seen).toEqual(places(4, 5)))
  })

  it('continues after an event without a gap or a repetition while others are emitted', async () => {
    const { hub, add, announce, follow } = setUp()
    hub.start()
    add(450)
    announce()
    await soon(() => expect(hub.stats().eventsRead).toBe(450))
    const { seen, resets } = follow({ after: encodeEventId('0-10-1') })
    for (let turn = 0; turn < 50; turn += 1) {
      add(3)
      if (turn % 2 === 0) announce()
      await Promise.resolve()
    }
    announce()
    await soon(() => expect(seen).toHaveLength(590))
    expect(seen).toEqual(places(11, 600))
    expect(resets).toEqual([])
  })

  it('reads the log once for many clients that continue after the same event', async () => {
    const { hub, add, announce, follow, list } = setUp()
    hub.start()
    add(20)
    announce()
    await soon(() => expect(hub.stats().eventsRead).toBe(20))
    const clients = Array.from({ length: 100 }, () => follow({ after: encodeEventId('0-5-1') }))
    await soon(() => expect(clients.every(({ seen }) => seen.length === 15)).toBe(true))
    expect(list.mock.calls.length).toBeLessThan(3)
    add(1)
    announce()
    await soon(() => expect(clients.every(({ seen }) => seen.length === 16)).toBe(true))
    expect(list.mock.calls.length).toBeLessThan(3)
  })

  it('resets a client whose event was deleted or never existed, and goes on with new events', async () => {
    const { hub, add, announce, follow, pruneTo } = setUp()
    hub.start()
    add(10)
    announce()
    await soon(() => expect(hub.stats().eventsRead).toBe(10))
    pruneTo(4)
    const expired = follow({ after: encodeEventId('0-3-1') })
    const kept = follow({ after: encodeEventId('0-4-1') })
    const future = follow({ after: encodeEventId('0-99-1') })
    const garbage = follow({ after: 'not-an-id' })
    const oldestEventId = encodeEventId('0-5-1')
    await soon(() => expect(kept.seen).toEqual(places(5, 10)))
    await soon(() => expect(expired.resets).toEqual([{ reason: 'expired', oldestEventId }]))
    await soon(() => expect(future.resets).toEqual([{ reason: 'unknown', oldestEventId }]))
    await soon(() => expect(garbage.resets).toEqual([{ reason: 'unknown', oldestEventId }]))
  })

  it('resets a client whose next events were deleted while it read older ones', async () => {
    const { hub, add, announce, follow, pruneTo } = setUp()
    hub.start()
    add(500)
    announce()
    await soon(() => expect(hub.stats().eventsRead).toBe(500))
    const reading = Promise.withResolvers<void>()
    const seen: string[] = []
    const { resets } = follow({
      after: encodeEventId('0-1-1'),
      onEvent({ cursor }) {
        seen.push(cursor)
        return cursor === '0-100-1' ? reading.promise : undefined
      },
    })
    await soon(() => expect(seen).toHaveLength(99))
    pruneTo(300)
    reading.resolve()
    const oldestEventId = encodeEventId('0-301-1')
    await soon(() => expect(resets).toEqual([{ reason: 'expired', oldestEventId }]))
    add(2)
    announce()
    await soon(() => expect(seen.at(-1)).toBe('0-502-1'))
    expect(seen).toEqual([...places(2, 201), ...places(501, 502)])
  })

  it('gives events to the others when a subscriber throws, also while it ends, and when the listener to all throws', async () => {
    const { hub, add, announce, follow, onError, onStored } = setUp()
    hub.start()
    const failing = (name: string) => () => {
      throw new Error(name)
    }
    const broken = follow({ onEvent: failing('onEvent'), onEnd: failing('onEnd') })
    const reader = {
      get kind(): never {
        throw new Error('reader')
      },
    }
    const unreadable = follow({ reader })
    const live = follow({ onLive: failing('onLive') })
    const { seen } = follow()
    onStored.mockImplementationOnce(failing('onStored'))
    add(2)
    announce()
    await soon(() => expect(seen).toEqual(places(1, 2)))
    add(1)
    announce()
    await soon(() => expect(seen).toEqual(places(1, 3)))
    expect(broken.seen).toEqual([])
    expect(unreadable.ends).toEqual(['failed'])
    expect(live.ends).toEqual(['failed'])
    expect(hub.stats().subscriptions).toBe(1)
    const messages = onError.mock.calls.map(([error]) => (error as Error).message)
    expect(messages.sort()).toEqual(['onEnd', 'onEvent', 'onLive', 'onStored', 'reader'])
  })

  it('limits what the subscriptions of one client hold together', async () => {
    const { hub, add, announce, follow } = setUp()
    hub.start()
    const onEvent = () => new Promise<void>(() => {})
    const held = createHeldEvents()
    const shared = [follow({ onEvent, held }), follow({ onEvent, held })]
    const alone = follow({ onEvent })
    add(TOO_MANY / 2 + 1)
    announce()
    await soon(() => expect(hub.stats().slowConsumers).toBe(1))
    expect(shared.flatMap(({ ends }) => ends)).toEqual(['slow'])
    expect(alone.ends).toEqual([])
    for (const { subscription } of shared) subscription.close()
    expect(held).toEqual({ events: 0, bytes: 0 })
  })

  it('ends a client that stays busy for too many events, and no other', async () => {
    const { hub, add, announce, follow } = setUp()
    hub.start()
    const stuck = follow({ onEvent: () => new Promise<void>(() => {}) })
    const fast = follow()
    add(TOO_MANY)
    announce()
    await soon(() => expect(stuck.ends).toEqual(['slow']))
    await soon(() => expect(fast.seen).toHaveLength(TOO_MANY))
    expect(fast.ends).toEqual([])
    expect(hub.stats()).toMatchObject({ slowConsumers: 1, subscriptions: 1 })
  })

  it('hands events over in order to a client that is busy now and then', async () => {
    const { hub, add, announce, follow } = setUp()
    hub.start()
    const seen: string[] = []
    follow({
      async onEvent({ cursor }) {
        await Promise.resolve()
        seen.push(cursor)
      },
    })
    for (let turn = 0; turn < 20; turn += 1) {
      add(7)
      announce()
      await Promise.resolve()
    }
    await soon(() => expect(seen).toEqual(places(1, 140)))
  })

  it('leaves out held events that became invisible while the client was busy', async () => {
    const { hub, add, announce, follow, hide } = setUp()
    hub.start()
    const { seen, onEvent, free } = slowClient()
    follow({ onEvent })
    add(5)
    announce()
    await soon(() => expect(hub.stats().eventsRead).toBe(5))
    await soon(() => expect(seen).toEqual(places(1, 1)))
    hide('0-2-1', '0-4-1')
    free()
    await soon(() => expect(seen).toEqual(['0-1-1', '0-3-1', '0-5-1']))
  })

  it('leaves out replayed events that became invisible while the client was busy', async () => {
    const { hub, add, announce, follow, hide } = setUp()
    hub.start()
    add(6)
    announce()
    await soon(() => expect(hub.stats().eventsRead).toBe(6))
    const { seen, onEvent, free } = slowClient()
    follow({ after: encodeEventId('0-1-1'), onEvent })
    await soon(() => expect(seen).toEqual(places(2, 2)))
    hide('0-3-1', '0-5-1')
    free()
    await soon(() => expect(seen).toEqual(['0-2-1', '0-4-1', '0-6-1']))
  })

  it('resolves events once for all clients, busy or not, until something changes', async () => {
    const { hub, add, announce, follow, hide, resolve } = setUp()
    hub.start()
    const slow = [slowClient(), slowClient()]
    for (const { onEvent } of slow) follow({ onEvent })
    add(5)
    announce()
    await soon(() => expect(slow.map(({ seen }) => seen.length)).toEqual([1, 1]))
    expect(resolve).toHaveBeenCalledOnce()
    for (const { free } of slow) free()
    await soon(() => expect(slow.map(({ seen }) => seen.length)).toEqual([5, 5]))
    expect(resolve).toHaveBeenCalledOnce()
    hide()
    follow({ after: encodeEventId('0-1-1') })
    await soon(() => expect(resolve).toHaveBeenCalledTimes(2))
  })

  it('calls nothing after a client has closed', async () => {
    const { hub, add, announce, follow } = setUp()
    hub.start()
    add(3)
    announce()
    await soon(() => expect(hub.stats().eventsRead).toBe(3))
    const { seen, ends, subscription } = follow({ after: encodeEventId('0-1-1') })
    const other = follow({ after: encodeEventId('0-1-1') })
    subscription.close()
    add(1)
    announce()
    await soon(() => expect(other.seen).toEqual(places(2, 4)))
    await hub.stop()
    expect(other.ends).toEqual(['stopping'])
    expect({ seen, ends }).toEqual({ seen: [], ends: [] })
  })

  it('lists events page by page until nothing is left', async () => {
    const { hub, add, announce } = setUp()
    hub.start()
    add(25)
    announce()
    const seen: string[] = []
    for (let after: string | undefined = encodeEventId('0-2-1'); after !== undefined; ) {
      const found = await hub.list({
        filter: {},
        reader: { kind: 'anyone' },
        after: { id: after },
        until: {},
        limit: 10,
      })
      if (found.reset) throw new Error('reset')
      seen.push(...found.events.map(({ cursor }) => cursor))
      after = found.next
    }
    expect(seen).toEqual(places(3, 25))
  })

  it('reads the log from one time to another, and nothing before and long after them', async () => {
    const { hub, add, announce, list } = setUp()
    hub.start()
    add(4_000)
    announce()
    const found = await hub.list({
      filter: {},
      reader: { kind: 'anyone' },
      after: { time: timeOf(2_000) },
      until: { time: timeOf(2_010) },
      limit: 100,
    })
    if (found.reset) throw new Error('reset')
    expect(found.events.map(({ cursor }) => cursor)).toEqual(places(2_001, 2_010))
    expect(found.next).toBeUndefined()
    expect(list.mock.calls.map(([{ after }]) => after)).toEqual(['0-2000-1'])
  })

  it('resolves only the events that one page needs, with the filter of the request', async () => {
    const { hub, add, announce, resolve } = setUp()
    hub.start()
    add(150)
    announce()
    resolve.mockClear()
    const filter = { types: new Set(['test.made']) }
    const found = await hub.list({ filter, reader: { kind: 'anyone' }, after: {}, until: {}, limit: 1 })
    if (found.reset) throw new Error('reset')
    expect(found.events).toHaveLength(1)
    expect(resolve.mock.calls.map(([events]) => events.length)).toEqual([20])
    expect(resolve).toHaveBeenCalledWith(expect.anything(), filter)
  })

  it('lists what it found when the next events were deleted meanwhile, and resets the next request', async () => {
    const { hub, add, announce, list, pruneTo } = setUp()
    hub.start()
    add(500)
    announce()
    const read = (id: string) =>
      hub.list({ filter: {}, reader: { kind: 'anyone' }, after: { id }, until: {}, limit: 1_000 })
    const listNow = list.getMockImplementation() ?? list
    list.mockImplementationOnce(listNow).mockImplementationOnce((request) => {
      pruneTo(300)
      return listNow(request)
    })
    const first = await read(encodeEventId('0-1-1'))
    if (first.reset || first.next === undefined) throw new Error('reset')
    expect(first.events.map(({ cursor }) => cursor)).toEqual(places(2, 201))
    expect(await read(first.next)).toMatchObject({ reset: { reason: 'expired' } })
  })
})
