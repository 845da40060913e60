import { describe, expect, it } from 'vitest'
import { cashRail } from '../../../entries/testing.ts'
import type { RailInfo } from '../../../ports/payment-rail.ts'
import { offerOf } from './available-routes.ts'
import { paymentGuideOf } from './payment-guide.ts'

const nothing = offerOf([])
const rail = (protocol: RailInfo['protocol']) => ({ ...cashRail(), info: { protocol, accepts: [] } })
const text = (...rails: ReturnType<typeof rail>[]) => paymentGuideOf(rails, nothing).steps.join('\n')

describe('the payment guide', () => {
  it('has no steps where nothing can be paid', () => {
    expect(paymentGuideOf([], nothing)).toEqual({ rails: [], steps: [] })
  })

  it('explains the headers of the rails that are there', () => {
    expect(text(rail('x402'))).toContain('PAYMENT-SIGNATURE')
    expect(text(rail('x402'))).not.toContain('Authorization: Payment')
    expect(text(rail('mpp'))).toContain('Authorization: Payment')
    expect(text(rail('mpp'))).not.toContain('PAYMENT-SIGNATURE')
    expect(text(rail('x402'), rail('mpp'))).toMatch(/PAYMENT-SIGNATURE.*Authorization: Payment/s)
  })

  it('names the rails that are there, and describes shared payment tokens for cards alone', () => {
    const lightning = { ...rail('mpp'), id: 'lightning' }
    expect(text(lightning)).toContain('`X-EEP-Agent-Capabilities: lightning`')
    expect(text(lightning)).not.toMatch(/stripe|SHARED_PAYMENT_TOKEN/)
    expect(text({ ...rail('mpp'), id: 'stripe-mpp' })).toContain('Authorization: Payment <SHARED_PAYMENT_TOKEN>')
    expect(text({ ...rail('x402'), id: 'base-coins' })).toContain('`X-EEP-Agent-Capabilities: base-coins`')
    const { info: _, ...silent } = cashRail()
    expect(paymentGuideOf([silent], nothing).steps.join('\n')).toContain('No protocol is declared for: cash.')
  })

  it('explains every protocol for a rail that declares none', () => {
    const { info: _, ...silent } = cashRail()
    expect(paymentGuideOf([silent], nothing).rails).toEqual([{ id: 'cash', accepts: [] }])
    expect(paymentGuideOf([silent], nothing).steps.join('\n')).toMatch(/PAYMENT-SIGNATURE.*Authorization: Payment/s)
  })

  it('names receipts only where they can be read', () => {
    const path = '/eep/payment/receipts'
    const offer = offerOf([{ method: 'GET', path, auth: 'key', tag: 'payments', summary: '' }])
    expect(text(rail('x402'))).not.toContain(path)
    expect(paymentGuideOf([rail('x402')], offer).steps.join('\n')).toContain(path)
  })
})
