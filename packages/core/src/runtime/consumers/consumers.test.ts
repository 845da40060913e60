import { afterEach, expect, it, vi } from 'vitest'
import { type EventReader, LOG_START, type StoredEvent } from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Write } from '../storage/guard.ts'
import { type Consumers, createConsumers } from './consumers.ts'

/** The page size of durable consumers; the live reader uses another one. */
const PAGE = 100

let consumers: Consumers | undefined
afterEach(async () => {
  await consumers?.stop()
  consumers = undefined
})

/** Starts durable consumers of these names at the start of a log with events of these types. */
async function startConsumers(names: readonly string[], types: readonly string[] = []) {
  const log: StoredEvent[] = []
  const append = (type: string) => {
    const cursor = String(log.length + 1)
    log.push({ id: cursor, type, profileId: null, accountId: null, data: {}, at: new Date(), cursor })
  }
  for (const type of types) append(type)
  const list = vi.fn<EventReader['list']>(async ({ after, limit }) => ({
    events: log.slice(Number(after), Number(after) + limit),
    early: [],
  }))
  const followers = { lease: async () => LOG_START, advance: async () => true }
  // Consumers use no other store.
  const write: Write = (work) => work({ followers } as unknown as Stores, () => {})
  const events = { list, head: async () => String(log.length) }
  const started = createConsumers({ events, write, onError: () => {}, pollIntervalMs: 60_000 })
  consumers = started
  const handled: string[] = []
  for (const name of names) started.durable(name, ({ type }) => void handled.push(`${name} ${type}`))
  await started.start()
  return {
    handled,
    /** The cursors after which durable consumers queried the log. */
    queried: () => list.mock.calls.flatMap(([{ after, limit }]) => (limit === PAGE ? [after] : [])),
    add(type: string) {
      append(type)
      started.wake()
    },
  }
}

it('hands events to durable consumers that keep up without a query for them', async () => {
  const names = ['one', 'two', 'three']
  const { add, handled, queried } = await startConsumers(names)
  for (const [count, type] of ['first', 'second', 'third'].entries()) {
    add(type)
    const expected = names.map((name) => `${name} ${type}`)
    await vi.waitFor(() => expect(handled.slice(count * names.length)).toEqual(expected))
  }
  expect(queried()).toEqual([])
})

it('queries the log once for durable consumers with the same lag', async () => {
  const { handled, queried } = await startConsumers(['one', 'two'], ['first', 'second'])
  await vi.waitFor(() => expect(handled.toSorted()).toEqual(['one first', 'one second', 'two first', 'two second']))
  expect(queried()).toEqual(['0'])
})

it('hands events to a consumer that has caught up in order, each once', async () => {
  const { add, handled } = await startConsumers(['one'], ['first', 'second'])
  for (const type of ['third', 'fourth']) add(type)
  await vi.waitFor(() => expect(handled).toEqual(['one first', 'one second', 'one third', 'one fourth']))
})
