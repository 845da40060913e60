import { setTimeout as sleep } from 'node:timers/promises'
import { paymentRailContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFacilitator } from './local-facilitator.ts'
import { remoteFacilitator } from './remote-facilitator.ts'
import { createBench, outcomeOf, purchaseOf } from './testing/bench.ts'
import type { FacilitatorFault, LocalChain } from './testing/index.ts'
import { contractSignature, encodeHeader, signPayment, startFacilitator, startLocalChain } from './testing/index.ts'
import { x402Rail } from './x402-rail.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

/** Failures of a facilitator, each for one call of `settle`. */
const LIES = [
  'twice',
  'drop_before',
  'drop_after',
  'error_before',
  'error_after',
  'failed_before',
  'failed_after',
  'redirect',
  'redirect_after',
  'wrong_amount_after',
  'endless',
] as const satisfies readonly FacilitatorFault[]

paymentRailContract(vitest, async () => {
  const server = await startFacilitator({ chain })
  const [patient, hasty] = [120_000, 200].map((timeoutMs) => remoteFacilitator({ url: server.url, timeoutMs }))
  if (!patient || !hasty) throw new Error('two facilitators')
  let isHasty = false
  const settle: typeof patient.settle = (...request) => {
    const { settle } = isHasty ? hasty : patient
    isHasty = false
    return settle(...request)
  }
  const facilitator = { ...patient, settle }
  const { reference: otherTransaction } = await (await createBench(chain).verified()).settle()
  const seller = await chain.newPayer(20_000n)
  const receiver = seller.address
  const { rail } = createBench(chain, { facilitator, payTo: receiver })
  const transfer = (to: string, atomic: bigint) => chain.transfer(seller, to as `0x${string}`, atomic)
  const earlier = await transfer(chain.wallets.payer.address, 10_000n)
  const sign = async (accept: Parameters<typeof signPayment>[0], value?: string) => ({
    paymentSignature: encodeHeader(
      await signPayment(accept, chain.wallets.payer, { authorization: value === undefined ? {} : { value } }),
    ),
  })
  return {
    rail,
    purchase: purchaseOf(),
    pay: ({ accept = {} }) => sign(accept),
    underpay: ({ accept = {} }) => sign(accept, '9999'),
    async payTwice({ accept = {} }) {
      const payer = await chain.newPayer(15_000n)
      const pay = async () => ({ paymentSignature: encodeHeader(await signPayment(accept, payer)) })
      return [await pay(), await pay()]
    },
    broken: [{ paymentSignature: 'e30' }, { paymentSignature: '' }],
    taken: async () => (await chain.paymentsTo(receiver)).reduce((sum, value) => sum + value, 0n),
    loseAnswer: () => server.fail('drop_after'),
    lies: {
      ...Object.fromEntries(LIES.map((fault) => [JSON.stringify(fault), () => server.fail(fault)])),
      'settles and never answers': () => {
        isHasty = true
        server.fail({ late: new Promise(() => {}) })
      },
      'settles after answering "pending"': () => server.fail({ pending: sleep(50) }),
      'names the payment of another payer': () => server.fail({ otherTransaction }),
      'three lost answers': () => server.fail('drop_after', 'error_after', 'endless'),
      'a lost call, then a lost answer': () => server.fail('drop_before', 'drop_after'),
    },
    refunds: {
      giveBack: ({ payer }) => transfer(payer.wallet, 10_000n),
      wrong: {
        'another amount': ({ payer }) => transfer(payer.wallet, 9_999n),
        'more than was paid': ({ payer }) => transfer(payer.wallet, 10_001n),
        'another payer': () => transfer(chain.wallets.otherPayer.address, 10_000n),
        'another sender': ({ payer }) =>
          chain.transfer(chain.wallets.otherPayer, payer.wallet as `0x${string}`, 10_000n),
        'another asset': async ({ payer }) => {
          const slips = await chain.newToken()
          await slips.mint(receiver, 10_000n)
          return slips.transfer(seller, payer.wallet as `0x${string}`, 10_000n)
        },
        'an earlier transfer': () => earlier,
        'a purchase by the seller from the payer': async ({ payer }) => {
          const { accept = {} } = (await rail.offer(purchaseOf())) ?? {}
          const bought = await signPayment({ ...accept, payTo: payer.wallet }, seller)
          return chain.submit(bought.payload)
        },
        'no transaction hash': () => 'paid back in cash',
      },
      unseen: `0x${'ab'.repeat(32)}`,
    },
    another: async () => createBench(chain, { payTo: receiver }).rail,
    close: server.stop,
  }
})

