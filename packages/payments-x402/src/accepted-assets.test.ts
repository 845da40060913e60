import type { JsonObject } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFacilitator } from './local-facilitator.ts'
import { createBench, outcomeOf, purchaseOf } from './testing/bench.ts'
import type { LocalChain, TestToken } from './testing/index.ts'
import { encodeHeader, signPayment, startLocalChain } from './testing/index.ts'
import { type X402RailOptions, x402Rail } from './x402-rail.ts'

let chain: LocalChain
let euro: Awaited<ReturnType<LocalChain['newToken']>>
let other: LocalChain

beforeAll(async () => {
  chain = await startLocalChain()
  euro = await chain.newToken({ currencies: { eur: '1', usd: '0.92' } })
  other = await startLocalChain({ network: 'base' })
})
afterAll(() => Promise.all([chain.stop(), other.stop()]))

const facilitatorOf = ({ network, rpcUrl, wallets }: LocalChain) =>
  localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })

/** A rail for USDC and EURC on one chain, and for USDC on another. */
function open(options: Partial<X402RailOptions> = {}) {
  const receiver = other.wallets.seller.address
  const also = [
    { network: chain.network, asset: euro.asset },
    { network: other.network, rpcUrl: other.rpcUrl, facilitator: facilitatorOf(other), payTo: receiver },
  ]
  const bench = createBench(chain, { also, ...options })
  const offers = async (changes: Parameters<typeof purchaseOf>[0] = {}): Promise<readonly JsonObject[]> => {
    const made = await bench.rail.offer(purchaseOf(changes))
    return made ? [...(made.accept ? [made.accept] : []), ...(made.alternatives ?? [])] : []
  }
  /** Buys with the offer at an index, signed by the given wallet. */
  const buy = async (
    at: number,
    price = { amount: '0.01', currency: 'usd' },
    signed?: (accept: JsonObject) => JsonObject,
  ) => {
    const purchase = purchaseOf({ price })
    const accept = (await offers({ price }))[at] ?? {}
    const from = accept.network === other.network ? other.wallets.payer : chain.wallets.payer
    const credential = bench.read(await signPayment(signed?.(accept) ?? accept, from))
    if (!bench.rail.matches(credential, purchase)) throw new Error('made for nothing that is sold here')
    const checkpoint = await bench.rail.verify(credential, purchase)
    return bench.rail.settle(credential, purchase, checkpoint)
  }
  return { ...bench, offers, buy }
}

const received = async (token: TestToken, to: `0x${string}`) =>
  (await token.paymentsTo(to)).reduce((sum, each) => sum + each, 0n)

