import { describe, expect, it } from 'vitest'
import { acceptedQuality, credentialField } from './offer.ts'

describe('Accept-Payment', () => {
  const stripe = { method: 'stripe', intent: 'charge' }

  it.each([
    [undefined, 1],
    ['', 1],
    ['stripe/charge', 1],
    ['tempo/charge', 1],
    ['tempo/charge;q=0, Stripe/Charge ; q=0.5', 0.5],
    ['stripe/charge;q=0', 0],
    ['stripe/charge;q=nonsense', 1],
    ['stripe/charge;q=7', 1],
  ])('%s', (header, quality) => {
    expect(acceptedQuality(header, stripe)).toBe(quality)
  })

  it('leaves the Authorization header to clients that are signed in by it', () => {
    expect(credentialField({ authorization: 'Bearer abc' })).toBe('Payment-Authorization')
    expect(credentialField({ authorization: 'Payment abc' })).toBe('Authorization')
    expect(credentialField({})).toBe('Authorization')
  })
})
