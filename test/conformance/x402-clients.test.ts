import { setTimeout as sleep } from 'node:timers/promises'
import { type Facilitator, localFacilitator, remoteFacilitator, x402Rail } from '@eep/payments-x402'
import { type FacilitatorServer, type LocalChain, startFacilitator, startLocalChain } from '@eep/payments-x402/testing'
import { wrapAxiosWithPayment } from '@x402/axios'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch'
import axios from 'axios'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

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

/** A host that listens, sells for x402 and has one shop. */
async function startHost(facilitator: Facilitator, { rpc = true, settleTimeoutMs = 120_000 } = {}) {
  const database = await openStorage()
  const rail = x402Rail({
    network: 'base-sepolia',
    payTo: chain.wallets.platform.address,
    facilitator,
    settleTimeoutMs,
    ...(rpc ? { rpcUrl: chain.rpcUrl } : { recoveryRpcUrl: false as const }),
  })
  const test = await createTestApp({
    storage: database.storage,
    payments: { rails: [rail], settlementLeaseMs: 500 },
  })
  const shop = await openShop(test.app, `chain-${++names}`)
  const url = await test.app.listen({ port: 0 })
  hosts.push(async () => {
    test.app.server.closeAllConnections()
    await test.close()
    await database.close()
  })
  return { ...test, url, shop }
}

const inProcess = () =>
  localFacilitator({ network: 'base-sepolia', rpcUrl: chain.rpcUrl, privateKey: chain.wallets.facilitator.privateKey })

/** The official client with a fresh wallet, as its documentation shows it. */
async function buyer() {
  const wallet = await chain.newPayer(1_000_000n)
  const client = new x402Client().register('eip155:84532', new ExactEvmScheme(wallet.account))
  return { wallet, client, spent: async () => 1_000_000n - (await chain.balanceOf(wallet.address)) }
}

interface Receipt {
  readonly receipt_id: string
  readonly signature: string
  readonly timeline: Readonly<Record<string, string>>
}

const read = async <Body>(url: string, headers: Record<string, string> = {}) =>
  (await (await fetch(url, { headers })).json()) as Body

const received = async () => {
  const payments = await chain.paymentsTo(chain.wallets.platform.address)
  return payments.reduce((sum, each) => sum + each, 0n)
}

