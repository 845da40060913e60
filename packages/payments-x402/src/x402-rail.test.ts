import type { Purchase } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFacilitator } from './local-facilitator.ts'
import type { LocalChain } from './testing/index.ts'
import { encodeHeader, signPayment, startLocalChain } from './testing/index.ts'
import { x402Rail } from './x402-rail.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

describe('a payment', () => {
  it('is offered, signed, verified and settled', async () => {
    const { rpcUrl, network, wallets } = chain
    const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
    const rail = x402Rail({ network, rpcUrl, facilitator, payTo: wallets.platform.address })
    await rail.ping?.()
    const purchase: Purchase = {
      profileId: 1,
      sellerDid: 'did:web:x',
      resource: 'content.a',
      pattern: 'content.*',
      tier: 'paid',
      per: 'request',
      access: ['content.*'],
      rails: null,
      price: { amount: '0.01', currency: 'usd' },
      shown: { url: 'https://x/a', description: '', mimeType: 'text/markdown' },
      payTo: {},
    }
    const offer = await rail.offer(purchase)
    const accept = offer?.accept
    if (!accept) throw new Error('no offer')
    const paymentSignature = encodeHeader(await signPayment(accept, wallets.payer))
    const credential = rail.read({ paymentSignature })
    if (!credential) throw new Error('no credential')
    expect(rail.matches(credential, purchase)).toBe(true)
    const checkpoint = await rail.verify(credential, purchase)
    const settlement = await rail.settle(credential, purchase, checkpoint)
    expect(await chain.paymentsTo(wallets.platform.address)).toEqual([10000n])
    expect((await rail.recover(credential, purchase, checkpoint)).transaction).toBe(settlement.transaction)
  })
})
