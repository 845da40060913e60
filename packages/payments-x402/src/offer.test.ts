import type { Purchase } from '@eep/core/ports'
import { describe, expect, it } from 'vitest'
import type { Facilitator } from './facilitator.ts'
import { purchaseOf } from './testing/bench.ts'
import { x402Rail } from './x402-rail.ts'

const seller = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const platform = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

const facilitator = {} as Facilitator
const rail = x402Rail({ network: 'base-sepolia', facilitator, payTo: platform })
const offerOf = async (changes: Partial<Purchase>, of = rail) => (await of.offer(purchaseOf(changes)))?.accept

describe('an offer', () => {
  it('is an entry of accepts[] that official clients and wallets can sign', async () => {
    expect(await offerOf({ payTo: { 'eip155:84532': seller }, per: 'month' })).toEqual({
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '10000',
      asset: usdc,
      payTo: seller,
      maxTimeoutSeconds: 120,
      extra: {
        name: 'USDC',
        version: '2',
        eip3009: {
          domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: usdc },
          types: {
            EIP712Domain: [
              { name: 'name', type: 'string' },
              { name: 'version', type: 'string' },
              { name: 'chainId', type: 'uint256' },
              { name: 'verifyingContract', type: 'address' },
            ],
            TransferWithAuthorization: [
              { name: 'from', type: 'address' },
              { name: 'to', type: 'address' },
              { name: 'value', type: 'uint256' },
              { name: 'validAfter', type: 'uint256' },
              { name: 'validBefore', type: 'uint256' },
              { name: 'nonce', type: 'bytes32' },
            ],
          },
          primaryType: 'TransferWithAuthorization',
          message: { to: seller, value: '10000', validAfter: '0' },
        },
        tier: 'reader',
        per: 'month',
      },
    })
  })

  it('is the same every time and keeps the header small', async () => {
    const offer = await offerOf({})
    expect(await offerOf({})).toEqual(offer)
    expect(Buffer.from(JSON.stringify(offer)).toString('base64').length).toBeLessThan(1500)
  })

  it('pays the seller, else the platform, else makes no offer', async () => {
    expect(await offerOf({ payTo: { 'eip155:84532': seller } })).toMatchObject({ payTo: seller })
    expect(await offerOf({ payTo: { 'eip155:8453': seller } })).toMatchObject({ payTo: platform })
    expect(await offerOf({}, x402Rail({ network: 'base', facilitator }))).toBeUndefined()
    expect(await offerOf({ payTo: { 'eip155:84532': 'alice' } })).toBeUndefined()
  })

  it.each([
    ['1', 'usd', '1000000'],
    ['0.01', 'usdc', '10000'],
    ['0.01', 'USD', '10000'],
  ])('asks for %s %s as %s', async (amount, currency, atomic) => {
    expect(await offerOf({ price: { amount, currency } })).toMatchObject({ amount: atomic })
  })

  it.each([
    ['1', 'eur'],
    ['0', 'usd'],
    ['0.0000001', 'usd'],
    ['-1', 'usd'],
    ['free', 'usd'],
  ])('does not exist for %s %s', async (amount, currency) => {
    expect(await offerOf({ price: { amount, currency } })).toBeUndefined()
  })

  it('is made in a token of the host with its own decimals and currency', async () => {
    const asset = { address: seller, name: 'Euro Coin', version: '1', decimals: 2, currencies: ['eur'] }
    const euro = x402Rail({ network: 'eip155:10', asset, facilitator, payTo: platform })
    expect(await offerOf({ price: { amount: '1.50', currency: 'eur' } }, euro)).toMatchObject({
      amount: '150',
      asset: seller,
      extra: { name: 'Euro Coin', version: '1' },
    })
    expect(await offerOf({ price: { amount: '1.505', currency: 'eur' } }, euro)).toBeUndefined()
    expect(await offerOf({ price: { amount: '1.50', currency: 'usd' } }, euro)).toBeUndefined()
  })

  it.each([
    ['base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USD Coin'],
    ['eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USD Coin'],
    ['eip155:143', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603', 'USDC'],
  ])('on %s is made in its USDC', async (network, asset, name) => {
    const offer = await offerOf({}, x402Rail({ network, facilitator, payTo: platform }))
    expect(offer).toMatchObject({ asset, extra: { name, version: '2' } })
  })
})