describe('x402 rail', () => {
  it('reports the settlement as the chain shows it', async () => {
    const { verified, receiver, received } = createBench(chain)
    const payment = await verified()
    const settlement = await payment.settle()
    expect(settlement).toMatchObject({
      reference: settlement.transaction,
      network: 'eip155:84532',
      amount: { atomic: '10000', decimal: '0.01', asset: chain.token, currency: 'usd' },
      payer: { wallet: chain.wallets.payer.address.toLowerCase(), network: 'eip155:84532' },
    })
    expect(Math.floor(settlement.settledAt.getTime() / 1000)).toBe(await chain.now())
    expect(await chain.balanceOf(receiver)).toBe(10_000n)
    expect(await received()).toEqual([10_000n])
  })

  it('confirms each refund of a transaction that refunds several payers', async () => {
    const seller = await chain.newPayer(20_000n)
    const { rail, verified } = createBench(chain, { payTo: seller.address })
    const payers = [chain.wallets.payer, chain.wallets.otherPayer]
    const settlements = []
    for (const payer of payers) settlements.push(await (await verified(payer)).settle())
    const reference = await chain.transferTogether(
      seller,
      payers.map(({ address }) => ({ to: address, atomic: 10_000n })),
    )
    const proofs = await Promise.all(
      settlements.map(({ reference: paid, transaction = null, network, amount, payer }) =>
        rail.verifyRefund?.({
          reference,
          settlement: { ...amount, reference: paid, transaction, network, payerWallet: payer.wallet },
        }),
      ),
    )
    expect(proofs.map((proof) => proof?.is)).toEqual(['proven', 'proven'])
    expect(new Set(proofs.map((proof) => proof?.is === 'proven' && proof.key)).size).toBe(2)
  })

  it('accepts variants of clients: lower-case addresses, no extra, v as 0 or 1', async () => {
    const { verified, offer, received } = createBench(chain)
    const { extra: _, ...accepted } = await offer()
    const lower = { ...accepted, asset: chain.token.toLowerCase(), payTo: String(accepted.payTo).toLowerCase() }
    const zeroOne = (signature: string) => signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01')
    const payment = await verified(chain.wallets.payer, { accepted: lower, signature: zeroOne })
    expect(await outcomeOf(payment.settle())).toBe('settled')
    expect(await received()).toEqual([10_000n])
  })

  it('accepts the signature of the owner of a contract wallet, and of no other key', async () => {
    const { verified, present, verify, received } = createBench(chain)
    const wallet = await chain.newContractWallet(chain.wallets.seller)
    const payment = await verified(wallet, { signature: contractSignature })
    expect(await outcomeOf(payment.settle())).toBe('settled')
    expect(await received()).toEqual([10_000n])

    const forged = await present(
      { ...chain.wallets.thirdParty, address: wallet.address },
      { signature: contractSignature },
    )
    expect(await outcomeOf(verify(forged))).toBe('refused: invalid_exact_evm_signature')
  })

  it('refuses a wallet that is not deployed', async () => {
    const { present, verify } = createBench(chain)
    const undeployed = await present(await chain.newPayer(), { signature: (plain) => `${plain}${'6492'.repeat(16)}` })
    expect(await outcomeOf(verify(undeployed))).toBe('refused: eip6492_factory_not_allowed')
  })

  it('asks the facilitator again 30 seconds after a successful ping', async () => {
    let later = 0
    let isDown = false
    const own = localFacilitator({
      network: chain.network,
      rpcUrl: chain.rpcUrl,
      privateKey: chain.wallets.facilitator.privateKey,
    })
    const facilitator = {
      ...own,
      getSupported: () => (isDown ? Promise.reject(new Error('it is down')) : own.getSupported()),
    }
    const { rail } = createBench(chain, { facilitator, now: () => new Date(Date.now() + later) })
    await rail.ping?.()
    isDown = true
    await rail.ping?.()
    later = 30_000
    await expect(rail.ping?.()).rejects.toThrow('it is down')
  })

  it('rejects the ping when token, chain or facilitator is not the configured one', async () => {
    const { network, rpcUrl, wallets, token } = chain
    const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
    const misnamed = { address: token, name: 'USD Coin', version: '2', decimals: 6 }
    await expect(x402Rail({ network, rpcUrl, facilitator, asset: misnamed }).ping?.()).rejects.toThrow(
      'DOMAIN_SEPARATOR',
    )
    const noToken = { ...misnamed, address: wallets.seller.address }
    await expect(x402Rail({ network, rpcUrl, facilitator, asset: noToken }).ping?.()).rejects.toThrow('EIP-3009')
    await expect(x402Rail({ network: 'base', rpcUrl, facilitator }).ping?.()).rejects.toThrow('serves chain 84532')
    await expect(x402Rail({ network: 'base', facilitator }).ping?.()).rejects.toThrow('does not settle')
    await expect(x402Rail({ network, rpcUrl, facilitator }).ping?.()).resolves.toBeUndefined()
  })

  it('refuses an invalid configuration, and names the problem', () => {
    const { network, rpcUrl, wallets } = chain
    const { privateKey } = wallets.facilitator
    const facilitator = localFacilitator({ network, rpcUrl, privateKey })
    expect(() => x402Rail({ network: 'solana', facilitator })).toThrow('network solana')
    expect(() => x402Rail({ network, facilitator, asset: wallets.seller.address })).toThrow(
      'name, version and decimals',
    )
    expect(() => x402Rail({ network: 'eip155:10', facilitator })).toThrow('name, version and decimals')
    expect(() => x402Rail({ network, facilitator, payTo: '0x1' })).toThrow('payTo 0x1')
    expect(() => x402Rail({ network, facilitator, maxTimeoutSeconds: 60 })).toThrow('maxTimeoutSeconds')
    expect(() => localFacilitator({ network, privateKey })).toThrow('rpcUrl or client')
    expect(() => localFacilitator({ network, rpcUrl, privateKey: '0x1' })).toThrow('64 hexadecimal digits')
    expect(() => remoteFacilitator({ url: 'facilitator.example' })).toThrow('the URL of the facilitator')
  })
})
