import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localFacilitator } from './local-facilitator.ts'
import { createBench, outcomeOf } from './testing/bench.ts'
import type { LocalChain, PaymentChanges, RpcProxy } from './testing/index.ts'
import { startLocalChain, startRpcProxy } from './testing/index.ts'

// The situations of a settlement on a local chain, with the in-process facilitator. Each test counts what
// arrived at its own receiver.

let chain: LocalChain
let proxy: RpcProxy
beforeAll(async () => {
  chain = await startLocalChain()
  proxy = await startRpcProxy(chain.rpcUrl)
})
beforeEach(() => proxy.heal())
afterAll(async () => {
  await proxy.stop()
  await chain.stop()
})

const paid = [10_000n]

/** How long to wait for a transaction that is not mined. */
const SHORT_MS = 400

/** A facilitator that reaches the chain through the proxy, with a key that no other test uses. */
async function facilitatorBehindProxy(receiptTimeoutMs?: number) {
  const wallet = await chain.newPayer(0n)
  await chain.setEther(wallet.address, 10n ** 18n)
  const { network } = chain
  return {
    wallet,
    facilitator: localFacilitator({ network, rpcUrl: proxy.rpcUrl, privateKey: wallet.privateKey, receiptTimeoutMs }),
  }
}

describe('between verify and settle', () => {
  it('refuses a payment when the payer empties the wallet between verify and settle', async () => {
    const { verified, received } = createBench(chain)
    const payer = await chain.newPayer()
    const { settle } = await verified(payer)
    await chain.drain(payer)
    expect(await outcomeOf(settle())).toBe('refused: invalid_exact_evm_insufficient_balance')
    expect(await received()).toEqual([])
  })

  it('refuses a payment when the payer cancels it between verify and settle', async () => {
    const { verified, received } = createBench(chain)
    const { settle, recover, signed } = await verified()
    await chain.cancel(chain.wallets.payer, signed.payload.authorization.nonce)
    expect(await outcomeOf(settle())).toBe('refused: invalid_exact_evm_nonce_already_used')
    expect(await outcomeOf(recover())).toBe('refused: invalid_exact_evm_nonce_already_used')
    expect(await received()).toEqual([])
  })

  it('refuses a payment while the token is paused, and settles it afterwards', async () => {
    const { verified, received } = createBench(chain)
    const { settle } = await verified()
    await chain.setPaused(true)
    expect(await outcomeOf(settle())).toBe('refused: invalid_exact_evm_transaction_simulation_failed')
    await chain.setPaused(false)
    expect(await received()).toEqual([])
    expect(await outcomeOf(settle())).toBe('settled')
    expect(await received()).toEqual(paid)
  })

  it('settles with one charge when another sender submits the payment between verify and settle', async () => {
    const { verified, received } = createBench(chain)
    const { settle, recover, signed } = await verified()
    const transaction = await chain.submit(signed.payload)
    expect(await settle()).toMatchObject({ transaction })
    expect(await recover()).toMatchObject({ transaction })
    expect(await received()).toEqual(paid)
  })

  it('refuses a payment when the payer spends the nonce elsewhere', async () => {
    const { verified, received } = createBench(chain)
    const { settle, signed } = await verified()
    const { nonce } = signed.payload.authorization
    const sibling = await createBench(chain).present(chain.wallets.payer, { authorization: { nonce } })
    await chain.submit(sibling.signed.payload)
    expect(await outcomeOf(settle())).toBe('refused: invalid_exact_evm_nonce_already_used')
    expect(await received()).toEqual([])
  })
})

describe('a payment that was put on the chain before it came to us', () => {
  it('settles a payment that was already submitted to the chain', async () => {
    const { present, verify, rail, received } = createBench(chain)
    const presented = await present()
    const transaction = await chain.submit(presented.signed.payload)
    const { credential, purchase } = presented
    const checkpoint = await verify(presented)
    expect(await rail.settle(credential, purchase, checkpoint)).toMatchObject({ transaction })
    expect(await rail.recover(credential, purchase, checkpoint)).toMatchObject({ transaction })
    expect(await received()).toEqual(paid)
  })
})

describe('a used payment whose transfer is not found', () => {
  it('stays unknown until the logs show the transfer', async () => {
    const { verified, rail, received } = createBench(chain)
    const { settle, recover, credential, purchase } = await verified()
    expect(await outcomeOf(settle())).toBe('settled')
    expect(await outcomeOf(rail.recover(credential, purchase, { block: '1000000' }))).toBe('unknown')
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await received()).toEqual(paid)
  })
})

