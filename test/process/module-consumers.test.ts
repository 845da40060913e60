import { postgresStorage } from '@eep/adapters-postgres'
import { createEep } from '@eep/core'
import { defineConsumer, defineEvent, defineModule } from '@eep/core/module'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestStorage } from '../support/app.ts'
import { startCrashHost } from '../support/crash-host.ts'
import { createDatabase, onPglite } from '../support/database.ts'
import { type orderPlaced, ordersModule } from '../support/orders-module.ts'
import { LONG } from '../support/wait.ts'

let database: TestStorage
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

const instance = (handle: (what: string) => void | Promise<void>) =>
  createTestApp({ storage: database.another(), modules: [ordersModule(handle)] })

/** The module of `ordersModule` in a release that had no consumers yet. */
const { consumers: _consumers, ...withoutConsumers } = ordersModule(() => {})

describe('a consumer of a module', () => {
  it('gets the events of its definitions only, with their data', async () => {
    const handled: string[] = []
    const { app, eep, close } = await instance((what) => void handled.push(what))
    await eep.orders.place('1')
    await eep.orders.cancel('1', 'too late')
    const { account } = await signUp(app)
    await expect.poll(() => handled.toSorted(), LONG).toEqual(['1', 'too late', account.username].toSorted())
    await close()
  })

  it('gets events that were emitted while no instance handled them, in order, after the next start', async () => {
    const handled: string[] = []
    const first = await instance((what) => void handled.push(what))
    await first.eep.orders.place('while it runs')
    await expect.poll(() => handled, LONG).toEqual(['while it runs'])
    await first.close()

    const asleep = await createTestApp({ storage: database.another(), modules: [withoutConsumers] })
    await asleep.eep.orders.place('second')
    await asleep.eep.orders.place('third')
    await asleep.close()

    const second = await instance((what) => void handled.push(what))
    await expect.poll(() => handled, LONG).toEqual(['while it runs', 'second', 'third'])
    await second.close()
  })

  it('gets an event again after it threw, before any later one', async () => {
    const handled: string[] = []
    let isDown = true
    const { eep, close } = await instance((what) => {
      handled.push(what)
      if (isDown) throw new Error('no answer')
    })
    await eep.orders.place('fourth')
    await eep.orders.place('fifth')
    await expect.poll(() => handled.length, LONG).toBeGreaterThanOrEqual(2)
    expect(new Set(handled)).toEqual(new Set(['fourth']))
    isDown = false
    await expect.poll(() => handled.at(-1), LONG).toBe('fifth')
    expect(new Set(handled.slice(0, -1))).toEqual(new Set(['fourth']))
    await close()
  })

  it('works on one of several instances at a time', async () => {
    const handled: string[] = []
    const both = await Promise.all([
      instance((what) => void handled.push(what)),
      instance((what) => void handled.push(what)),
    ])
    const [one, two] = both as [(typeof both)[0], (typeof both)[0]]
    const orders = Array.from({ length: 20 }, (_, index) => `order ${index}`)
    for (const [index, order] of orders.entries()) await (index % 2 === 0 ? one : two).eep.orders.place(order)
    await expect.poll(() => handled, LONG).toEqual(orders)
    await Promise.all([one.close(), two.close()])
    expect(handled).toEqual(orders)
  })

  it('is waited for when the service stops, and does not get the event again', async () => {
    const handled: string[] = []
    let finish = () => {}
    const open = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { eep, close } = await instance(async (what) => {
      handled.push(`${what} begun`)
      await open
      handled.push(`${what} done`)
    })
    await eep.orders.place('sixth')
    await expect.poll(() => handled, LONG).toEqual(['sixth begun'])
    const closing = close()
    finish()
    await closing
    expect(handled).toEqual(['sixth begun', 'sixth done'])
    const next = await instance((what) => void handled.push(what))
    await next.eep.orders.place('seventh')
    await expect.poll(() => handled.at(-1), LONG).toBe('seventh')
    expect(handled).toEqual(['sixth begun', 'sixth done', 'seventh'])
    await next.close()
  })
})

describe.skipIf(onPglite())('a consumer of a module whose process is killed', () => {
  it('gets the event that was being handled again in another process, and those after it', async () => {
    const shared = await createDatabase()
    const pool = new Pool({ connectionString: shared.connectionString })
    const storage = postgresStorage({ pool })
    await storage.migrate()
    const killed = await startCrashHost({ DATABASE_URL: shared.connectionString }, './consumer-host.ts')
    const writer = await createTestApp({ storage, modules: [withoutConsumers] })
    try {
      await writer.eep.orders.place('being handled')
      await writer.eep.orders.place('next')
      await expect.poll(() => killed.lines, LONG).toEqual(['given being handled'])
    } finally {
      await killed.kill()
    }
    const handled: string[] = []
    const heir = await createTestApp({ storage, modules: [ordersModule((what) => void handled.push(what))] })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(handled).toEqual([])
    // Time passes: the lease of the killed process ends.
    await pool.query(`update eep.followers set lease_until = now() where name = 'orders.invoices'`)
    await expect.poll(() => handled, LONG).toEqual(['being handled', 'next'])
    await Promise.all([heir.close(), writer.close()])
    await storage.close()
    await pool.end()
    await shared.drop()
  })
})

describe('an invalid module', () => {
  const service = (module: Parameters<typeof createEep>[0]['modules']) =>
    createEep({ publicUrl: PUBLIC_URL, secret: SECRET, storage: database.storage, modules: module })
  const unknown = defineEvent('orders.order_lost', {
    audience: 'internal',
    subject: 'service',
    data: z.object({}),
    summary: 'An order was lost',
  })
  const consumer = (name: string, event: typeof orderPlaced | typeof unknown) =>
    defineConsumer({ name, events: [event], handle: () => {} })

  it('is rejected for two consumers with one name', () => {
    const twice = defineModule({
      name: 'orders',
      events: [unknown],
      consumers: () => [consumer('mail', unknown), consumer('mail', unknown)],
    })
    expect(() => service([twice])).toThrow(new TypeError('Two consumers are named "orders.mail"'))
  })

  it('is rejected for a consumer, a listener and a follower of an event that no module defines', () => {
    const lost = defineModule({ name: 'lost', consumers: () => [consumer('mail', unknown)] })
    const message = 'No module defines the event "orders.order_lost". List it in `events` of a module'
    expect(() => service([lost])).toThrow(new TypeError(message))
    expect(() => service([]).on(unknown, () => {})).toThrow(new TypeError(message))
    // An event that the types refuse.
    expect(() => service([]).follow('mail', { 'orders.order_lost': () => {} } as never)).toThrow(TypeError)
  })
})
