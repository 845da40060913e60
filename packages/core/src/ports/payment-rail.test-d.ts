import { describe, expectTypeOf, it } from 'vitest'
import type { Json } from '../kernel/json.ts'
import { definePaymentRail, type PaymentRail } from './payment-rail.ts'

describe('definePaymentRail', () => {
  const rail = definePaymentRail({
    id: 'lightning',
    offer: async () => undefined,
    read: ({ authorization }) => {
      expectTypeOf(authorization).toEqualTypeOf<string | undefined>()
      return { id: 'hash', fingerprint: 'digest', payer: {}, proof: { paymentHash: 'hash' } }
    },
    matches: ({ proof }, { price }) => {
      expectTypeOf(proof).toEqualTypeOf<{ paymentHash: string }>()
      return proof.paymentHash === price.amount
    },
    verify: async ({ proof }) => proof.paymentHash,
    settle: async ({ proof }, purchase, checkpoint) => {
      expectTypeOf(proof.paymentHash).toBeString()
      expectTypeOf(checkpoint).toEqualTypeOf<Json>()
      return {
        reference: proof.paymentHash,
        network: 'lightning:main',
        amount: { atomic: '1', decimal: purchase.price.amount, asset: 'btc', currency: 'usd' },
        payer: { wallet: 'node', network: 'lightning:main' },
        settledAt: new Date(),
      }
    },
    recover: async ({ proof }) => {
      expectTypeOf(proof).toEqualTypeOf<{ paymentHash: string }>()
      throw new Error('unknown')
    },
  })

  it('lets the type of the proof flow from read into every other method', () => {
    expectTypeOf(rail).toEqualTypeOf<PaymentRail<{ paymentHash: string }>>()
  })

  it('returns a rail that a host can list next to others', () => {
    expectTypeOf(rail).toExtend<PaymentRail>()
  })

  it('requires a proof that is JSON', () => {
    definePaymentRail({
      ...rail,
      // @ts-expect-error a Date is not JSON
      read: () => ({ id: 'hash', fingerprint: 'digest', payer: {}, proof: { at: new Date() } }),
    })
  })
})
