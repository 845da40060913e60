import { localFacilitator, type X402RailOptions, x402Rail } from '@eep/payments-x402'
import {
  contractSignature,
  encodeHeader,
  type LocalChain,
  signPayment,
  startLocalChain,
  type Wallet,
} from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp, openStorage, type TestStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { decodeHeader, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

// A contract wallet runs its code in the transaction that the operator pays for, from outside.

let chain: LocalChain
let database: TestStorage
let first: Host
let shop: Shop

type Host = Awaited<ReturnType<typeof startHost>>

/** An instance of the service with its own gas key. */
async function startHost(options: Partial<X402RailOptions> = {}) {
  const gasKey = await chain.newPayer(0n)
  await chain.setEther(gasKey.address, 10n ** 18n)
  const network = 'base-sepolia'
  const facilitator = localFacilitator({ network, rpcUrl: chain.rpcUrl, privateKey: gasKey.privateKey })
  const payTo = chain.wallets.platform.address
  const rail = x402Rail({ network, rpcUrl: chain.rpcUrl, payTo, facilitator, ...options })
  const service = await createTestApp({ storage: database.storage, payments: { rails: [rail] } })
  return {
    ...service,
    ...client(service.app),
    sent: () => chain.client.getTransactionCount({ address: gasKey.address }),
  }
}

beforeAll(async () => {
  ;[chain, database] = await Promise.all([startLocalChain(), openStorage()])
  first = await startHost()
  shop = await openShop(first.app, 'contract-shop')
})
afterAll(async () => {
  await first.close()
  await database.close()
  await chain.stop()
})

const sign = async (host: Host, url: string, wallet: Wallet) => {
  const [accept] = decodeHeader(await host.get(url), 'payment-required').accepts
  return { 'payment-signature': encodeHeader(await signPayment(accept, wallet, { signature: contractSignature })) }
}

/** A wallet that confirms payments until the next block. */
async function revertingWallet() {
  const wallet = await chain.newHostileWallet()
  const head = await chain.client.getBlockNumber({ cacheTime: 0 })
  return chain.newHostileWallet({ wallet, honestUntil: head + 2n })
}

async function refusalOf(host: Host, url: string, wallet: Wallet) {
  const answer = await host.get(url, await sign(host, url, wallet))
  expect(answer.statusCode, answer.body).toBe(402)
  expect(answer.body).not.toContain(SECRET_WORD)
  return decodeHeader(answer, 'payment-response').errorReason
}

describe('a contract wallet', () => {
  it('buys a page', async () => {
    const wallet = await chain.newContractWallet(chain.wallets.payer)
    const answer = await first.get(shop.paid, await sign(first, shop.paid, wallet))
    expect([answer.statusCode, answer.body.includes(SECRET_WORD)]).toEqual([200, true])
  })

  it('whose payment reverted is refused by every instance, and nothing more is sent', async () => {
    const wallet = await revertingWallet()
    const before = await first.sent()
    expect(await refusalOf(first, shop.paid, wallet)).toBe('contract_payer_reverted')
    expect(await first.sent()).toBe(before + 1)
    await chain.newHostileWallet({ wallet })
    const second = await startHost()
    try {
      expect(await refusalOf(second, shop.other, wallet)).toBe('contract_payer_reverted')
      expect(await second.sent()).toBe(0)
    } finally {
      await second.close()
    }
  })

  it('whose payment for a year reverted gets no year, and nothing more is sent', async () => {
    const buyer = await signUp(first.app, 'contract-year')
    const wallet = await revertingWallet()
    const before = await first.sent()
    const offer = (await buyer.post('/checkout/start-yearly-usdc?tier=pro')).json()
    const payment = await signPayment(offer.payment_required.accepts[0], wallet, { signature: contractSignature })
    const redeem = () =>
      buyer.post('/checkout/usdc-receipt', { tier: 'pro', challenge: offer.challenge, payment_proof: payment })
    for (const answer of [await redeem(), await redeem()]) {
      expect(answer.statusCode, answer.body).toBe(402)
    }
    expect(await first.sent()).toBe(before + 1)
  })

  it('is refused by a service that switched contract wallets off', async () => {
    const host = await startHost({ contractPayers: false })
    try {
      const wallet = await chain.newContractWallet(chain.wallets.payer)
      expect(await refusalOf(host, shop.other, wallet)).toBe('contract_payers_not_accepted')
    } finally {
      await host.close()
    }
  })
})
