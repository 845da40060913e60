import { postgresStorage } from '@eep/adapters-postgres'
import { eep, serverOptions } from '@eep/core'
import { remoteFacilitator, x402Rail } from '@eep/payments-x402'
import Fastify from 'fastify'
import { Pool } from 'pg'

const { DATABASE_URL, EEP_SECRET = '', PAY_TO } = process.env
const storage = postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL }) })
await storage.migrate()

const app = Fastify({ ...serverOptions, logger: true })
await app.register(eep, {
  publicUrl: 'https://profiles.example.com',
  storage,
  secret: EEP_SECRET,
  payments: {
    // Addresses on a chain are public, so require the cookie of the purchase.
    payerProof: 'signed',
    rails: [
      x402Rail({ network: 'base', payTo: PAY_TO, facilitator: remoteFacilitator({ url: 'https://x402.example' }) }),
    ],
  },
})
app.eep.on('payments.payment_settled', ({ data }) => app.log.info(data, 'sold'))
app.get('/about', async () => 'a route of the host, untouched by the service')

// The same service on a second server, below a prefix.
const gateway = Fastify({ ...serverOptions, logger: true })
await gateway.register(app.eep.http, { prefix: '/api' })

await app.listen({ port: 8080 })
await gateway.listen({ port: 3000 })