describe.each([
  ['a facilitator in process', inProcess],
  ['a remote facilitator', () => remoteFacilitator({ url: server.url })],
] as const)('with %s', (_, facilitator) => {
  let host: Awaited<ReturnType<typeof startHost>>
  let shop: Shop

  beforeAll(async () => {
    host = await startHost(facilitator())
    shop = host.shop
  })

  it.each(['text/markdown', 'application/json', 'text/toon'])('@x402/fetch buys a page as %s', async (accept) => {
    const { client, wallet, spent } = await buyer()
    const before = await received()
    const response = await wrapFetchWithPayment(fetch, client)(`${host.url}${shop.paid}`, { headers: { accept } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(accept)
    expect(await response.text()).toContain(SECRET_WORD)
    const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(settled).toMatchObject({ success: true, network: 'eip155:84532', amount: '10000' })
    expect(settled.payer?.toLowerCase()).toBe(wallet.address.toLowerCase())
    expect(await spent()).toBe(10_000n)
    expect((await received()) - before).toBe(10_000n)
  })

  it('@x402/axios buys a page', async () => {
    const { client, spent } = await buyer()
    // The newest @x402/axios is built on an older core, whose client class only differs in private members.
    const older = client as unknown as Parameters<typeof wrapAxiosWithPayment>[1]
    const response = await wrapAxiosWithPayment(axios.create(), older).get(`${host.url}${shop.paid}`)
    expect(response.status).toBe(200)
    expect(JSON.stringify(response.data)).toContain(SECRET_WORD)
    expect(await spent()).toBe(10_000n)
  })

  it('serves a returning buyer without another payment, and returns the receipt of the sale', async () => {
    const { client, spent } = await buyer()
    const { headers } = await signUp(host.app)
    const pay = wrapFetchWithPayment(fetch, client)
    const first = await pay(`${host.url}${shop.paid}`, { headers })
    const cookie = first.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const again = await fetch(`${host.url}${shop.paid}`, { headers: { cookie } })
    expect(again.status).toBe(200)
    expect(await spent()).toBe(10_000n)

    const [receipt] = (await read<{ data: Receipt[] }>(`${host.url}/eep/payment/receipts`, headers)).data
    expect(receipt).toMatchObject({
      rail: 'x402',
      amount: { atomic: '10000', decimal: '0.01' },
      payer_network: 'eip155:84532',
    })
    const { gate_hit_at: hit = '', paid_at: paid = '' } = receipt?.timeline ?? {}
    expect(Date.parse(hit)).toBeLessThanOrEqual(Date.parse(paid))
    const jwks = await read<JSONWebKeySet>(`${host.url}/.well-known/jwks.json`)
    const { payload } = await compactVerify(receipt?.signature ?? '', createLocalJWKSet(jwks))
    expect(JSON.parse(new TextDecoder().decode(payload)).receipt_id).toBe(receipt?.receipt_id)
  })
})

describe('older official clients', () => {
  it.each([
    ['@x402/fetch 2.0', () => import('x402-fetch-2-0')],
    ['@x402/fetch 2.11', () => import('x402-fetch-2-11')],
  ])('%s buys a page', async (_, load) => {
    const host = await startHost(inProcess())
    // Each version takes the client of the core that it was released with.
    const { wrapFetchWithPayment: wrap } = (await load()) as unknown as {
      wrapFetchWithPayment: typeof wrapFetchWithPayment
    }
    const { client, spent } = await buyer()
    const response = await wrap(fetch, client)(`${host.url}${host.shop.paid}`, { method: 'GET' })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(SECRET_WORD)
    expect(await spent()).toBe(10_000n)
  })
})

describe('a payment that is refused', () => {
  it.each([
    ['@x402/fetch', () => import('@x402/fetch')],
    ['@x402/fetch 2.0', () => import('x402-fetch-2-0')],
    ['@x402/fetch 2.11', () => import('x402-fetch-2-11')],
  ])('reaches %s with its reason', async (_, load) => {
    const host = await startHost(inProcess())
    // Each version takes the client of the core that it was released with.
    const { wrapFetchWithPayment: wrap } = (await load()) as unknown as {
      wrapFetchWithPayment: typeof wrapFetchWithPayment
    }
    const { client, wallet } = await buyer()
    await chain.drain(wallet)
    const response = await wrap(fetch, client)(`${host.url}${host.shop.paid}`, { method: 'GET' })
    expect(response.status).toBe(402)
    const errorReason = 'invalid_exact_evm_insufficient_balance'
    expect(decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')).toMatchObject({
      success: false,
      errorReason,
      network: 'eip155:84532',
    })
    expect(JSON.parse(await response.text()).error.message).toContain(errorReason)
  })
})

describe('with a facilitator that fails', () => {
  let host: Awaited<ReturnType<typeof startHost>>

  beforeAll(async () => {
    host = await startHost(remoteFacilitator({ url: server.url, timeoutMs: 800 }), { settleTimeoutMs: 1_000 })
  })

  /** Pays by the official client, and repeats the identical request while the outcome is not known. */
  async function persist(client: x402Client) {
    let headers: Headers | undefined
    const spy: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      if (request.headers.has('payment-signature')) headers = request.headers
      return fetch(request)
    }
    let response = await wrapFetchWithPayment(spy, client)(`${host.url}${host.shop.paid}`)
    const statuses = [response.status]
    while (response.status === 503) {
      expect(await response.text()).not.toContain(SECRET_WORD)
      expect(response.headers.get('payment-required')).toBeNull()
      await sleep(150)
      response = await fetch(`${host.url}${host.shop.paid}`, { headers: headers ?? {} })
      statuses.push(response.status)
    }
    return { response, statuses }
  }

  it.each([
    ['late', () => ({ late: sleep(1_500) })],
    ['later still', () => ({ pending: sleep(1_200) })],
    ['twice', 'twice'],
    ['by breaking the connection after settling', 'drop_after'],
    ['by breaking the connection before settling', 'drop_before'],
    ['with 502 after settling', 'error_after'],
    ['with 500 before settling', 'error_before'],
    ['with a redirect', 'redirect'],
    ['that it failed, although it settled', 'failed_after'],
    ['success, although it did not settle', 'false_success'],
    ['without end', 'endless'],
  ] as const)('that responds with %s serves the page for one payment', async (_, fault) => {
    const { client, spent } = await buyer()
    server.fail(typeof fault === 'function' ? fault() : fault)
    const { response } = await persist(client)
    server.heal()
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(SECRET_WORD)
    expect(await spent()).toBe(10_000n)
  })

  it('that cannot be reached serves nothing and spends nothing', async () => {
    const away = await startHost(remoteFacilitator({ url: 'http://127.0.0.1:9', timeoutMs: 300 }))
    const { client, spent } = await buyer()
    const response = await wrapFetchWithPayment(fetch, client)(`${away.url}${away.shop.paid}`)
    expect([402, 503]).toContain(response.status)
    expect(await response.text()).not.toContain(SECRET_WORD)
    expect(await spent()).toBe(0n)
  })
})

describe('fifty concurrent copies of one authorization', () => {
  it('settle once and all get the page', async () => {
    const host = await startHost(inProcess())
    const { client, spent } = await buyer()
    const unpaid = await fetch(`${host.url}${host.shop.paid}`)
    const required = JSON.parse(Buffer.from(unpaid.headers.get('payment-required') ?? '', 'base64').toString())
    const payload = await client.createPaymentPayload(required)
    const headers = { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64') }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${host.url}${host.shop.paid}`, { headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(await spent()).toBe(10_000n)
  })
})
