import type { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { startFollowedService } from '../../test/support/followed-service.ts'
import { answerMessages } from './answer-messages.ts'

const LONG = { timeout: 60_000, interval: 20 }

it('answers each message once, also those that came while it was not connected', async () => {
  const { app, url, headers, close } = await startFollowedService({
    messages: { minTrustScore: 0, newAccountDays: 0 },
  })
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => connections.add(socket))
  await app.inject({ method: 'PUT', url: '/profiles/u/ada', headers, payload: { capabilities: ['contactable'] } })
  const account = { email: 'bert@example.com', username: 'bert', password: 'Correct horse 7 battery' }
  const { token } = (await app.inject({ method: 'POST', url: '/auth/register', payload: account })).json()
  const bert = { authorization: `Bearer ${token}` }
  const messages = '/messages/conversations'
  const ask = (body: string) =>
    app.inject({ method: 'POST', url: messages, headers: bert, payload: { to: 'u/ada', body } })

  const stop = answerMessages(url, headers.authorization.replace('Bearer ', ''), (text) =>
    text.startsWith('Re: ') ? undefined : `Re: ${text}`,
  )
  await vi.waitFor(() => expect(app.eep.signals.stats().subscriptions).toBe(1), LONG)
  const { id } = (await ask('one')).json().conversation
  const bodies = async () => {
    const list = await app.inject({ url: `${messages}/${id}/messages?order=asc`, headers: bert })
    return list.json().data.map(({ body }: { body: string }) => body)
  }
  await vi.waitFor(async () => expect(await bodies()).toEqual(['one', 'Re: one']), LONG)

  vi.spyOn(console, 'warn').mockImplementation(() => {})
  for (const connection of connections) connection.destroy()
  await vi.waitFor(() => expect(app.eep.signals.stats().subscriptions).toBe(0), LONG)
  await ask('two')
  await vi.waitFor(async () => expect(await bodies()).toEqual(['one', 'Re: one', 'two', 'Re: two']), LONG)
  await ask('three')
  await vi.waitFor(async () => expect((await bodies()).slice(-2)).toEqual(['three', 'Re: three']), LONG)
  expect(await bodies()).toHaveLength(6)
  stop()
  await close()
})