describe('a rail of several networks and tokens', () => {
  it('offers each asset of the currency as a separate entry, in the configured order', async () => {
    const { offers, rail } = open()
    const named = async (currency: string) =>
      (await offers({ price: { amount: '0.01', currency } })).map(({ network, asset, amount }) => [
        network,
        asset,
        amount,
      ])
    const usdc = [chain.network, chain.token, '10000']
    expect(await named('usd')).toEqual([
      usdc,
      [chain.network, euro.asset.address, '9200'],
      [other.network, other.token, '10000'],
    ])
    expect(await named('usdc')).toEqual([usdc, [other.network, other.token, '10000']])
    expect(await named('eur')).toEqual([[chain.network, euro.asset.address, '10000']])
    expect(await named('gbp')).toEqual([])
    const limit = { minimum: '0.000001', decimals: 6 }
    const ofDollars = { currencies: ['usd', 'usdc'], limits: { usd: limit, usdc: limit } }
    expect(rail.info?.accepts).toEqual([
      { network: chain.network, asset: chain.token, ...ofDollars },
      // Dollars are converted, so that any price in them can be paid.
      { network: chain.network, asset: euro.asset.address, currencies: ['eur', 'usd'], limits: { eur: limit } },
      { network: other.network, asset: other.token, ...ofDollars },
    ])
  })

  it('accepts each token, and records the asset of the payment', async () => {
    await euro.mint(chain.wallets.payer.address, 1_000_000n)
    const { buy, receiver } = open()
    expect(await buy(0)).toMatchObject({ network: chain.network, amount: { asset: chain.token, currency: 'usd' } })
    expect(await buy(1)).toMatchObject({
      network: chain.network,
      amount: { asset: euro.asset.address, atomic: '9200', decimal: '0.0092', currency: 'eur' },
    })
    expect(await buy(2)).toMatchObject({ network: other.network, amount: { asset: other.token, currency: 'usd' } })
    expect(await received(chain, receiver)).toBe(10_000n)
    expect(await received(euro, receiver)).toBe(9_200n)
    expect(await received(other, other.wallets.seller.address)).toBe(10_000n)
  })

  it('takes no payment in one token for the price in another', async () => {
    const { buy, receiver } = open()
    const usdc = (accept: JsonObject) => ({ ...accept, asset: chain.token, extra: { name: 'USDC', version: '2' } })
    await expect(buy(1, undefined, usdc)).rejects.toThrow('made for nothing')
    // Signed for one token and said to be in another.
    const said = { amount: '0.01', currency: 'eur' }
    const purchase = purchaseOf({ price: said })
    const { offers, rail, read } = open({ payTo: receiver })
    const [accept = {}] = await offers({ price: said })
    const signed = await signPayment(accept, chain.wallets.payer, { domain: { address: chain.token, name: 'USDC' } })
    expect(await outcomeOf(Promise.resolve(rail.verify(read(signed), purchase)))).toBe(
      'refused: invalid_exact_evm_signature',
    )
    expect(await received(chain, receiver)).toBe(0n)
  })

  it('keeps one authorization of two tokens apart', async () => {
    const { offers, read } = open()
    const [usdc = {}, eurc = {}] = await offers()
    const nonce = `0x${'ab'.repeat(32)}`
    const ids = await Promise.all(
      [usdc, eurc].map(
        async (accept) => read(await signPayment(accept, chain.wallets.payer, { authorization: { nonce } })).id,
      ),
    )
    expect(new Set(ids).size).toBe(2)
  })

  it('sells on the network that a seller names, and sends no money to an address of another network', async () => {
    const { offers } = open()
    const on = async (networks: readonly string[]) => (await offers({ networks })).map(({ network }) => network)
    expect(await on([other.network])).toEqual([other.network])
    expect(await on(['eip155:1'])).toEqual([])
    const { offers: without } = open({ also: [{ network: 'base', facilitator: facilitatorOf(other) }] })
    expect((await without()).map(({ network }) => network)).toEqual([chain.network])
    const payTo = { [other.network]: other.wallets.platform.address }
    expect((await without({ payTo })).map(({ network }) => network)).toEqual([chain.network, other.network])
  })

  it('does not claim payments on other networks, and reports a payment as unknown after its asset was removed', async () => {
    const { offers, rail } = open()
    const [, eurc = {}] = await offers()
    const header = { paymentSignature: encodeHeader(await signPayment(eurc, chain.wallets.payer)) }
    const credential = rail.read(header)
    const { rail: smaller } = createBench(chain)
    expect(smaller.read(header)).toBeUndefined()
    if (!credential) throw new Error('not read')
    expect(await outcomeOf(smaller.recover(credential, purchaseOf(), {}))).toBe('unknown')
  })

  it('is ready when every chain, token and facilitator is the configured one', async () => {
    await expect(open().rail.ping?.()).resolves.toBeUndefined()
    const wrong = { ...euro.asset, name: 'Euro' }
    await expect(open({ also: [{ network: chain.network, asset: wrong }] }).rail.ping?.()).rejects.toThrow('Euro')
    const elsewhere = [{ network: other.network, rpcUrl: other.rpcUrl }]
    await expect(open({ also: elsewhere }).rail.ping?.()).rejects.toThrow(
      `does not settle the exact scheme on ${other.network}`,
    )
  })

  it('refuses a configuration that cannot work, by naming what is wrong', () => {
    const { network, rpcUrl } = chain
    const facilitator = facilitatorOf(chain)
    const make = (options: Partial<X402RailOptions>) => () => x402Rail({ network, rpcUrl, facilitator, ...options })
    expect(make({ also: [{ network: 'base-sepolia' }] })).toThrow('listed twice')
    expect(make({ also: [{ network: 'solana' }] })).toThrow('network solana')
    expect(make({ also: [{ network: 'base', payTo: '0x1' }] })).toThrow('payTo 0x1')
    for (const rate of ['0', '0.0', '-1', '1e3', '.5', '1/2', '']) {
      expect(make({ asset: { ...euro.asset, currencies: { usd: rate } } })).toThrow('is not valid; use a decimal')
    }
    expect(make({ asset: { ...euro.asset, currencies: [] } })).toThrow('at least one')
  })
})
