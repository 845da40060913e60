import { describe, expect, it } from 'vitest'
import { createCashWallets } from './cash/cash-wallets.ts'
import { cashRail } from './cash-rail.ts'
import { newPurchase } from './records.ts'

describe('cashRail', () => {
  const purchase = newPurchase()

  async function setUp() {
    const cashWallets = createCashWallets()
    const rail = cashRail({ cashWallets })
    const offer = await rail.offer(purchase)
    const pay = (payment = {}) => {
      const credential = rail.read(cashWallets.pay(offer?.accept ?? {}, payment))
      if (!credential) throw new Error('no credential')
      return credential
    }
    return { cashWallets, rail, pay }
  }

  it('holds a settlement until it is released', async () => {
    const { cashWallets, rail, pay } = await setUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    cashWallets.next('settle', { hold: promise })
    const settling = rail.settle(pay(), purchase, null)
    await new Promise(setImmediate)
    expect(cashWallets.balance()).toBe(0n)
    resolve()
    await settling
    expect(cashWallets.balance()).toBe(10_000n)
  })

  it('answers late after taking the money', async () => {
    const { cashWallets, rail, pay } = await setUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    cashWallets.next('settle', { late: promise })
    const settling = rail.settle(pay(), purchase, null)
    await new Promise(setImmediate)
    expect(cashWallets.balance()).toBe(10_000n)
    resolve()
    await expect(settling).resolves.toMatchObject({ amount: { atomic: '10000', decimal: '0.01' } })
  })

  it('refuses, loses requests and answers, and throws anything, once each', async () => {
    const { cashWallets, rail, pay } = await setUp()
    const credential = pay()
    cashWallets.next('settle', { refuse: 'insufficient_funds' })
    cashWallets.next('settle', { lose: 'request' })
    cashWallets.next('settle', { lose: 'answer', as: 'garbage' })
    const settle = () => rail.settle(credential, purchase, null)
    await expect(settle()).rejects.toMatchObject({ code: 'payment_refused', details: { reason: 'insufficient_funds' } })
    await expect(settle()).rejects.toMatchObject({ code: 'settlement_pending' })
    expect(cashWallets.balance()).toBe(0n)
    await expect(settle()).rejects.toBe('garbage')
    expect(cashWallets.balance()).toBe(10_000n)
    await expect(settle()).resolves.toMatchObject({ network: 'cash:test' })
    expect(cashWallets.balance()).toBe(10_000n)
    expect(cashWallets.calls).toEqual(['offer', 'settle', 'settle', 'settle', 'settle'])
  })

  it('refuses a forged, insufficient or expired payment', async () => {
    const { rail, pay } = await setUp()
    const reason = (payment: object) => rail.verify(pay(payment), purchase)
    await expect(reason({ forged: true })).rejects.toMatchObject({ details: { reason: 'invalid_signature' } })
    await expect(reason({ amount: 9_999n })).rejects.toMatchObject({ details: { reason: 'amount_mismatch' } })
    await expect(reason({ validSeconds: -1 })).rejects.toMatchObject({ details: { reason: 'authorization_expired' } })
  })

  it('detects a nonce that was signed twice by its fingerprint', async () => {
    const { pay } = await setUp()
    const [one, other] = [pay({ nonce: 'n' }), pay({ nonce: 'n', validSeconds: 60 })]
    expect(other.id).toBe(one.id)
    expect(other.fingerprint).not.toBe(one.fingerprint)
  })

  it('makes no offer in an unsupported currency', async () => {
    const rail = cashRail({ currencies: ['eur'] })
    await expect(rail.offer(purchase)).resolves.toBeUndefined()
  })

  it('pays the offer it finds in a 402', async () => {
    const { cashWallets, rail } = await setUp()
    const offer = await rail.offer(purchase)
    const accepts = [{ scheme: 'exact', network: 'eip155:1' }, offer?.accept]
    const header = Buffer.from(JSON.stringify({ x402Version: 2, accepts })).toString('base64')
    const { 'payment-signature': paymentSignature } = cashWallets.answer(header, { wallet: 'wallet:ada' })
    expect(rail.read({ paymentSignature })?.payer).toEqual({ wallet: 'wallet:ada', network: 'cash:test' })
  })
})
