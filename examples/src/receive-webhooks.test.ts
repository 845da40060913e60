import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startFollowedService } from '../../test/support/followed-service.ts'
import { createReceiver } from './receive-webhooks.ts'

it('receives an event of a profile that changed', async () => {
  const { app, headers, close } = await startFollowedService({}, { http: { allowPrivateHosts: ['127.0.0.1'] } })
  let signing = ''
  const events: unknown[] = []
  const receiver = createReceiver(
    () => signing,
    async (event) => void events.push(event),
  ).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const subscribed = await app.inject({
    method: 'POST',
    url: '/eep/subscribe',
    headers,
    payload: {
      source_did: 'did:web:localhost%3A3000:u:ada',
      event_types: ['entity.updated'],
      delivery_method: 'webhook',
      delivery_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    },
  })
  expect(subscribed.json()).toMatchObject({ status: 'active' })
  signing = subscribed.json().delivery_secret
  await app.inject({ method: 'PUT', url: '/profiles/u/ada', headers, payload: { full_name: 'Ada Lovelace' } })
  await expect.poll(() => events, { timeout: 60_000 }).toEqual([expect.objectContaining({ type: 'entity.updated' })])

  receiver.close()
  await close()
})
