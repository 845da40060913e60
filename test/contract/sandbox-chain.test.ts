import { randomBytes, randomUUID } from 'node:crypto'
import { type JsonObject, SANDBOX_NETWORK, type Settlement } from '@eep/core/ports'
import { paymentRailContract } from '@eep/core/testing'
import { type Facilitator, sandboxChain, sandboxFacilitator, x402Rail } from '@eep/payments-x402'
import { encodeHeader, signPayment, type Wallet, walletOf } from '@eep/payments-x402/testing'
import * as vitest from 'vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage, type TestStorage } from '../support/app.ts'

const newWallet = (): Wallet => walletOf(`0x${randomBytes(32).toString('hex')}`)
const newAddress = () => `0x${randomBytes(20).toString('hex')}`

const purchase = {
  profileId: 1,
  sellerDid: 'did:web:id.example:u:alice',
  resource: 'content.notes.a',
  pattern: 'content.notes.*',
  tier: 'reader',
  access: ['content.notes.*'],
  rails: null,
  per: 'request' as const,
  price: { amount: '0.01', currency: 'usd' },
  shown: { url: 'https://id.example/u/alice/content/a', description: '', mimeType: 'text/markdown' },
  payTo: {},
}

/** A rail on the play chain of a storage, with a separate receiver. */
function benchOn({ storage }: Pick<TestStorage, 'storage'>, payTo = newAddress()) {
  const facilitator = sandboxFacilitator({ storage })
  const railWith = (by: Facilitator) =>
    x402Rail({ network: SANDBOX_NETWORK, client: sandboxChain({ storage }), facilitator: by, payTo })
  const fund = (address: string, atomic = 1_000_000_000n) =>
    storage.transaction(async (tx) =>
      tx.sandboxWallets?.fund({ address: address.toLowerCase(), upTo: atomic, at: new Date(), maxWallets: 1_000_000 }),
    )
  const give = async (from: string, to: string, atomic: bigint, at = new Date()) => {
    const transaction = `0x${randomBytes(32).toString('hex')}`
    const transfer = { from, to: to.toLowerCase(), nonce: randomUUID(), atomic, transaction, isAuthorized: false, at }
    await storage.transaction(async (tx) => tx.sandboxWallets?.transfer(transfer))
    return transaction
  }
  const balanceOf = async (address: string) =>
    (await storage.read.sandboxWallets?.get(address.toLowerCase()))?.atomic ?? 0n
  return { facilitator, railWith, rail: railWith(facilitator), payTo, fund, give, balanceOf }
}

let database: TestStorage
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

paymentRailContract(vitest, async () => {
  const opened = await openStorage()
  const { facilitator, railWith, payTo, fund, give, balanceOf } = benchOn(opened)
  const payer = newWallet()
  await fund(payer.address)
  let accident: 'before' | 'after' | 'reason' | undefined
  const accidents: Facilitator = {
    ...facilitator,
    async settle(...request) {
      const kind = accident
      accident = undefined
      if (kind === 'before') throw new Error('the request was lost')
      const answered = await facilitator.settle(...request)
      if (kind === 'after') throw new Error('the answer was lost')
      if (kind !== 'reason') return answered
      return { success: false, errorReason: 'settlement_pending', transaction: '', network: answered.network }
    },
  }
  const rail = railWith(accidents)
  const sign = async (accept: JsonObject, value?: string) => ({
    paymentSignature: encodeHeader(
      await signPayment(accept, payer, { authorization: value === undefined ? {} : { value } }),
    ),
  })
  // What the rail was paid is counted apart from what the seller gives back.
  let givenBack = 0n
  const giveBack = (from: string, to: string, atomic: bigint) => {
    if (from === payTo) givenBack += atomic
    return give(from, to, atomic, new Date(Date.now() + 5))
  }
  const stranger = newAddress()
  await Promise.all([fund(payTo, 1_000_000n), fund(stranger, 1_000_000n)])
  const earlier = await give(payTo, payer.address, 10_000n, new Date(Date.now() - 60_000))
  givenBack += 10_000n
  return {
    rail,
    purchase,
    pay: ({ accept = {} }) => sign(accept),
    underpay: ({ accept = {} }) => sign(accept, '9999'),
    broken: [{ paymentSignature: 'e30' }, { paymentSignature: '' }],
    taken: async () => (await balanceOf(payTo)) + givenBack - 1_000_000n,
    loseAnswer: () => {
      accident = 'after'
    },
    lies: {
      'loses the request': () => {
        accident = 'before'
      },
      'loses the answer': () => {
        accident = 'after'
      },
      'reports that it is pending after it settled': () => {
        accident = 'reason'
      },
    },
    refunds: {
      giveBack: ({ payer: { wallet } }: Settlement) => giveBack(payTo, wallet, 10_000n),
      wrong: {
        'another amount': ({ payer: { wallet } }) => giveBack(payTo, wallet, 9_999n),
        'another payer': () => giveBack(payTo, stranger, 10_000n),
        'another sender': ({ payer: { wallet } }) => giveBack(stranger, wallet, 10_000n),
        'an earlier transfer': () => earlier,
        'no transaction hash': () => 'paid back in cash',
      },
      unseen: `0x${'ab'.repeat(32)}`,
    },
    another: async () => railWith(facilitator),
    close: () => opened.close(),
  }
})

