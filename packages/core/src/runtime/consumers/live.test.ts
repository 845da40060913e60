import { afterEach, describe, expect, it, vi } from 'vitest'
import { type EventReader, LOG_START, type StoredEvent } from '../../ports/storage/events.ts'
import { createLiveReader, type LiveReader, type LiveReaderOptions } from './live.ts'

/** A log whose events are settled by the test. */
function createLog() {
  const settled: StoredEvent[] = []
  let early: StoredEvent[] = []
  let made = 0
  const event = (): StoredEvent => {
    made += 1
    return {
      id: `${made}`,
      type: 'test.one',
      profileId: null,
      accountId: null,
      data: {},
      at: new Date(),
      cursor: `${made}`,
    }
  }
  const events: EventReader = {
    list: async ({ after, limit, seen = '0' }) => {
      const isNew = ({ id }: StoredEvent) => Number(id) > Number(seen)
      const indexOf = (all: readonly StoredEvent[]) => all.findIndex(({ cursor }) => cursor === after) + 1
      const next = settled.slice(indexOf(settled)).filter(isNew).slice(0, limit)
      const waiting = early.slice(indexOf(early)).filter(isNew)
      return { events: next, early: waiting.slice(0, limit - next.length), seen: String(made) }
    },
    head: async () => settled.at(-1)?.cursor ?? LOG_START,
  }
  return {
    events,
    commit: (count = 1) => {
      early.push(...Array.from({ length: count }, event))
    },
    /** Ends the transaction that early events wait for; it committed an event before them. */
    settle: () => {
      settled.push(event(), ...early)
      early = []
    },
  }
}

let reader: LiveReader | undefined
afterEach(async () => {
  await reader?.stop()
  reader = undefined
})

async function setUp(options: Partial<LiveReaderOptions> = {}) {
  const log = createLog()
  const ordered: string[] = []
  const atOnce: string[] = []
  const started = createLiveReader({ events: log.events, onError: () => {}, pollIntervalMs: 20, ...options })
  reader = started
  started.listen(({ id }) => void ordered.push(id))
  started.listenUnordered(({ id }) => void atOnce.push(id))
  await started.start()
  return { log, ordered, atOnce, started }
}

const soon = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 2 })

describe('the reader of the log', () => {
  it('delivers an early event immediately to unordered listeners, and to ordered ones once it is settled', async () => {
    const { log, ordered, atOnce, started } = await setUp()
    log.commit(2)
    await soon(() => expect(atOnce).toEqual(['1', '2']))
    expect(ordered).toEqual([])
    expect(started.cursor()).toBe(LOG_START)
    expect(started.isCurrent()).toBe(true)
    log.settle()
    await soon(() => expect(ordered).toEqual(['3', '1', '2']))
    expect(atOnce).toEqual(['1', '2', '3'])
    expect(started.cursor()).toBe('2')
    expect(started.heldBackMs()).toBe(0)
  })

  it('warns once while events wait long for an open transaction', async () => {
    const onHeldBack = vi.fn()
    const { log, ordered, started } = await setUp({ onHeldBack, warnAfterMs: 1 })
    log.commit()
    await soon(() => expect(onHeldBack).toHaveBeenCalledOnce())
    expect(started.heldBackMs()).toBeGreaterThan(0)
    log.commit()
    log.settle()
    await soon(() => expect(ordered).toHaveLength(3))
    expect(onHeldBack).toHaveBeenCalledOnce()
    log.commit()
    await soon(() => expect(onHeldBack).toHaveBeenCalledTimes(2))
  })

  it('delivers each early event once and stays current while more of them wait than one batch holds', async () => {
    const { log, ordered, atOnce, started } = await setUp()
    log.commit(1_200)
    await soon(() => expect(atOnce).toHaveLength(1_200))
    log.commit(1)
    await soon(() => expect(atOnce).toHaveLength(1_201))
    expect([ordered.length, started.isCurrent()]).toEqual([0, true])
    log.settle()
    await soon(() => expect(ordered).toHaveLength(1_202))
    expect(new Set(atOnce).size).toBe(1_202)
    expect(atOnce).toHaveLength(1_202)
  })

  it('keeps the latest events for other readers, who may be at any of them', async () => {
    const { log, ordered, started } = await setUp()
    log.settle()
    await soon(() => expect(ordered).toEqual(['1']))
    log.settle()
    await soon(() => expect(ordered).toEqual(['1', '2']))
    const idsAfter = (cursor: string, limit = 100) => started.recentAfter(cursor, limit)?.map(({ id }) => id)
    expect(idsAfter(LOG_START)).toEqual(['1', '2'])
    expect(idsAfter(LOG_START, 1)).toEqual(['1'])
    expect(idsAfter('1')).toEqual(['2'])
    expect(idsAfter('2')).toEqual([])
    expect(idsAfter('another cursor')).toBeUndefined()
  })

  it('forgets events when more arrive than it keeps, and soon after the last one', async () => {
    const { log, ordered, started } = await setUp()
    log.settle()
    await soon(() => expect(ordered).toEqual(['1']))
    log.commit(600)
    log.settle()
    await soon(() => expect(ordered).toHaveLength(602))
    expect(started.recentAfter(LOG_START, 1)).toBeUndefined()
    await soon(() => expect(started.recentAfter(ordered.at(-1) ?? '', 1)).toBeUndefined())
  })

  it('delivers to the other listeners when one throws', async () => {
    const onError = vi.fn()
    const { log, ordered, atOnce, started } = await setUp({ onError })
    started.listenUnordered(() => {
      throw new Error('unordered')
    })
    started.listen(() => {
      throw new Error('ordered')
    })
    log.settle()
    await soon(() => expect(ordered).toEqual(['1']))
    expect(atOnce).toEqual(['1'])
    expect(onError.mock.calls.map(([error]) => (error as Error).message)).toEqual(['unordered', 'ordered'])
  })
})
