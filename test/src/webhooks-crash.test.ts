import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { newRegistration } from './support/accounts.ts'
import { createMigratedDatabase } from './support/app.ts'
import { startCrashHost } from './support/crash-host.ts'
import { onPglite } from './support/database.ts'
import { createReceiver } from './support/receivers.ts'

const ROUNDS = 6
const EDITS = 8

/** Two processes need a database that both can open. */
describe.skipIf(onPglite())('webhooks while hosts and receivers are killed', { timeout: 300_000 }, () => {
  it('deliver every event at least once, under stable ids and in order', async () => {
    const database = await createMigratedDatabase()
    const env = { DATABASE_URL: database.connectionString }
    let host = await startCrashHost(env, './webhook-host.ts')
    const survivor = await startCrashHost(env, './webhook-host.ts')
    let receiver = await createReceiver()
    const port = Number(receiver.host.split(':')[1])
    const seen: string[] = []
    const take = () => seen.push(...receiver.envelopes().map(({ id }) => id))

    const send = async (method: string, path: string, body: object, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const response = await fetch(survivor.url + path, { method, headers, body: JSON.stringify(body) })
      expect(response.ok, `${method} ${path} ${response.status}`).toBe(true)
      return (await response.json()) as { token: string; status: string }
    }
    const { token } = await send('POST', '/auth/register', newRegistration('ada-in-crashes'))
    const made = await send(
      'POST',
      '/eep/subscribe',
      {
        source_did: 'did:web:profiles.example:u:ada-in-crashes',
        event_types: ['entity.updated'],
        delivery_method: 'webhook',
        delivery_url: receiver.url,
      },
      token,
    )
    expect(made.status).toBe('active')

    for (let round = 0; round < ROUNDS; round++) {
      for (let edit = 0; edit < EDITS; edit++) {
        await send('PUT', '/profiles/u/ada-in-crashes', { full_name: `Name ${round}-${edit}` }, token)
      }
      await sleep(Math.random() * 300)
      if (round % 2 === 0) {
        await host.kill()
        host = await startCrashHost(env, './webhook-host.ts')
      } else {
        await receiver.close()
        take()
        receiver = await createReceiver(port)
      }
    }
    const distinct = () => new Set([...seen, ...receiver.envelopes().map(({ id }) => id)])
    await expect.poll(() => distinct().size, { timeout: 120_000 }).toBe(ROUNDS * EDITS)
    take()
    const firsts = [...new Set(seen)]
    expect(firsts.toSorted()).toEqual(firsts)

    await host.kill()
    await survivor.kill()
    await receiver.close()
    await database.drop()
  })
})
