import type { JsonObject, Purchase } from '@eep/core/ports'
import { x402Client } from '@x402/core/client'
import { x402Facilitator } from '@x402/core/facilitator'
import {
  decodePaymentResponseHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http'
import { parsePaymentPayload, parsePaymentRequired } from '@x402/core/schemas'
import { HTTPFacilitatorClient } from '@x402/core/server'
import type { PaymentRequired } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as ClientScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator'
import { wrapFetchWithPayment } from '@x402/fetch'
import { createWalletClient, http, publicActions } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Facilitator, Network, SupportedResponse } from './facilitator.ts'
import { createBench, outcomeOf, purchaseOf } from './testing/bench.ts'
import { startHttpServer } from './testing/http-server.ts'
import type { FacilitatorServer, LocalChain } from './testing/index.ts'
import { contractSignature, startFacilitator, startLocalChain } from './testing/index.ts'

// The rail against the official packages: their client pays our offers, their facilitator settles for us, and their
// server side can use ours.

let chain: LocalChain
let server: FacilitatorServer
beforeAll(async () => {
  chain = await startLocalChain()
  server = await startFacilitator({ chain })
})
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

/** The whole 402 as core sends it around our entry. */
// Offers are JSON in the port.
const paymentRequired = (accepts: readonly JsonObject[]): PaymentRequired => ({
  x402Version: 2,
  resource: { url: 'https://id.example/a', description: '', mimeType: 'text/markdown' },
  accepts: accepts as unknown as PaymentRequired['accepts'],
})

/** An agent with the official client, no setting changed. */
async function payWithOfficialClient(...accepts: readonly JsonObject[]): Promise<string> {
  const client = new x402Client().register('eip155:*', new ClientScheme(chain.wallets.payer.account))
  const payload = await client.createPaymentPayload(paymentRequired(accepts))
  expect(parsePaymentPayload(payload).success).toBe(true)
  return encodePaymentSignatureHeader(payload)
}

function officialFacilitator(): Facilitator {
  const { account } = chain.wallets.thirdParty
  const wallet = createWalletClient({ account, chain: chain.client.chain, transport: http(chain.rpcUrl) }).extend(
    publicActions,
  )
  // The library and viem type the arguments of `verifyTypedData` differently.
  const signer = toFacilitatorEvmSigner({ ...wallet, address: account.address } as never)
  const facilitator = new x402Facilitator().register('eip155:84532', new FacilitatorScheme(signer))
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => facilitator.getSupported() as SupportedResponse,
  }
}

async function buy({ rail }: ReturnType<typeof createBench>, header: string, purchase: Purchase = purchaseOf()) {
  const credential = rail.read({ paymentSignature: header })
  if (!credential || !rail.matches(credential, purchase)) throw new Error('not for this purchase')
  return rail.settle(credential, purchase, await rail.verify(credential, purchase))
}

describe('the official client', () => {
  it('takes our offer for a valid one', async () => {
    const offer = await createBench(chain).offer()
    expect(parsePaymentRequired(paymentRequired([offer])).success).toBe(true)
  })

  it('pays it as it is', async () => {
    const bench = createBench(chain)
    expect(await buy(bench, await payWithOfficialClient(await bench.offer()))).toMatchObject({
      amount: { atomic: '10000' },
    })
    expect(await bench.received()).toEqual([10_000n])
  })

  it('pays an offer that follows one of an unknown rail', async () => {
    const bench = createBench(chain)
    const card = {
      scheme: 'mpp',
      network: 'stripe:us',
      asset: 'usd',
      amount: '1',
      payTo: 'acct',
      maxTimeoutSeconds: 60,
      extra: {},
    }
    await buy(bench, await payWithOfficialClient(card, await bench.offer()))
    expect(await bench.received()).toEqual([10_000n])
  })

  it('brings back which of two offers of one price it took', async () => {
    const bench = createBench(chain)
    const [reader, patron] = [purchaseOf(), purchaseOf({ tier: 'patron', per: 'day' })]
    const header = await payWithOfficialClient(await bench.offer(patron), await bench.offer(reader))
    await expect(buy(bench, header, reader)).rejects.toThrow('not for this purchase')
    await buy(bench, header, patron)
    expect(await bench.received()).toEqual([10_000n])
  })
})

