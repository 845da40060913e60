import { toFetchHandler } from '@eep/core'
import { type HttpBindings, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { app } from './embed-app.ts'

const clientAddress = (_request: Request, { incoming }: HttpBindings) => incoming.socket.remoteAddress
const profiles = toFetchHandler(app, { clientAddress })
const site = new Hono<{ Bindings: HttpBindings }>()
site.all('/eep/*', (context) => profiles(context.req.raw, context.env))
site.get('/', (context) => context.text('A shop'))
export const server = serve({ fetch: site.fetch, port: Number(process.env.PORT ?? 3000) })
