import { once } from 'node:events'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { newRegistration, type SignedUp } from './support/accounts.ts'
import { createMigratedDatabase } from './support/app.ts'
import { startCrashHost } from './support/crash-host.ts'
import { onPglite } from './support/database.ts'

const LONG = { timeout: 300_000, interval: 20 }

interface Delivered {
  readonly event_id: string
  readonly message: { readonly body: string; readonly seq: number }
}

/** Two processes need a database that both can open. */
describe.skipIf(onPglite())('messages of a host that crashes', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let hosts: readonly Awaited<ReturnType<typeof startCrashHost>>[] = []
  beforeAll(async () => {
    database = await createMigratedDatabase()
    const start = () => startCrashHost({ DATABASE_URL: database.connectionString }, './stream-host.ts')
    hosts = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.kill()))
    await database.drop()
  })

  const urlOf = (index: number) => hosts[index]?.url ?? ''

  async function send<Answer>(method: string, path: string, body: object, headers = {}): Promise<Answer> {
    const response = await fetch(urlOf(0) + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  async function signUp(name: string) {
    const { token } = await send<{ token: string; user: SignedUp }>('POST', '/auth/register', newRegistration(name))
    const headers = { authorization: `Bearer ${token}` }
    await send('PUT', `/profiles/u/${name}`, { capabilities: ['contactable'] }, headers)
    return headers
  }

  /** Connects to `/ws/messages` and collects what is delivered. */
  async function receive(index: number, headers: Record<string, string>, query = '') {
    const socket = new WebSocket(`${urlOf(index).replace('http', 'ws')}/ws/messages${query}`, { headers })
    const delivered: Delivered[] = []
    socket.on('message', (text) => {
      const { action, data } = JSON.parse(String(text))
      if (action === 'message.received') delivered.push(data)
    })
    await once(socket, 'open')
    socket.on('error', () => {})
    return { socket, delivered }
  }

  it('are delivered once by another host when they were stored but not delivered', async () => {
    const [ada, bert] = [await signUp('ada-writes'), await signUp('bert-reads')]
    const other = new Client({ connectionString: database.connectionString })
    await other.connect()
    const first = await receive(0, bert)
    const body = { to: 'u/bert-reads', body: 'delivered' }
    const { conversation } = await send<{ conversation: { id: string } }>('POST', '/messages/conversations', body, ada)
    await vi.waitFor(() => expect(first.delivered).toHaveLength(1), LONG)

    // While an older transaction is open, events are stored and not delivered.
    await other.query('begin')
    await other.query('select pg_current_xact_id()')
    const path = `/messages/conversations/${conversation.id}/messages`
    await send('POST', path, { body: 'stored', client_id: 'one' }, ada)
    const closed = once(first.socket, 'close')
    await hosts[0]?.kill()
    await closed
    await other.query('commit')
    await other.end()
    expect(first.delivered.map(({ message }) => message.body)).toEqual(['delivered'])

    const second = await receive(1, bert, `?last_event_id=${first.delivered[0]?.event_id}`)
    // A repetition is the same message, and a later one shows that nothing was on its way.
    for (const repeated of [{ body: 'stored', client_id: 'one' }, { body: 'afterwards' }]) {
      const headers = { ...ada, 'content-type': 'application/json' }
      const answer = await fetch(urlOf(1) + path, { method: 'POST', headers, body: JSON.stringify(repeated) })
      expect(answer.status).toBe(201)
    }
    const bodies = () => second.delivered.map(({ message }) => `${message.seq} ${message.body}`)
    await vi.waitFor(() => expect(bodies()).toContain('3 afterwards'), LONG)
    expect(bodies()).toEqual(['2 stored', '3 afterwards'])
    second.socket.close()
  }, 600_000)
})
