import { localFacilitator, x402Rail } from '@eep/payments-x402'
import { type LocalChain, startLocalChain } from '@eep/payments-x402/testing'
import { wrapAxiosWithPayment } from '@x402/axios'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch'
import axios from 'axios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPaidRoutes, RENDERED } from '../support/paid-routes.ts'

// The official clients, unmodified, at routes of other methods than GET.

let chain: LocalChain
let test: Awaited<ReturnType<typeof openPaidRoutes>>
let url: string
const price = { amount: 0.01, currency: 'usdc', per: 'request' } as const

beforeAll(async () => {
  chain = await startLocalChain()
  const network = 'base-sepolia'
  const { rpcUrl, wallets } = chain
  const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
  const rail = x402Rail({ network, rpcUrl, payTo: wallets.platform.address, facilitator })
  test = await openPaidRoutes(
    { 'POST /before': { price }, 'POST /after': { price, charge: 'after' }, 'PUT /put': { price } },
    { payments: { rails: [rail], settlementLeaseMs: 500 } },
  )
  url = await test.app.listen({ port: 0 })
})
afterAll(async () => {
  test.app.server.closeAllConnections()
  await test.close()
  await chain.stop()
})

/** The official client with a fresh wallet, as its documentation shows it. */
async function buyer(funds = 1_000_000n) {
  const wallet = await chain.newPayer(funds)
  const client = new x402Client().register('eip155:84532', new ExactEvmScheme(wallet.account))
  return { wallet, client, spent: async () => funds - (await chain.balanceOf(wallet.address)) }
}

const request = (method: string, body: unknown) => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

describe('@x402/fetch', () => {
  it.each([
    ['POST', '/before'],
    ['POST', '/after'],
    ['PUT', '/put'],
  ])('%s %s is paid once', async (method, path) => {
    const { client, spent } = await buyer()
    const response = await wrapFetchWithPayment(fetch, client)(`${url}${path}`, request(method, { text: path }))
    expect([response.status, await response.json()]).toMatchObject([200, { result: RENDERED }])
    const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(settled).toMatchObject({ success: true, network: 'eip155:84532', amount: '10000' })
    expect(await spent()).toBe(10_000n)
  })

  it('pays nothing for a request that is charged after an answer that was not sold', async () => {
    test.renderer.on('/after', (_request, reply) => reply.code(422).send({ wrong: true }))
    const { client, spent } = await buyer()
    const response = await wrapFetchWithPayment(fetch, client)(`${url}/after`, request('POST', { text: 'wrong' }))
    expect([response.status, await spent()]).toEqual([422, 0n])
    test.renderer.on('/after', () => ({ result: RENDERED }))
  })

  it('gets nothing from a wallet that is emptied while the handler works', async () => {
    const { client, wallet } = await buyer()
    test.renderer.on('/after', async () => {
      await chain.drain(wallet)
      return { result: RENDERED }
    })
    const response = await wrapFetchWithPayment(fetch, client)(`${url}/after`, request('POST', { text: 'emptied' }))
    expect([response.status, (await response.text()).includes(RENDERED)]).toEqual([402, false])
    test.renderer.on('/after', () => ({ result: RENDERED }))
  })

  it('has parallel requests of one wallet answered at the same time', async () => {
    const { client, spent } = await buyer()
    const pay = wrapFetchWithPayment(fetch, client)
    const texts = Array.from({ length: 8 }, (_, index) => `${index}`)
    const answers = await Promise.all(texts.map((text) => pay(`${url}/before`, request('POST', { text }))))
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200))
    expect(await spent()).toBe(80_000n)
  })
})

it('@x402/axios pays for a POST', async () => {
  const { client, spent } = await buyer()
  // The newest @x402/axios is built on an older core, whose client class only differs in private members.
  const older = client as unknown as Parameters<typeof wrapAxiosWithPayment>[1]
  const response = await wrapAxiosWithPayment(axios.create(), older).post(`${url}/before`, { text: 'by axios' })
  expect([response.status, response.data.result, await spent()]).toEqual([200, RENDERED, 10_000n])
})
