import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import { openStorage, SECRET } from '@eep/test/support/app'
import { openShop, SECRET_WORD } from '@eep/test/support/shop'
import Fastify from 'fastify'
import { Receipt } from 'mppx'
import { Mppx, stripe } from 'mppx/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// The rail for test cards against the published client of the scheme `Payment`.

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A sandbox whose public address is where it listens, with one shop. */
async function startSandbox() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { storage, close } = await openStorage()
  const app = Fastify()
  await app.register(eep, {
    modules: [...everything(), sandbox()],
    publicUrl: url,
    secret: SECRET,
    storage,
    payments: { rails: [sandboxRail({ storage, secret: SECRET })], settlementLeaseMs: 60_000 },
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  await app.listen({ port, host: '127.0.0.1' })
  const shop = await openShop(app, 'mpp-sandbox', { amount: 5, currency: 'usd' })
  return {
    eep: app.eep,
    page: `${url}${shop.paid}`,
    /** The client with the function that the documentation shows. */
    buyer: (paymentMethod: string) =>
      Mppx.create({
        polyfill: false,
        methods: [
          stripe({
            paymentMethod,
            createToken: async ({ paymentMethod: card, amount, currency, networkId, expiresAt, metadata }) => {
              const body = JSON.stringify({ paymentMethod: card, amount, currency, networkId, expiresAt, metadata })
              const headers = { 'content-type': 'application/json' }
              const made = await fetch(`${url}/sandbox/tokens`, { method: 'POST', headers, body })
              return ((await made.json()) as { spt: string }).spt
            },
          }),
        ],
      }),
    taken: async () => (await storage.read.sandboxPayments.list(['paid'], 1_000)).length,
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await close()
    },
  }
}

describe('the mppx client in a sandbox', () => {
  let host: Awaited<ReturnType<typeof startSandbox>>
  beforeAll(async () => {
    host = await startSandbox()
  })
  afterAll(() => host.close())

  it('buys a page with a test card, and reads its receipt', async () => {
    const response = await host.buyer('pm_sandbox_ok').fetch(host.page)
    expect(response.status).toBe(200)
    expect(Receipt.fromResponse(response)).toMatchObject({ method: 'stripe', status: 'success' })
    expect(await response.text()).toContain(SECRET_WORD)
    expect(await host.taken()).toBe(1)
  })

  it('gives up on a card that is declined', async () => {
    const before = await host.taken()
    expect((await host.buyer('pm_sandbox_declined').fetch(host.page)).status).toBe(402)
    expect(await host.taken()).toBe(before)
  })

  it('makes one token while the outcome is unknown', async () => {
    const before = await host.taken()
    expect((await host.buyer('pm_sandbox_unknown').fetch(host.page)).status).toBe(503)
    const [waiting] = await host.eep.sandboxPayments.listPayments()
    await host.eep.sandboxPayments.decidePayment(waiting?.id ?? '', 'paid')
    expect(await host.taken()).toBe(before + 1)
  })
})
