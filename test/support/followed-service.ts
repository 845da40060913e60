import { type EepOptions, eep } from '@eep/core'
import { type EverythingOptions, everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { openStorage } from './app.ts'

/** A service that listens, with an account `ada` that can publish pages. For the tests of clients that follow her. */
export async function startFollowedService(features: EverythingOptions = {}, options: Pick<EepOptions, 'http'> = {}) {
  const { storage, close } = await openStorage()
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'http://localhost:3000',
    secret: 'a secret for tests, of thirty-two characters or more',
    storage,
    // Tests ask again and again until something has arrived.
    limits: { rateLimit: { multiplier: 1_000 } },
    modules: everything(features),
    ...options,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = { email: 'ada@example.com', username: 'ada', password: 'Correct horse 7 battery' }
  const { token, user } = (await app.inject({ method: 'POST', url: '/auth/register', payload: body })).json()
  const headers = { authorization: `Bearer ${token}` }
  return {
    app,
    url,
    headers,
    publish: (title: string) => {
      const payload = { profile_id: user.active_profile_id, title, body: '', status: 'published' }
      return app.inject({ method: 'POST', url: '/manage/pages', headers, payload })
    },
    async close() {
      await app.close()
      await close()
    },
  }
}
