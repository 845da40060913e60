import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { newRegistration, type SignedUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { openPooledStorage, type PooledStorage } from '../../support/pooled-storage.ts'

const LONG = { timeout: 300_000, interval: 20 }

interface Delivered {
  readonly event_id: string
  readonly message: { readonly body: string; readonly seq: number }
}

/** A process and this one need a database that both can open. */
describe.skipIf(onPglite())('messages of a host that crashes', () => {
  let opened: PooledStorage
  let other: Awaited<ReturnType<typeof createTestApp>>
  let doomed: Awaited<ReturnType<typeof startCrashHost>>
  let urls: readonly string[]
  beforeAll(async () => {
    opened = await openPooledStorage()
    other = await createTestApp({ storage: opened.storage, messages: { minTrustScore: 0 } })
    doomed = await startCrashHost({ DATABASE_URL: opened.database.connectionString }, './stream-host.ts')
    urls = [doomed.url, await other.app.listen({ port: 0, host: '127.0.0.1' })]
  })
  afterAll(async () => {
    await doomed?.kill()
    await other.close()
    await opened.close()
  })

  const urlOf = (index: number) => urls[index] ?? ''

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
    const blocker = await opened.pool.connect()
    onTestFinished(() => blocker.release(true))
    const first = await receive(0, bert)
    const body = { to: 'u/bert-reads', body: 'delivered' }
    const { conversation } = await send<{ conversation: { id: string } }>('POST', '/messages/conversations', body, ada)
    await vi.waitFor(() => expect(first.delivered).toHaveLength(1), LONG)

    // While an older transaction is open, events are stored and not delivered.
    await blocker.query('begin')
    await blocker.query('select pg_current_xact_id()')
    const path = `/messages/conversations/${conversation.id}/messages`
    await send('POST', path, { body: 'stored', client_id: 'one' }, ada)
    const closed = once(first.socket, 'close')
    await doomed.kill()
    await closed
    await blocker.query('commit')
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
