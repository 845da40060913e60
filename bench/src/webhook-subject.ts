import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { LOGIN, PUBLIC_URL } from './seller.ts'
import { serve } from './server-process.ts'

interface Order {
  readonly connectionString: string
}

/** What the parent sends requests with. */
export interface WebhookSubject {
  readonly url: string
  readonly authorization: string
}

/** The service with an account, allowed to call receivers on this machine. */
await serve<Order, WebhookSubject>(async ({ connectionString }) => {
  const { storage } = await openDatabase(connectionString)
  const app = Fastify()
  await app.register(eep, {
    modules: everything(),
    publicUrl: PUBLIC_URL,
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    limits: { rateLimit: { multiplier: 1_000_000 } },
    http: { allowPrivateHosts: ['127.0.0.1'] },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  const url = await app.listen({ port: 0 })
  const { token } = await app.eep.accounts.register({ ...LOGIN, username: 'ada', fullName: 'Ada Lovelace' })
  return { url, authorization: `Bearer ${token}` }
})
