import type { Json, PaymentRail } from '@eep/core/ports'
import type { FacilitatorClient, HTTPFacilitatorClient } from '@x402/core/server'
import { describe, expectTypeOf, it } from 'vitest'
import type { Facilitator } from './facilitator.ts'
import type { Checkpoint, Proof } from './proof.ts'
import { x402Rail } from './x402-rail.ts'

describe('Facilitator', () => {
  it('is what the official server classes take', () => {
    expectTypeOf<Facilitator>().toExtend<FacilitatorClient>()
  })

  it('is what the official HTTP client is', () => {
    expectTypeOf<HTTPFacilitatorClient>().toExtend<Facilitator>()
  })
})

describe('x402Rail', () => {
  it('is a rail whose proof and checkpoint are plain JSON', () => {
    expectTypeOf(x402Rail).returns.toEqualTypeOf<PaymentRail<Proof>>()
    expectTypeOf<Proof>().toExtend<Json>()
    expectTypeOf<Checkpoint>().toExtend<Json>()
  })

  it('goes among rails of any kind', () => {
    expectTypeOf<ReturnType<typeof x402Rail>>().toExtend<PaymentRail>()
  })
})
