import { eep } from '@eep/core'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { migratedPglite } from '../../test/src/support/migrated-pglite.ts'
import { followPages } from './follow-changes.ts'

it('calls the function with each page that a profile publishes', async () => {
  const storage = await migratedPglite()
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'http://127.0.0.1:3000',
    secret: 'a secret for tests, of thirty-two characters or more',
    storage,
  })
  const service = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = { email: 'ada@example.com', username: 'ada', password: 'Correct horse 7 battery' }
  const registered = await app.inject({ method: 'POST', url: '/auth/register', payload: body })
  const { token, user } = registered.json()
  const headers = { authorization: `Bearer ${token}` }
  const pages: string[] = []
  const stop = followPages(service, 'u/ada', ({ title }) => void pages.push(title))
  await expect.poll(() => app.eep.signals.stats().subscriptions, { timeout: 60_000 }).toBe(1)

  const payload = { profile_id: user.active_profile_id, title: 'Engines', body: '', status: 'published' }
  await app.inject({ method: 'POST', url: '/manage/pages', headers, payload })
  await expect.poll(() => pages, { timeout: 60_000 }).toEqual(['Engines'])
  stop()
  await app.close()
  await storage.close()
})
