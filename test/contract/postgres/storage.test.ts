import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresStorage } from '@eep/adapters-postgres'
import { LOG_START } from '@eep/core/ports'
import { endOfLog, eventsAfter, newAccount, newEvent, newPayment } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { onPglite } from '../../support/database.ts'
import { openPooledStorage, type PooledStorage } from '../../support/pooled-storage.ts'
import { soon } from '../../support/wait.ts'

// What only a server with many connections can show.
describe.skipIf(onPglite())('storage on a PostgreSQL server', () => {
  let database: PooledStorage['database']
  let pool: PooledStorage['pool']
  let storage: PooledStorage['storage']
  let close: PooledStorage['close']
  beforeAll(async () => {
    ;({ database, pool, storage, close } = await openPooledStorage())
  })
  afterAll(() => close())

  it('migrates once when many processes start together', async () => {
    const schema = 'together'
    const pools = [1, 2, 3, 4].map(() => new Pool({ connectionString: database.connectionString }))
    await Promise.all(pools.map((own) => postgresStorage({ pool: own, schema }).migrate()))
    expect(await postgresStorage({ pool, schema }).status()).toMatchObject({ pending: [], changed: [] })
    await Promise.all(pools.map((own) => own.end()))
  })

  it('lets a later writer commit first, and settles its event only after the earlier one', async () => {
    const { read } = storage
    const after = await endOfLog(storage)
    const firstAppended = deferred()
    const letFirstCommit = deferred()
    const first = storage.transaction(async (tx) => {
      await tx.events.append([newEvent({ type: 'test.first' })])
      firstAppended.resolve()
      await letFirstCommit.promise
    })
    await firstAppended.promise
    await storage.transaction((tx) => tx.events.append([newEvent({ type: 'test.second' })]))
    const { events, early } = await read.events.list({ after, limit: 10 })
    expect(events).toEqual([])
    expect(early.map(({ type }) => type)).toEqual(['test.second'])
    expect(await read.events.head()).toBe(after)
    letFirstCommit.resolve()
    await first
    expect((await eventsAfter(storage, after)).map(({ type }) => type)).toEqual(['test.first', 'test.second'])
  })

  it('begins a new era when the log comes from a cluster with higher transaction ids', async () => {
    const restored = postgresStorage({ pool, schema: 'restored' })
    await restored.migrate()
    await restored.ping()
    const append = (type: string) => restored.transaction((tx) => tx.events.append([newEvent({ type })]))
    await append('test.before')
    await pool.query(`update restored.events set xid = '9000000000'`)
    await expect(restored.ping()).rejects.toThrow('was restored from another cluster: call storage.migrate()')

    await restored.migrate()
    await restored.ping()
    await append('test.after')
    const events = await eventsAfter(restored, LOG_START)
    expect(events.map(({ type }) => type)).toEqual(['test.before', 'test.after'])
    expect(await eventsAfter(restored, events[0]?.cursor ?? '')).toEqual(events.slice(1))
    expect(await restored.read.events.head()).toBe(events[1]?.cursor)
  })

  it('runs a transaction again that a deadlock ended', async () => {
    const [left, right] = [await insertAccount(), await insertAccount()]
    let runs = 0
    const bothHold = barrier(2)
    const swap = (one: string, other: string) =>
      storage.transaction(async (tx) => {
        runs += 1
        await tx.accounts.save(one, { fullName: one })
        await bothHold()
        await tx.accounts.save(other, { fullName: one })
      })
    await Promise.all([swap(left, right), swap(right, left)])
    expect(runs).toBe(3)
  })

  it('wakes watchers of its schema, also after their connection was cut', async () => {
    const wake = vi.fn()
    const stop = await storage.watch?.(wake)
    await storage.transaction((tx) =>
      tx.events.append([newEvent({ type: 'test.one' }), newEvent({ type: 'test.two' })]),
    )
    await soon(() => expect(wake).toHaveBeenCalledTimes(1))

    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`)
    await soon(() => expect(wake).toHaveBeenCalledTimes(2))
    await storage.transaction((tx) => tx.events.append([newEvent({ type: 'test.three' })]))
    await soon(() => expect(wake).toHaveBeenCalledTimes(3))

    await stop?.()
    await storage.transaction((tx) => tx.events.append([newEvent({ type: 'test.four' })]))
    await sleep(100)
    expect(wake).toHaveBeenCalledTimes(3)
  })

  it('announces no events that were rolled back', async () => {
    const wake = vi.fn()
    const stop = await storage.watch?.(wake)
    await expect(
      storage.transaction(async (tx) => {
        await tx.events.append([newEvent({ type: 'test.lost' })])
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await sleep(100)
    expect(wake).not.toHaveBeenCalled()
    await stop?.()
  })

  it('survives the loss of its connections, idle and in a transaction', async () => {
    await Promise.all([storage.ping(), storage.ping()])
    const held = storage.transaction(async (tx) => {
      await tx.accounts.get(randomUUID())
      const killer = new Pool({ connectionString: database.connectionString, max: 1 })
      await killer.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await killer.end()
      await sleep(50)
      return tx.accounts.get(randomUUID())
    })
    await expect(held).rejects.toThrow()
    await storage.ping()
  })

  it('lets exactly one of many claim a credential, and one of many a refused one', async () => {
    const claims = (payment: () => ReturnType<typeof newPayment>) =>
      Promise.all(
        Array.from({ length: 12 }, () => storage.transaction((tx) => tx.payments.claim(payment(), 10_000))),
      ).then((all) => all.map(({ outcome }) => outcome).sort())
    const credentialId = randomUUID()
    const same = () => newPayment({ credentialId, fingerprint: 'same', openKey: 'same credential' })
    const oneOfMany = ['claimed', ...Array.from({ length: 11 }, () => 'exists')]
    expect(await claims(same)).toEqual(oneOfMany)

    const claimed = await storage.read.payments.get({ rail: 'cash', credentialId })
    await storage.transaction((tx) => tx.payments.mark(claimed?.id ?? '', 'refused', 'no_funds'))
    expect(await claims(same)).toEqual(oneOfMany)
    expect(await storage.read.payments.get({ rail: 'cash', credentialId })).toMatchObject({
      id: claimed?.id,
      state: 'settling',
      reason: null,
    })

    const others = () => newPayment({ openKey: 'same purchase' })
    expect(await claims(others)).toEqual(['claimed', ...Array.from({ length: 11 }, () => 'open')])
  })

  it('keeps a transaction alive when a refused credential meets an open payment of the same key', async () => {
    const refused = newPayment({ openKey: 'busy' })
    await storage.transaction((tx) => tx.payments.claim(refused, 1_000))
    await storage.transaction((tx) => tx.payments.mark(refused.id, 'refused', 'no_funds'))
    const open = newPayment({ openKey: 'busy' })
    await storage.transaction((tx) => tx.payments.claim(open, 1_000))

    const after = await storage.transaction(async (tx) => {
      const claim = await tx.payments.claim(refused, 1_000)
      expect(claim).toMatchObject({ outcome: 'open', payment: { id: open.id } })
      return tx.payments.get(refused.id)
    })
    expect(after?.state).toBe('refused')
  })

  const insertAccount = async () => {
    const { id } = newAccount()
    await storage.transaction((tx) => tx.accounts.insert(newAccount({ id })))
    return id
  }
})

function deferred() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Releases the first `count` callers together, and later ones immediately. */
function barrier(count: number) {
  const { promise, resolve } = deferred()
  let waiting = 0
  return () => {
    waiting += 1
    if (waiting >= count) resolve()
    return promise
  }
}
