import { describe, expect, it, vi } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import type { TestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { onPglite } from '../../support/database.ts'
import { openInstances } from '../../support/instances.ts'
import {
  CONVERSATIONS,
  type MessageRecord,
  makeContactable,
  messagesOf,
  OPEN_MESSAGES,
  openConversation,
} from '../../support/messages.ts'
import { openSocket } from '../../support/sockets.ts'

const EACH = 60
const LONG = { timeout: 300_000, interval: 50 }

/** Two instances need a database that both can open. */
describe.skipIf(onPglite())('a conversation on two instances', async () => {
  const { database, instance } = await openInstances(OPEN_MESSAGES)

  it('has one order for both sides, in lists and in frames, while both write at the same time', async () => {
    const apps = [await instance(), await instance({ storage: database.another() })] as const
    const [ada, bert] = [await signUp(apps[0]), await signUp(apps[0])]
    await makeContactable(bert)
    const id = await openConversation(ada, bert)
    const on = (app: TestApp, who: Person) => ({ ...who, ...client(app).as(who) })
    const each = apps.flatMap((app) => [ada, bert].map((who) => ({ app, who })))

    const delivered = await Promise.all(
      each.map(async ({ app, who }) => {
        const messages: MessageRecord[] = []
        const socket = await openSocket(app, '/ws/messages', {
          headers: who.headers,
          onFrame: ({ action, data }) => action === 'message.received' && messages.push(data.message),
        })
        return { who, socket, messages }
      }),
    )
    // Sides, instances and ways to send in turn, all at the same time.
    const sent = await Promise.all(
      each.flatMap(({ app, who }, index) =>
        Array.from({ length: EACH }, (_, at) => {
          const body = { body: `${index} ${at}`, client_id: `${index}-${at}` }
          return on(app, who).post(`${CONVERSATIONS}/${id}/messages`, body)
        }),
      ),
    )
    expect(new Set(sent.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))

    const orders = await Promise.all(
      each.map(async ({ app, who }) => {
        const first = await messagesOf(on(app, who), id)
        const rest = await messagesOf(on(app, who), id, '&after_seq=100')
        const last = await messagesOf(on(app, who), id, '&after_seq=200')
        return [...first, ...rest, ...last].map(({ seq, body }) => `${seq} ${body}`)
      }),
    )
    const [order = []] = orders
    expect(order).toHaveLength(4 * EACH + 1)
    for (const other of orders) expect(other).toEqual(order)
    expect(order.map((line) => Number(line.split(' ')[0]))).toEqual(order.map((_, index) => index + 1))

    for (const { who, socket, messages } of delivered) {
      // The message that opened the conversation may be delivered, too: it was stored just before the sockets opened.
      const seen = () => messages.filter(({ seq }) => seq > 1)
      await vi.waitFor(() => expect(seen().length).toBeGreaterThanOrEqual(4 * EACH), LONG)
      expect(seen().map(({ seq, body }) => `${seq} ${body}`)).toEqual(order.slice(1))
      const own = seen().filter(({ is_own }) => is_own)
      expect(new Set(own.map(({ sender_profile_id: sender }) => sender))).toEqual(
        new Set([who.account.active_profile_id]),
      )
      expect(own).toHaveLength(2 * EACH)
      await socket.close()
    }
  }, 600_000)
})
