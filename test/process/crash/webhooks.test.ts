import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newRegistration } from '../../support/accounts.ts'
import { createMigratedDatabase } from '../../support/app.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

const ROUNDS = Number(process.env.WEBHOOK_KILLS ?? 2)
const TIMEOUT_MS = 600_000 + 10_000 * ROUNDS
const EDITS = 8
const VICTIMS = [['host'], ['receiver'], ['host', 'receiver']] as const

interface Delivered {
  readonly id: string
  readonly eep_delivery_id: string
}

/** Two processes need a database that both can open. */
describe.skipIf(onPglite())('webhooks while hosts and receivers crash', { timeout: TIMEOUT_MS }, () => {
  it('deliver every event at least once, under stable ids and in order', async () => {
    const database = await createMigratedDatabase()
    const directory = await mkdtemp(join(tmpdir(), 'eep-receiver-'))
    onTestFinished(async () => {
      await rm(directory, { recursive: true })
      await database.drop()
    })
    const pool = new Pool({ connectionString: database.connectionString })
    onTestFinished(() => pool.end())
    const file = join(directory, 'deliveries')
    await writeFile(file, '')
    const start = async (env: Record<string, string>, program: string) => {
      const child = await startCrashHost(env, program)
      onTestFinished(child.kill)
      return child
    }
    const startHost = () => start({ DATABASE_URL: database.connectionString }, './webhook-host.ts')
    const startReceiver = () => start({ RECEIVER_FILE: file }, './webhook-receiver.ts')
    let [host, other, receiver] = [await startHost(), await startHost(), await startReceiver()]
    // Receivers have one address. A port that one has left may be taken by another process.
    const proxy = await startTcpProxy(receiver.url)
    onTestFinished(proxy.close)

    const send = async (method: string, path: string, body: object, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const response = await fetch(host.url + path, { method, headers, body: JSON.stringify(body) })
      expect(response.ok, `${method} ${path} ${response.status}`).toBe(true)
      return (await response.json()) as { token: string; status: string }
    }
    const { token } = await send('POST', '/auth/register', newRegistration('ada-in-crashes'))
    const subscription = {
      source_did: 'did:web:profiles.example:u:ada-in-crashes',
      event_types: ['entity.updated'],
      delivery_method: 'webhook',
      delivery_url: proxy.url,
    }
    expect((await send('POST', '/eep/subscribe', subscription, token)).status).toBe('active')

    const delivered = async (): Promise<readonly Delivered[]> =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    const distinct = async () => new Set((await delivered()).map(({ id }) => id)).size
    /** The leases of a process that is dead end now, as they would half a minute later. */
    const endLeases = async () => {
      await pool.query('update eep.webhooks set lease_until = now() where lease_until > now()')
      await pool.query('update eep.followers set lease_until = now() where lease_until > now()')
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      for (let edit = 0; edit < EDITS; edit += 1) {
        await send('PUT', '/profiles/u/ada-in-crashes', { full_name: `Name ${round}-${edit}` }, token)
      }
      // Some of what was just written is delivered, and some is not.
      await expect.poll(distinct, { timeout: 120_000 }).toBeGreaterThan(round * EDITS)
      await sleep(Math.random() * 150)
      const victims: readonly string[] = VICTIMS[round % VICTIMS.length] ?? []
      if (victims.includes('host')) {
        await other.kill()
        ;[host, other] = [await startHost(), host]
        await endLeases()
      }
      if (victims.includes('receiver')) {
        await receiver.kill()
        receiver = await startReceiver()
        proxy.redirect(receiver.url)
      }
    }
    await expect.poll(distinct, { timeout: 120_000 }).toBe(ROUNDS * EDITS)
    const pending = async () => (await pool.query('select pending from eep.webhooks')).rows[0].pending
    await expect.poll(pending, { timeout: 120_000 }).toBe(0)

    const all = await delivered()
    const firsts = [...new Set(all.map(({ id }) => id))]
    expect(firsts).toHaveLength(ROUNDS * EDITS)
    expect(firsts.toSorted()).toEqual(firsts)
    const deliveryIds = new Set(all.map((each) => `${each.id} ${each.eep_delivery_id}`))
    expect(deliveryIds.size).toBe(ROUNDS * EDITS)
  })
})
