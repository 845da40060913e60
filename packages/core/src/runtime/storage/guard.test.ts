import { expect, it } from 'vitest'
import { z } from 'zod'
import type { NewEvent, StoredEvent } from '../../ports/storage/events.ts'
import type { Storage } from '../../ports/storage/storage.ts'
import { defineEvent } from '../events/define-event.ts'
import { guardStorage } from './guard.ts'

const configChanged = defineEvent('gates.config_changed', {
  audience: 'public',
  subject: 'profile',
  data: z.object({ version: z.int() }),
  summary: 'A configuration changed',
})

const at = new Date('2026-03-04T05:06:07.089Z')

/** A storage whose transactions do nothing but append events. */
function setUp() {
  const committed: (readonly StoredEvent[])[] = []
  const appended: NewEvent[] = []
  const append = async (events: readonly NewEvent[]) => {
    appended.push(...events)
    return events.map((event, index) => ({ ...event, cursor: String(index + 1) }))
  }
  // The guard calls these methods only.
  const storage = {
    read: { gates: { get: async () => undefined } },
    transaction: (work: (tx: unknown) => Promise<unknown>) => work({ events: { append } }),
  } as unknown as Storage
  const guarded = guardStorage(
    storage,
    () => at,
    (events) => committed.push(events),
    { checkEvents: true },
  )
  return { ...guarded, appended, committed }
}

it('rejects a read inside a transaction, which would deadlock on a storage with one connection', async () => {
  const { read, write } = setUp()
  await expect(write(() => read.gates.get(1))).rejects.toThrow('read.gates was used inside write(); use tx.gates')
  await expect(read.gates.get(1)).resolves.toBeUndefined()
})

it('appends emitted events after the work, and notifies before it returns the result', async () => {
  const { write, appended, committed } = setUp()
  const result = await write(async (_tx, emit) => {
    emit(configChanged, { version: 2 }, { profileId: 7 })
    expect(appended).toEqual([])
    return 'done'
  })
  expect(result).toBe('done')
  expect(committed).toMatchObject([
    [{ type: 'gates.config_changed', data: { version: 2 }, profileId: 7, accountId: null, at, cursor: '1' }],
  ])
})

it('appends and notifies nothing when the work fails or emits nothing', async () => {
  const { write, appended, committed } = setUp()
  await write(async () => 'quiet')
  const failing = write(async (_tx, emit) => {
    emit(configChanged, { version: 2 })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect([appended, committed]).toEqual([[], []])
})

it('stores nothing when the payload of an event does not match its definition', async () => {
  const { write, appended } = setUp()
  // A payload that the types refuse.
  const written = write(async (_, emit) => emit(configChanged, { version: 'two' as unknown as number }))
  await expect(written).rejects.toThrow('The data of the event gates.config_changed is invalid')
  expect(appended).toEqual([])
})
