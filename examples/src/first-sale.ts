import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep, serverOptions } from '@eep/core'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'

const storage = pgliteStorage()
await storage.migrate()
const cashWallets = createCashWallets()
const app = Fastify(serverOptions)
await app.register(eep, {
  publicUrl: 'http://localhost:3000',
  storage,
  secret: 'a secret of at least 32 characters',
  payments: { rails: [cashRail({ cashWallets })] },
})

const seller = { email: 'ada@example.com', password: 'Correct horse 7 battery', username: 'ada' }
const { token, user } = (await app.inject({ method: 'POST', url: '/auth/register', payload: seller })).json()
const headers = { authorization: `Bearer ${token}` }
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
// A DID with a port contains %3A, and its % is encoded as %25 in a path.
await app.inject({ method: 'PUT', url: '/eep/gates/did:web:localhost%253A3000:u:ada', headers, payload: gate })

const offer = await app.inject('/u/ada/content/engines')
console.log('without a payment:', offer.statusCode)
const payment = cashWallets.answer(offer.headers['payment-required'])
const sale = await app.inject({ url: '/u/ada/content/engines', headers: payment })
console.log('with a payment:', sale.statusCode)
console.log('the seller has:', cashWallets.balance('did:web:localhost%3A3000:u:ada'))

await app.close()
await storage.close()
