import { expect, it } from 'vitest'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook } from '../support/webhooks.ts'

const { database, instance, setUp } = await openWebhooks()

/** An instance whose clock is ahead. */
const startAhead = (seconds: number) =>
  instance({ storage: database.another(), clock: () => new Date(Date.now() + seconds * 1_000) })

it('announces the end of a lease when a tenth of it is left, once, and then ends it', async () => {
  const { ada, made } = await setUp({ lease_seconds: 6_000 })
  const lasting = await setUp({ lease_seconds: 60_000 })
  const eventsOf = async () => {
    const { events } = (await ada.get('/eep/events?types=subscription.*')).json()
    return events.map(({ type, data }: { type: string; data: object }) => [type, data])
  }
  const data = { subscription_id: made.id }
  const created = ['subscription.created', data]

  await startAhead(5_000)
  await startAhead(5_700)
  await soon(async () => expect(await eventsOf()).toEqual([created, ['subscription.expiring', data]]))
  expect(await readWebhook(ada, made)).toMatchObject({ status: 'active' })

  await startAhead(6_100)
  await soon(async () => expect(await readWebhook(ada, made)).toMatchObject({ status: 'expired' }))
  const all = [created, ['subscription.expiring', data], ['subscription.expired', data]]
  await soon(async () => expect(await eventsOf()).toEqual(all))
  expect((await ada.post(`${made.path}/resume`)).statusCode).toBe(409)
  expect(await readWebhook(lasting.ada, lasting.made)).toMatchObject({ status: 'active' })
})
