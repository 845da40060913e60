import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { startFollowedService } from '../../test/support/followed-service.ts'
import { followPages, readPage, receiver } from './client.ts'

const service = await startFollowedService({})
afterAll(() => service.close())

it('reads a page as Markdown, and throws what else the service responds', async () => {
  await service.publish('Looms')
  expect(await readPage(service.url, 'u/ada/content/looms')).toContain('# Looms')
  await expect(readPage(service.url, 'u/ada/content/nothing')).rejects.toMatchObject({ status: 404 })
})

it('calls the function with each page that a profile publishes', async () => {
  const titles: string[] = []
  const abort = new AbortController()
  const ended = followPages(service.url, 'u/ada', (title) => titles.push(title), abort.signal)
  for (let count = 1; titles.length === 0; count += 1) {
    await service.publish(`Engines ${count}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(titles[0]).toMatch(/^Engines \d+$/)
  abort.abort()
  await ended
})

it('answers the intent check, and takes signed deliveries only', async () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const events: object[] = []
  const app = receiver(secret, (event) => events.push(event))
  expect(await (await app.request('/hook?hub.challenge=abc')).text()).toBe('abc')
  const body = JSON.stringify({ type: 'content.published' })
  const at = Math.floor(Date.now() / 1_000)
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64')}`
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${at}`, 'webhook-signature': signature }
  expect((await app.request('/hook', { method: 'POST', body, headers })).status).toBe(204)
  expect((await app.request('/hook', { method: 'POST', body: `${body} `, headers })).status).toBe(400)
  expect(events).toEqual([{ type: 'content.published' }])
})
