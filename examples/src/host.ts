import { postgresStorage } from '@eep/adapters-postgres'
import { eep, serverOptions } from '@eep/core'
import { remoteFacilitator, x402Rail } from '@eep/payments-x402'
import Fastify from 'fastify'
import { Pool } from 'pg'

const { DATABASE_URL, EEP_SECRET = '', PAY_TO } = process.env
const storage = postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL }) })
await storage.migrate()

const clean = Fastify({ ...serverOptions, logger: true })
await clean.register(eep, {
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
clean.eep.on('payments.payment_settled', ({ data }) => clean.log.info(data, 'sold'))
clean.get('/about', async () => 'a route of the host, untouched by the service')

const gateway = Fastify({ ...serverOptions, logger: true })
await gateway.register(clean.eep.http, { prefix: '/api' })

await clean.listen({ port: 8080 })
await gateway.listen({ port: 3000 })
