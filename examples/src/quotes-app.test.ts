import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep, serverOptions } from '@eep/core'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'

const storage = pgliteStorage()
const cashWallets = createCashWallets()
const app = Fastify(serverOptions)
let now = new Date()

beforeAll(async () => {
  await storage.migrate()
  await app.register(eep, {
    publicUrl: 'https://quotes.example',
    storage,
    secret: 'a secret of at least 32 characters',
    clock: () => now,
    auth: { passwordHashing: { memoryKiB: 1_024 } },
    limits: { rateLimit: { multiplier: 1_000 } },
    payments: { rails: [cashRail({ cashWallets })] },
  })
  const price = { amount: 0.05, currency: 'usdc', per: 'day' } as const
  const sold = app.eep.requireAccess({ profile: 'did:web:quotes.example:u:ada', resource: 'api.quotes', price })
  app.get('/quotes', { onRequest: sold }, async () => ['Buy low.'])
  app.get('/me', { preHandler: app.eep.requireUser }, async () => 'signed in')
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await storage.close()
})

const signUp = async (username: string) => {
  const payload = { email: `${username}@example.com`, password: 'Correct horse 7 battery', username }
  const { token } = (await app.inject({ method: 'POST', url: '/auth/register', payload })).json()
  return { authorization: `Bearer ${token}` }
}

it('sells quotes to readers who pay', async () => {
  await signUp('ada')
  const asked = await app.inject('/quotes')
  expect(asked.statusCode).toBe(402)
  const payment = cashWallets.answer(asked.headers['payment-required'])
  const paid = await app.inject({ url: '/quotes', headers: payment })
  expect([paid.statusCode, paid.json()]).toEqual([200, ['Buy low.']])
  expect(cashWallets.balance('did:web:quotes.example:u:ada')).toBe(50_000n)
})

it('ends sessions after a week', async () => {
  const headers = await signUp('bert')
  expect((await app.inject({ url: '/me', headers })).statusCode).toBe(200)
  now = new Date(now.getTime() + 8 * 86_400_000)
  expect((await app.inject({ url: '/me', headers })).statusCode).toBe(401)
})