describe('concurrent payments', () => {
  it('settles twenty concurrent payments', async () => {
    const { facilitator } = await facilitatorBehindProxy()
    const { verified, received } = createBench(chain, { facilitator })
    const payments = await Promise.all(Array.from({ length: 20 }, () => verified()))
    const outcomes = await Promise.all(payments.map(({ settle }) => outcomeOf(settle())))
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => 'settled'))
    expect(await received()).toHaveLength(20)
  })

  it('settles twenty copies of one payment with one transaction', async () => {
    const { facilitator, wallet } = await facilitatorBehindProxy()
    const { verified, received } = createBench(chain, { facilitator })
    const { settle } = await verified()
    const settlements = await Promise.all(Array.from({ length: 20 }, () => settle()))
    expect(new Set(settlements.map(({ transaction }) => transaction)).size).toBe(1)
    expect(await received()).toEqual(paid)
    expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(1)
  })
})

describe('a transaction that is stuck', () => {
  const inLimbo = async (changes?: PaymentChanges) => {
    const { facilitator, wallet } = await facilitatorBehindProxy(SHORT_MS)
    const bench = createBench(chain, { facilitator })
    const payment = await bench.verified(undefined, changes)
    await chain.setAutomine(false)
    expect(await outcomeOf(payment.settle())).toBe('unknown')
    return { ...bench, ...payment, wallet }
  }

  it('keeps a stuck transaction unknown without sending another, and settles it when it is mined', async () => {
    const { recover, received, wallet } = await inLimbo()
    expect(await outcomeOf(recover())).toBe('unknown')
    expect(await chain.client.getTransactionCount({ address: wallet.address, blockTag: 'pending' })).toBe(1)
    await chain.mine()
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await received()).toEqual(paid)
    await chain.setAutomine(true)
  })

  it('sends a transaction again when the node has dropped it', async () => {
    const { recover, received } = await inLimbo()
    await chain.dropTransactions()
    await chain.setAutomine(true)
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await received()).toEqual(paid)
  })

  it('replaces a stuck transaction with one that pays more gas when the price has risen', async () => {
    const { recover, received, wallet } = await inLimbo()
    await chain.setNextBaseFee(50n * 10n ** 9n)
    await chain.mine()
    expect(await received()).toEqual([])
    const sent = proxy.calls.length
    const waiting = outcomeOf(recover())
    // The facilitator looks for the receipt of its replacement once the node has it.
    await expect.poll(() => proxy.calls.slice(sent)).toContain('eth_getTransactionReceipt')
    await chain.mine()
    await waiting
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(1)
    expect(await received()).toEqual(paid)
    await chain.setAutomine(true)
  })

  it('does not refuse a stuck payment in the last minute before it expires', async () => {
    const { recover, received } = await inLimbo({ lifeSeconds: 700 })
    const snapshot = await chain.snapshot()
    await chain.dropTransactions()
    await chain.increaseTime(650)
    await chain.setAutomine(true)
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await received()).toEqual(paid)
    await chain.revert(snapshot)
  })

  it('refuses a stuck payment when it has expired by the clock of the chain', async () => {
    const { recover, received } = await inLimbo()
    const snapshot = await chain.snapshot()
    await chain.dropTransactions()
    await chain.increaseTime(200)
    expect(await outcomeOf(recover())).toBe('refused: invalid_exact_evm_payload_authorization_valid_before')
    await chain.setAutomine(true)
    expect(await received()).toEqual([])
    await chain.revert(snapshot)
  })
})

describe('a facilitator without gas', () => {
  it('leaves a payment unknown while the facilitator has no gas, and settles it afterwards', async () => {
    const { facilitator, wallet } = await facilitatorBehindProxy()
    const { verified, received } = createBench(chain, { facilitator })
    const { settle, recover } = await verified()
    await chain.setEther(wallet.address, 0n)
    expect(await outcomeOf(settle())).toBe('unknown')
    // A transaction of an earlier process may be on its way, so that a failure now is not yet the end.
    await chain.setPaused(true)
    expect(await outcomeOf(recover())).toBe('unknown')
    await chain.setPaused(false)
    expect(await received()).toEqual([])
    await chain.setEther(wallet.address, 10n ** 18n)
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await received()).toEqual(paid)
  })
})

