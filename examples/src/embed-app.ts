import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep, serverOptions } from '@eep/core'
import Fastify from 'fastify'

const { EEP_DATA = '.data', EEP_SECRET = '' } = process.env
const storage = pgliteStorage({ dataDir: EEP_DATA })
await storage.migrate()

export const app = Fastify(serverOptions)
await app.register(eep, { prefix: '/eep', publicUrl: 'https://shop.example.com/eep', storage, secret: EEP_SECRET })
