import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep, serverOptions } from '@eep/core'
import { localFacilitator, x402Rail } from '@eep/payments-x402'
import { startLocalChain } from '@eep/payments-x402/testing'
import Fastify from 'fastify'

// A local chain with a token that behaves like USDC. It ends with this process.
const { network, rpcUrl, wallets, balanceOf } = await startLocalChain()
const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
const storage = pgliteStorage()
await storage.migrate()

const app = Fastify(serverOptions)
await app.register(eep, {
  publicUrl: 'http://localhost:3000',
  storage,
  secret: 'a secret of at least 32 characters',
  payments: { rails: [x402Rail({ network, rpcUrl, facilitator, payTo: wallets.seller.address })] },
})
app.eep.on('payments.payment_settled', async () => {
  console.log('sold, the seller has:', await balanceOf(wallets.seller.address))
})
await app.listen({ port: 3000 })

const { accounts, content, gates, profiles } = app.eep
const seller = { email: 'ada@example.com', password: 'Correct horse 7 battery', username: 'ada', fullName: 'Ada' }
const ada = await accounts.authenticate((await accounts.register(seller)).token)
const profile = await profiles.find('person', 'ada')
const page = { title: 'Engines', body: 'How engines work.', excerpt: null, position: 0, status: 'published' } as const
await content.pages.create({ profileId: profile.id, categoryId: null, ...page }, ada)
const price = { type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' } as const
const tiers = {
  public: { requirements: [], access: ['profile.*'] },
  reader: { label: 'Reader', requirements: [price], access: ['content.*'] },
}
await gates.putConfig(profiles.didOf(profile), { default_tier: 'public', tiers }, ada)
console.log('for sale: http://localhost:3000/u/ada/content/engines')
