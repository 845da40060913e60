import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFacilitator } from './local-facilitator.ts'
import { createBench, outcomeOf } from './testing/bench.ts'
import { contractSignature, type HostileBehaviour, type LocalChain, startLocalChain } from './testing/index.ts'
import type { X402RailOptions } from './x402-rail.ts'

// Contract wallets run their code in the transaction that the gas key pays for.

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

type Limits = Parameters<typeof localFacilitator>[0]['contractPayers']

/** A shop with a gas key that no other test uses. */
async function openShop(options: Partial<X402RailOptions> = {}, contractPayers?: Limits, receiptTimeoutMs?: number) {
  const gasKey = await chain.newPayer(0n)
  await chain.setEther(gasKey.address, 10n ** 18n)
  const { network, rpcUrl } = chain
  const own = { network, rpcUrl, privateKey: gasKey.privateKey, receiptTimeoutMs }
  const facilitator = localFacilitator({ ...own, contractPayers })
  return {
    ...createBench(chain, { facilitator, ...options }),
    facilitator,
    sent: () => chain.client.getTransactionCount({ address: gasKey.address }),
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>

const hostile = (behaviour: HostileBehaviour) => chain.newHostileWallet(behaviour)
const byContract = { signature: contractSignature }

/** The head of the chain after a transaction would be simulated, and before the block that contains it. */
const now = () => chain.client.getBlockNumber({ cacheTime: 0 })

/** A payment that is confirmed until its transaction is in a block. */
async function revertingPayment(shop: Shop) {
  const wallet = await hostile({})
  const payment = await shop.verified(wallet, byContract)
  await hostile({ wallet, honestUntil: (await now()) + 2n })
  return { wallet, ...payment }
}

describe('a contract wallet that pays', () => {
  it('settles a payment of an honest contract wallet', async () => {
    const shop = await openShop()
    const wallet = await chain.newContractWallet(chain.wallets.payer)
    const { settle } = await shop.verified(wallet, byContract)
    expect(await outcomeOf(settle())).toBe('settled')
    expect(await shop.received()).toEqual([10_000n])
  })

  it('refuses a wallet whose code needs more gas than the limit, before anything is sent', async () => {
    const shop = await openShop()
    const payment = await shop.present(await hostile({ rounds: 5_000 }), byContract)
    expect(await outcomeOf(shop.verify(payment))).toBe('refused: contract_payer_gas_too_high')
    expect(await shop.sent()).toBe(0)
  })

  it('refuses a wallet whose code needs more gas in the block than in the check', async () => {
    const shop = await openShop()
    const wallet = await hostile({})
    const { settle } = await shop.verified(wallet, byContract)
    await hostile({ wallet, rounds: 5_000 })
    expect(await outcomeOf(settle())).toBe('refused: contract_payer_gas_too_high')
    expect(await shop.sent()).toBe(0)
  })

  it('refuses a wallet that confirms a signature only where the gas has no price', async () => {
    const shop = await openShop()
    const payment = await shop.present(await hostile({ liesByPrice: true }), byContract)
    expect(await outcomeOf(shop.verify(payment))).toBe('refused: invalid_exact_evm_signature')
    expect(await shop.sent()).toBe(0)
  })

  it('refuses a contract wallet while its transaction would cost more than the fee limit', async () => {
    const shop = await openShop({}, { maxFeeWei: 1n })
    const wallet = await chain.newContractWallet(chain.wallets.payer)
    expect(await outcomeOf(shop.verify(await shop.present(wallet, byContract)))).toBe(
      'refused: contract_payer_fee_too_high',
    )
    expect(await outcomeOf((await shop.verified()).settle())).toBe('settled')
  })

  it('limits a key that delegates to a contract (EIP-7702), although the key signed', async () => {
    const shop = await openShop()
    const wallet = await hostile({ rounds: 5_000, wallet: await chain.newPayer(0n) })
    expect(await outcomeOf(shop.verify(await shop.present(wallet)))).toBe('refused: contract_payer_gas_too_high')
    expect(await shop.sent()).toBe(0)
  })

  it('sends a payment that reverts once, and refuses it', async () => {
    const shop = await openShop()
    const { settle, recover } = await revertingPayment(shop)
    expect(await outcomeOf(settle())).toBe('refused: contract_payer_reverted')
    expect(await shop.sent()).toBe(1)
    await outcomeOf(recover())
    expect(await shop.sent()).toBe(1)
    expect(await shop.received()).toEqual([])
  })

  it('sends nothing more for a wallet whose payment reverted', async () => {
    const shop = await openShop()
    const { wallet, settle } = await revertingPayment(shop)
    await hostile({ wallet })
    const next = await shop.verified(wallet, byContract)
    await hostile({ wallet, honestUntil: (await now()) + 2n })
    await outcomeOf(settle())
    await hostile({ wallet })
    expect(await outcomeOf(next.settle())).toBe('refused: contract_payer_reverted')
    expect(await outcomeOf(shop.verify(await shop.present(wallet, byContract)))).toBe(
      'refused: contract_payer_reverted',
    )
    expect(await shop.sent()).toBe(1)
  })

  it('sends nothing for a contract wallet after a restart, and refuses the payment when it has expired', async () => {
    const shop = await openShop()
    const { credential, purchase, rail } = { ...(await shop.present(await hostile({}), byContract)), rail: shop.rail }
    const checkpoint = await rail.verify(credential, purchase)
    expect(await outcomeOf(rail.recover(credential, purchase, checkpoint))).toBe('unknown')
    expect(await shop.sent()).toBe(0)
    const snapshot = await chain.snapshot()
    await chain.increaseTime(1_000)
    expect(await outcomeOf(rail.recover(credential, purchase, checkpoint))).toMatch(/^refused: .*valid_before$/)
    await chain.revert(snapshot)
  })

  it('is refused when contract wallets are switched off, and keys pay as before', async () => {
    const shop = await openShop({ contractPayers: false })
    const wallet = await chain.newContractWallet(chain.wallets.payer)
    expect(await outcomeOf(shop.verify(await shop.present(wallet, byContract)))).toBe(
      'refused: contract_payers_not_accepted',
    )
    expect(await outcomeOf((await shop.verified()).settle())).toBe('settled')
  })

  it('is refused when contract wallets are switched off and no chain can be read', async () => {
    const shop = await openShop({ contractPayers: false, rpcUrl: undefined })
    const wallet = await chain.newContractWallet(chain.wallets.payer)
    expect(await outcomeOf(shop.verify(await shop.present(wallet, byContract)))).toBe(
      'refused: contract_payers_not_accepted',
    )
  })
})

describe('a contract wallet whose transaction is not mined', () => {
  it('does not delay the payment of a key', async () => {
    const shop = await openShop({}, undefined, 60_000)
    const slow = await shop.verified(await hostile({}), byContract)
    const second = await shop.verified(await hostile({}), byContract)
    const honest = await shop.verified()
    await chain.setAutomine(false)
    const waiting = [slow, second].map(({ settle }) => outcomeOf(settle()))
    await expect.poll(pendingOf(shop)).toBe(1)
    const paid = outcomeOf(honest.settle())
    await expect.poll(pendingOf(shop)).toBe(2)
    await chain.setAutomine(true)
    await chain.mine()
    expect([await paid, ...(await Promise.all(waiting))]).toEqual(['settled', 'settled', 'settled'])
  })

  it('is refused when an earlier transaction of the same wallet reverted after it was waited for', async () => {
    const shop = await openShop({}, undefined, 300)
    const wallet = await hostile({})
    const first = await shop.verified(wallet, byContract)
    const next = await shop.verified(wallet, byContract)
    await hostile({ wallet, honestUntil: (await now()) + 2n })
    await chain.setAutomine(false)
    expect(await outcomeOf(first.settle())).toBe('unknown')
    await chain.setAutomine(true)
    await chain.mine()
    await hostile({ wallet })
    expect(await outcomeOf(next.settle())).toBe('refused: contract_payer_reverted')
    expect(await shop.sent()).toBe(1)
  })
})

/** The number of transactions of a shop in blocks and in the mempool. */
const pendingOf = (shop: Shop) => async () => {
  const { signers } = await shop.facilitator.getSupported()
  const [address] = signers['eip155:*'] ?? []
  return chain.client.getTransactionCount({ address: address as `0x${string}`, blockTag: 'pending' })
}

describe('the limits of contract wallets', () => {
  it.each([
    [{ maxGas: 1 }, 'maxGas'],
    [{ maxGas: 0.5 }, 'maxGas'],
    [{ maxFeeWei: 0n }, 'maxFeeWei'],
  ])('rejects %o', (contractPayers, name) => {
    const { network, rpcUrl, wallets } = chain
    const { privateKey } = wallets.facilitator
    expect(() => localFacilitator({ network, rpcUrl, privateKey, contractPayers })).toThrow(name)
  })
})
