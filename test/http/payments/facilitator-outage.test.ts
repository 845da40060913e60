import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { remoteFacilitator, x402Rail } from '@eep/payments-x402'
import {
  encodeHeader,
  type FacilitatorServer,
  type LocalChain,
  signPayment,
  startFacilitator,
  startLocalChain,
} from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { decodeHeader, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

/** A port of this machine where connections are refused. */
async function refusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Hands a request on to a server elsewhere. */
async function forward(request: IncomingMessage, response: ServerResponse, to: string): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = 'GET', url = '/' } = request
  const answer = await fetch(to + url, { method, body: method === 'POST' ? Buffer.concat(chunks) : null })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}

describe('a service whose facilitator refuses connections at the start', { timeout: 60_000 }, () => {
  let chain: LocalChain
  let facilitator: FacilitatorServer
  let door: Server | undefined
  let port: number
  let service: Awaited<ReturnType<typeof createTestApp>>
  let shop: Shop
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }

  beforeAll(async () => {
    ;[chain, port] = await Promise.all([startLocalChain(), refusedPort()])
    facilitator = await startFacilitator({ chain })
    const { network, wallets } = chain
    const rail = x402Rail({
      network,
      recoveryRpcUrl: false,
      facilitator: remoteFacilitator({ url: `http://127.0.0.1:${port}` }),
      payTo: wallets.seller.address,
    })
    service = await createTestApp({ payments: { rails: [rail] }, logger })
    shop = await openShop(service.app, 'early')
  })
  afterAll(async () => {
    await service.close()
    door?.closeAllConnections()
    door?.close()
    await facilitator.stop()
    await chain.stop()
  })

  const { get } = client(() => service.app)
  const payment = async () => {
    const [offer] = decodeHeader(await get(shop.paid), 'payment-required').accepts
    return { 'payment-signature': encodeHeader(await signPayment(offer, chain.wallets.payer)) }
  }

  it('serves free pages but no paid page, and reports degraded', async () => {
    for (const url of [shop.profile, shop.open, shop.contents]) expect((await get(url)).statusCode).toBe(200)
    const ready = await get('/health/ready')
    expect([ready.statusCode, ready.json()]).toMatchObject([
      200,
      { status: 'degraded', degraded: { x402: 'unavailable' } },
    ])
    expect((await get(shop.paid)).statusCode).toBe(402)
    const refused = await get(shop.paid, await payment())
    expect([402, 503]).toContain(refused.statusCode)
    expect(refused.body).not.toContain(SECRET_WORD)
    expect(await chain.paymentsTo(chain.wallets.seller.address)).toEqual([])
  })

  it('sells as soon as the facilitator is available', async () => {
    door = createServer((request, response) => {
      forward(request, response, facilitator.url).catch((error: Error) => response.destroy(error))
    })
    await new Promise<void>((resolve) => door?.listen(port, '127.0.0.1', resolve))
    const paid = await get(shop.paid, await payment())
    expect(paid.statusCode, paid.body).toBe(200)
    expect(await chain.paymentsTo(chain.wallets.seller.address)).toEqual([10_000n])
    await expect.poll(async () => (await get('/health/ready')).json().status, { timeout: 120_000 }).toBe('ok')
  })
})
