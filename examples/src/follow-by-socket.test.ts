import { eep } from '@eep/core'
import { webSockets } from '@eep/core/sockets'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { migratedPglite } from '../../test/src/support/migrated-pglite.ts'
import { followBySocket } from './follow-by-socket.ts'

it('calls the function with each page that a profile publishes', async () => {
  const storage = await migratedPglite()
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'http://127.0.0.1:3000',
    secret: 'a secret for tests, of thirty-two characters or more',
    storage,
    sockets: { server: webSockets() },
  })
  const service = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = { email: 'ada@example.com', username: 'ada', password: 'Correct horse 7 battery' }
  const { token, user } = (await app.inject({ method: 'POST', url: '/auth/register', payload: body })).json()
  const headers = { authorization: `Bearer ${token}` }
  const made = await app.inject({ method: 'POST', url: '/api-keys', headers, payload: { name: 'Reader' } })
  const pages: string[] = []
  const stop = followBySocket(service, made.json().key, 'did:web:127.0.0.1%3A3000:u:ada', (url) => pages.push(url))
  await expect.poll(() => app.eep.sockets.stats().subscriptions, { timeout: 60_000 }).toBe(1)

  const payload = { profile_id: user.active_profile_id, title: 'Engines', body: '', status: 'published' }
  await app.inject({ method: 'POST', url: '/manage/pages', headers, payload })
  await expect.poll(() => pages, { timeout: 60_000 }).toEqual(['http://127.0.0.1:3000/u/ada/content/engines'])
  stop()
  await app.close()
  await storage.close()
})
