import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { createHost, type Sessions } from './host-auth.ts'

it('knows the users of the host', async () => {
  const { storage, close } = await openStorage()
  const ada = { userId: '42', email: 'ada@example.com', name: 'Ada Lovelace', staff: true }
  const sessions: Sessions = { find: async (cookie) => (cookie === 'session=ada' ? ada : undefined) }
  const app = await createHost(sessions, { storage, secret: 'a secret for tests, of thirty-two characters' })

  const me = await app.inject({ url: '/profiles-api/auth/me', headers: { cookie: 'session=ada' } })
  expect(me.json()).toMatchObject({ email: 'ada@example.com', username: 'ada', isAdmin: true })
  expect((await app.inject('/profiles-api/u/ada')).statusCode).toBe(200)
  expect((await app.inject('/profiles-api/auth/me')).statusCode).toBe(401)
  expect((await app.inject({ method: 'POST', url: '/profiles-api/auth/login', payload: {} })).statusCode).toBe(404)

  await app.close()
  await close()
})
