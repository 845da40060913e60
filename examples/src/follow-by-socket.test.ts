import { expect, it } from 'vitest'
import { startFollowedService } from '../../test/support/followed-service.ts'
import { followBySocket } from './follow-by-socket.ts'

it('calls the function with each page that a profile publishes', async () => {
  const service = await startFollowedService({})
  const { app, url, headers } = service
  const made = await app.inject({ method: 'POST', url: '/api-keys', headers, payload: { name: 'Reader' } })
  const pages: string[] = []
  const stop = followBySocket(url, made.json().key, 'did:web:localhost%3A3000:u:ada', (page) => pages.push(page))
  await expect.poll(() => app.eep.sockets.stats().subscriptions, { timeout: 60_000 }).toBe(1)

  await service.publish('Engines')
  await expect.poll(() => pages, { timeout: 60_000 }).toEqual(['http://localhost:3000/u/ada/content/engines'])
  stop()
  await service.close()
})