describe('the facilitator of the sandbox', () => {
  const payment = async (changes: Parameters<typeof signPayment>[2] = {}, atomic = 1_000_000n) => {
    const bench = benchOn(database)
    const wallet = newWallet()
    if (atomic > 0n) await bench.fund(wallet.address, atomic)
    const { accept = {} } = (await bench.rail.offer(purchase)) ?? {}
    const signed = await signPayment(accept, wallet, changes)
    // The offer is an entry of `accepts[]`, which the types of the port have as JSON.
    const request = [signed, accept] as unknown as Parameters<Facilitator['settle']>
    return { ...bench, wallet, request, accept }
  }

  it('settles one authorization once, however many calls run concurrently, and names the same transaction', async () => {
    const { facilitator, request, balanceOf, payTo, wallet } = await payment()
    const answers = await Promise.all([1, 2, 3].map(() => facilitator.settle(...request)))
    expect(answers.map(({ success }) => success)).toEqual([true, true, true])
    expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1)
    expect(await balanceOf(payTo)).toBe(10_000n)
    expect(await balanceOf(wallet.address)).toBe(990_000n)
    expect(await facilitator.verify(...request)).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_nonce_already_used',
    })
  })

  it.each([
    ['a wallet without play money', {}, 0n, 'invalid_exact_evm_insufficient_balance'],
    ['a wallet with too little', {}, 9_999n, 'invalid_exact_evm_insufficient_balance'],
    [
      'a signature for another chain',
      { domain: { network: 'eip155:84532' } },
      1_000_000n,
      'invalid_exact_evm_signature',
    ],
    ['a signature for another token', { domain: { name: 'USDC' } }, 1_000_000n, 'invalid_exact_evm_signature'],
    [
      'an authorization that has expired',
      { authorization: { validBefore: '1000' } },
      1_000_000n,
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'an authorization that is not valid yet',
      { authorization: { validAfter: '99999999999' } },
      1_000_000n,
      'invalid_exact_evm_payload_authorization_valid_after',
    ],
    [
      'another amount',
      { authorization: { value: '1' } },
      1_000_000n,
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'another receiver',
      { authorization: { to: `0x${'12'.repeat(20)}` } },
      1_000_000n,
      'invalid_exact_evm_recipient_mismatch',
    ],
  ] as const)('refuses %s, and moves nothing', async (_, changes, atomic, reason) => {
    const { facilitator, request, balanceOf, payTo, wallet } = await payment(changes, atomic)
    expect(await facilitator.verify(...request)).toMatchObject({ isValid: false, invalidReason: reason })
    expect(await facilitator.settle(...request)).toMatchObject({ success: false, errorReason: reason, transaction: '' })
    expect([await balanceOf(payTo), await balanceOf(wallet.address)]).toEqual([0n, atomic])
  })

  it('refuses requirements of another network or token', async () => {
    const { facilitator, request, accept } = await payment()
    for (const changes of [{ network: 'eip155:84532' }, { asset: newAddress() }, { scheme: 'upto' }]) {
      const requirements = { ...accept, ...changes } as unknown as (typeof request)[1]
      const answer = await facilitator.settle(request[0], requirements)
      expect(answer).toMatchObject({ success: false, errorReason: 'invalid_payment_requirements' })
    }
  })

  it('serves the play network, with the token that wallets sign for', async () => {
    const { rail } = benchOn(database)
    await rail.ping?.()
    const offer = await rail.offer(purchase)
    expect(offer?.accept).toMatchObject({ network: 'eip155:1402402402', amount: '10000' })
  })
})