describe('the official fetch', () => {
  it('pays its way through a 402 and gets the content', async () => {
    const bench = createBench(chain)
    const seen: string[] = []
    const gate = await startHttpServer(async ({ headers, url }, _body, response) => {
      const header = headers['payment-signature']
      seen.push(`${url} ${headers.accept}`)
      if (typeof header !== 'string') {
        const required = encodePaymentRequiredHeader(paymentRequired([await bench.offer()]))
        response.writeHead(402, { 'PAYMENT-REQUIRED': required }).end('# Payment required')
        return
      }
      const { transaction = '', network } = await buy(bench, header)
      const answer = encodePaymentResponseHeader({ success: true, transaction, network: network as Network })
      response.writeHead(200, { 'PAYMENT-RESPONSE': answer }).end('# The page')
    })
    const client = new x402Client().register('eip155:*', new ClientScheme(chain.wallets.payer.account))
    const paidFetch = wrapFetchWithPayment(fetch, client)
    const answer = await paidFetch(`${gate.url}/a?b=c`, { headers: { accept: 'text/markdown' } })
    expect([answer.status, await answer.text()]).toEqual([200, '# The page'])
    expect(decodePaymentResponseHeader(answer.headers.get('PAYMENT-RESPONSE') ?? '')).toMatchObject({ success: true })
    expect(seen).toEqual(['/a?b=c text/markdown', '/a?b=c text/markdown'])
    expect(await bench.received()).toEqual([10_000n])
    await gate.stop()
  })
})

describe('the official facilitator', () => {
  it('settles for our rail, in process', async () => {
    const bench = createBench(chain, { facilitator: officialFacilitator() })
    await bench.rail.ping?.()
    expect(await outcomeOf((await bench.verified()).settle())).toBe('settled')
    expect(await bench.received()).toEqual([10_000n])
  })

  it('settles for our rail without a chain to ask, and refuses what is wrong', async () => {
    const bench = createBench(chain, { facilitator: officialFacilitator(), rpcUrl: undefined })
    expect(await outcomeOf((await bench.verified()).settle())).toBe('settled')
    expect(await bench.received()).toEqual([10_000n])
    const poor = await bench.present(await chain.newPayer(0n))
    expect(await outcomeOf(bench.verify(poor))).toBe('refused: invalid_exact_evm_insufficient_balance')
    const spent = await bench.present()
    await chain.submit(spent.signed.payload)
    expect(await outcomeOf(bench.verify(spent))).toBe('refused: invalid_exact_evm_nonce_already_used')
  })

  it('refuses an authorization that was spent in the meantime, as the chain shows', async () => {
    const bench = createBench(chain, { facilitator: officialFacilitator() })
    const { settle, signed } = await bench.verified()
    const transaction = await chain.submit(signed.payload)
    expect(await settle()).toMatchObject({ transaction })
  })

  it('takes the signature of a contract wallet', async () => {
    const bench = createBench(chain, { facilitator: officialFacilitator() })
    const wallet = await chain.newContractWallet(chain.wallets.seller)
    expect(await outcomeOf((await bench.verified(wallet, { signature: contractSignature })).settle())).toBe('settled')
  })
})

describe('the official client of facilitators', () => {
  it('settles for our rail through a facilitator of ours', async () => {
    const facilitator: Facilitator = new HTTPFacilitatorClient({ url: server.url })
    const bench = createBench(chain, { facilitator })
    await bench.rail.ping?.()
    expect(await outcomeOf((await bench.verified()).settle())).toBe('settled')
    const payer = await chain.newPayer()
    const drained = await bench.verified(payer)
    await chain.drain(payer)
    expect(await outcomeOf(drained.settle())).toBe('refused: invalid_exact_evm_insufficient_balance')
    expect(await bench.received()).toEqual([10_000n])
  })
})
