import { type Facilitator, localFacilitator, remoteFacilitator, x402Rail } from '@eep/payments-x402'
import { type FacilitatorServer, type LocalChain, startFacilitator, startLocalChain } from '@eep/payments-x402/testing'
import { createTestApp, openStorage } from '@eep/test/support/app'
import { field, fileOf, upload } from '@eep/test/support/files'
import { openShop, SECRET_WORD, shopGate } from '@eep/test/support/shop'
import axios from 'axios'
import { createWalletClient, http, publicActions } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withPaymentInterceptor } from 'x402-axios'
import { decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch'

// The last clients of x402 version 1, as they are published: they read the body of a 402 and send X-PAYMENT.

const FUNDS = 5_000_000n

let chain: LocalChain
let server: FacilitatorServer
const hosts: (() => Promise<void>)[] = []
let names = 0

beforeAll(async () => {
  chain = await startLocalChain()
  server = await startFacilitator({ chain })
})
afterAll(async () => {
  for (const close of hosts) await close()
  await server.stop()
  await chain.stop()
})

/** A host that sells a page, a file and an endpoint of the host at one price. */
async function startHost(facilitator: Facilitator, amount: number, { rpc = true, v1 = true } = {}) {
  const database = await openStorage()
  const rail = x402Rail({
    network: 'base-sepolia',
    payTo: chain.wallets.platform.address,
    facilitator,
    settleTimeoutMs: 120_000,
    v1,
    ...(rpc ? { rpcUrl: chain.rpcUrl } : { recoveryRpcUrl: false as const }),
  })
  const name = `version-one-${++names}`
  const test = await createTestApp(
    { storage: database.storage, payments: { rails: [rail], settlementLeaseMs: 500 } },
    {},
    (app) => {
      const price = { amount, currency: 'usd', per: 'day' } as const
      const profile = () => `did:web:profiles.example:u:${name}`
      const preHandler = app.eep.requireAccess({ profile, resource: 'api.quotes', price })
      app.get('/api/quotes', { preHandler }, async () => ({ quote: SECRET_WORD }))
    },
  )
  const shop = await openShop(test.app, name, { amount, currency: 'usd' })
  const parts = [field('username', name), fileOf(`A file. ${SECRET_WORD}`)]
  const stored = await upload(test.app, parts, shop.headers)
  expect(stored.statusCode, stored.body).toBe(200)
  const { public: open, reader } = shopGate({ amount, currency: 'usd' }).tiers
  const tiers = { public: open, reader: { ...reader, access: [...reader.access, 'files.*'] } }
  const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, { default_tier: 'public', tiers })
  expect(saved.statusCode, saved.body).toBe(200)
  const url = await test.app.listen({ port: 0 })
  hosts.push(async () => {
    test.app.server.closeAllConnections()
    await test.close()
    await database.close()
  })
  return {
    page: `${url}${shop.paid}`,
    file: new URL(new URL(stored.json().url, url).pathname, url).href,
    endpoint: `${url}/api/quotes`,
  }
}

const inProcess = () =>
  localFacilitator({ network: 'base-sepolia', rpcUrl: chain.rpcUrl, privateKey: chain.wallets.facilitator.privateKey })

/** A fresh wallet as the documentation of the clients makes one, and what it has spent. */
async function buyer() {
  const payer = await chain.newPayer(FUNDS)
  const { account, address } = payer
  const wallet = createWalletClient({ account, chain: baseSepolia, transport: http(chain.rpcUrl) }).extend(
    publicActions,
  )
  return { payer, wallet, spent: async () => FUNDS - (await chain.balanceOf(address)) }
}
type Buyer = Awaited<ReturnType<typeof buyer>>

type FetchWallet = Parameters<typeof wrapFetchWithPayment>[1]
type AxiosWallet = Parameters<typeof withPaymentInterceptor>[1]

interface Answer {
  readonly status: number
  readonly text: string
  readonly response: string | null
}

async function byFetch({ wallet }: Buyer, url: string, maxValue?: bigint): Promise<Answer> {
  // The wallet is of the newest viem; the client is typed with an older one.
  const pay = wrapFetchWithPayment(fetch, wallet as unknown as FetchWallet, maxValue)
  const response = await pay(url, { method: 'GET' })
  return { status: response.status, text: await response.text(), response: response.headers.get('x-payment-response') }
}

async function byAxios({ wallet }: Buyer, url: string): Promise<Answer> {
  // As in `byFetch`, and the client is typed with another release of axios.
  const client = withPaymentInterceptor(axios.create() as never, wallet as unknown as AxiosWallet)
  const { status, data, headers } = await client.get<unknown>(url)
  return { status, text: JSON.stringify(data), response: String(headers['x-payment-response']) }
}

describe.each([
  ['a facilitator in process', () => startHost(inProcess(), 0.05)],
  ['a remote facilitator', () => startHost(remoteFacilitator({ url: server.url }), 0.05)],
  [
    'a remote facilitator and no access to the chain',
    () => startHost(remoteFacilitator({ url: server.url }), 0.05, { rpc: false }),
  ],
] as const)('with %s', (_, start) => {
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    host = await start()
  })

  describe.each([
    ['x402-fetch 1.2.0', byFetch],
    ['x402-axios 0.7.2', byAxios],
  ] as const)('%s', (_client, pay) => {
    it.each(['page', 'file', 'endpoint'] as const)('buys a %s', async (what) => {
      const one = await buyer()
      const { status, text, response } = await pay(one, host[what])
      expect([status, text]).toEqual([200, expect.stringContaining(SECRET_WORD)])
      expect(decodeXPaymentResponse(response ?? '')).toMatchObject({ success: true, network: 'base-sepolia' })
      expect(await one.spent()).toBe(50_000n)
    })
  })
})

describe('the limit of x402-fetch', () => {
  it('refuses 1.00 before it signs, and pays it with maxValue', async () => {
    const host = await startHost(inProcess(), 1)
    const one = await buyer()
    await expect(byFetch(one, host.page)).rejects.toThrow('Payment amount exceeds maximum allowed')
    expect(await one.spent()).toBe(0n)
    expect((await byFetch(one, host.page, 1_000_000n)).text).toContain(SECRET_WORD)
    expect(await one.spent()).toBe(1_000_000n)
  })
})

describe('a payment that is refused', () => {
  it('reaches the client with its reason', async () => {
    const host = await startHost(inProcess(), 0.05)
    const poor = await buyer()
    await chain.drain(poor.payer)
    const { status, response, text } = await byFetch(poor, host.page)
    expect(status).toBe(402)
    expect(decodeXPaymentResponse(response ?? '')).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
      network: 'base-sepolia',
    })
    expect(text).not.toContain(SECRET_WORD)
  })
})

describe('a rail without version 1', () => {
  it('makes no offer that these clients read, and takes nothing', async () => {
    const host = await startHost(inProcess(), 0.05, { v1: false })
    const one = await buyer()
    await expect(byFetch(one, host.page)).rejects.toThrow()
    expect(await one.spent()).toBe(0n)
  })
})
