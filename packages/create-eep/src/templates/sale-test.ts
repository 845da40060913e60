/** A test that makes a sale with test money, in a database in memory. */
export const saleTestFile =
  (): string => `// Sells a page for test money, in a database in memory: a model for tests of your own. Run it with \`npm test\`.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep, serverOptions } from '@eep/core'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'

const storage = pgliteStorage()
await storage.migrate()
const cashWallets = createCashWallets()
const app = Fastify(serverOptions)
await app.register(eep, {
  publicUrl: 'https://profiles.example',
  storage,
  secret: 'a secret of at least 32 characters',
  payments: { rails: [cashRail({ cashWallets })] },
})
after(async () => {
  await app.close()
  await storage.close()
})

test('sells a page once, and opens it for the buyer', async () => {
  const seller = { email: 'ada@example.com', password: 'Correct horse 7 battery', username: 'ada' }
  const { token, user } = (await app.inject({ method: 'POST', url: '/auth/register', payload: seller })).json()
  const headers = { authorization: \`Bearer \${token}\` }
  const page = { profile_id: user.active_profile_id, title: 'Engines', body: 'How engines work.', status: 'published' }
  await app.inject({ method: 'POST', url: '/manage/pages', headers, payload: page })
  const requirements = [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }]
  const gate = {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*'] },
      reader: { label: 'Reader', requirements, access: ['content.*'] },
    },
  }
  const did = 'did:web:profiles.example:u:ada'
  await app.inject({ method: 'PUT', url: \`/eep/gates/\${did}\`, headers, payload: gate })

  const offer = await app.inject('/u/ada/content/engines')
  assert.equal(offer.statusCode, 402)
  const payment = cashWallets.answer(offer.headers['payment-required'])
  const sale = await app.inject({ url: '/u/ada/content/engines', headers: payment })
  assert.equal(sale.statusCode, 200)
  assert.match(sale.body, /How engines work/)
  // USDC has six decimals, so 10000 is 0.01.
  assert.equal(cashWallets.balance(did), 10_000n)
})
`