describe('an RPC endpoint', () => {
  it('leaves a payment unknown while the RPC endpoint is down', async () => {
    const { facilitator } = await facilitatorBehindProxy()
    const { verified, received } = createBench(chain, { facilitator, rpcUrl: proxy.rpcUrl })
    const { settle, recover } = await verified()
    proxy.fail('*', 'down')
    expect(await outcomeOf(settle())).toBe('unknown')
    expect(await outcomeOf(recover())).toBe('unknown')
    proxy.heal()
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await received()).toEqual(paid)
  })

  it.each(['eth_sendRawTransaction', 'eth_getTransactionReceipt'] as const)(
    'settles a payment when the RPC endpoint loses the answer to %s',
    async (method) => {
      const { facilitator } = await facilitatorBehindProxy()
      const { verified, received } = createBench(chain, { facilitator })
      const { settle } = await verified()
      proxy.fail(method, 'lost')
      expect(await outcomeOf(settle())).toBe('settled')
      expect(await received()).toEqual(paid)
    },
  )

  it.each(['eth_getLogs', 'eth_getBlockByNumber', 'eth_call'] as const)(
    'leaves a front-run payment unknown when the RPC endpoint fails at %s',
    async (method) => {
      const { facilitator } = await facilitatorBehindProxy()
      const { verified, received } = createBench(chain, { facilitator, rpcUrl: proxy.rpcUrl })
      const { settle, recover, signed } = await verified()
      await chain.submit(signed.payload)
      for (const fault of ['down', 'error', 'lost'] as const) {
        proxy.fail(method, fault)
        expect(await outcomeOf(settle())).toBe('unknown')
        expect(await outcomeOf(recover())).toBe('unknown')
      }
      proxy.heal()
      expect(await outcomeOf(recover())).toBe('settled')
      expect(await received()).toEqual(paid)
    },
  )
})

describe('a process that ends', () => {
  const restarted = async (receiver: string, receiptTimeoutMs?: number) =>
    createBench(chain, { ...(await facilitatorBehindProxy(receiptTimeoutMs)), payTo: receiver })

  it('sends a payment of a process that ended before it sent anything', async () => {
    const { present, verify, receiver, received } = createBench(chain)
    const presented = await present()
    const checkpoint = JSON.parse(JSON.stringify(await verify(presented)))
    const { rail } = await restarted(receiver)
    const credential = { ...presented.credential, proof: JSON.parse(JSON.stringify(presented.credential.proof)) }
    expect(await outcomeOf(rail.recover(credential, presented.purchase, checkpoint))).toBe('settled')
    expect(await received()).toEqual(paid)
  })

  it('finds the transaction of a process that ended after it sent it', async () => {
    const { facilitator } = await facilitatorBehindProxy(SHORT_MS)
    const first = createBench(chain, { facilitator })
    const presented = await first.present()
    const checkpoint = await first.verify(presented)
    const { credential, purchase } = presented
    await chain.setAutomine(false)
    expect(await outcomeOf(first.rail.settle(credential, purchase, checkpoint))).toBe('unknown')
    await chain.setAutomine(true)
    await chain.mine()
    const { rail } = await restarted(first.receiver)
    expect(await outcomeOf(rail.recover(credential, purchase, checkpoint))).toBe('settled')
    expect(await first.received()).toEqual(paid)
  })

  it('reverts one of two transactions when two processes send the same payment', async () => {
    const { facilitator } = await facilitatorBehindProxy(SHORT_MS)
    const first = createBench(chain, { facilitator })
    const presented = await first.present()
    const checkpoint = await first.verify(presented)
    const { credential, purchase } = presented
    await chain.setAutomine(false)
    expect(await outcomeOf(first.rail.settle(credential, purchase, checkpoint))).toBe('unknown')
    const second = await restarted(first.receiver, SHORT_MS)
    expect(await outcomeOf(second.rail.recover(credential, purchase, checkpoint))).toBe('unknown')
    await chain.mine()
    await chain.setAutomine(true)
    expect(await outcomeOf(first.rail.recover(credential, purchase, checkpoint))).toBe('settled')
    expect(await outcomeOf(second.rail.recover(credential, purchase, checkpoint))).toBe('settled')
    expect(await first.received()).toEqual(paid)
  })
})
