import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eep } from '@eep/core'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { migratedPglite } from '../../test/src/support/migrated-pglite.ts'
import { createReceiver } from './receive-webhooks.ts'

it('receives an event of a profile that changed', async () => {
  const storage = await migratedPglite()
  const app = Fastify()
  const secret = 'a secret for tests, of thirty-two characters or more'
  const http = { allowPrivateHosts: ['127.0.0.1'] }
  await app.register(eep, { publicUrl: 'https://profiles.example', storage, secret, http })
  await app.ready()
  await app.eep.start()
  const registered = await app.inject({
    method: 'POST',
    url: '/auth/register',
    payload: { email: 'ada@example.com', username: 'ada', password: 'Correct horse 7 battery' },
  })
  const headers = { authorization: `Bearer ${registered.json().token}` }

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
      source_did: 'did:web:profiles.example:u:ada',
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
  await app.close()
  await storage.close()
})
