import { describe, expect, it } from 'vitest'
import { readOptions, type ServiceOptions } from './options.ts'

// The options require these methods of a storage.
const storage = { transaction() {}, ping() {}, close() {} } as unknown as ServiceOptions['storage']
const required = { publicUrl: 'https://profiles.example', storage, secret: 'x'.repeat(32) }

describe('readOptions', () => {
  it('fills in the defaults of every group', () => {
    const { auth, payments, limits } = readOptions(required)
    expect([auth.expiry.resetPasswordSeconds, payments.settlementLeaseMs, limits.rateLimit.multiplier]).toEqual([
      3_600, 30_000, 1,
    ])
  })

  it('derives the pages of the frontend from its URL', () => {
    const { frontendUrls } = readOptions({
      ...required,
      frontendUrl: 'https://www.example',
      frontendUrls: { pricing: 'https://shop.example/plans' },
    })
    expect([frontendUrls.verifyEmail, frontendUrls.pricing]).toEqual([
      'https://www.example/verify',
      'https://shop.example/plans',
    ])
  })

  it.each([
    [{ rails: [] }, 'rails: Unknown option; did you mean "payments.rails"?'],
    [{ auth: { adminEmail: [] } }, 'auth.adminEmail: Unknown option; did you mean "auth.adminEmails"?'],
    [{ email: { rails: {} } }, 'email.rails: Unknown option; did you mean "payments.rails"?'],
    [{ limits: { rateLimit: { multipler: 2 } } }, 'did you mean "limits.rateLimit.multiplier"?'],
    [{ colour: 'red' }, 'colour: Unknown option'],
  ])('rejects %j and suggests the intended option', (wrong, message) => {
    expect(() => readOptions({ ...required, ...wrong } as ServiceOptions)).toThrow(message)
  })

  it.each(['https://app.example/path', 'https://user@app.example', 'https://app.example.', 'https://'])(
    'rejects %s as a trusted origin',
    (wrong) => {
      expect(() => readOptions({ ...required, http: { trustedOrigins: [wrong] } })).toThrow('http.trustedOrigins.0: ')
    },
  )

  it('brings the addresses of sites into the form that browsers send', () => {
    const { publicUrl, frontendUrl, http, pages } = readOptions({
      ...required,
      publicUrl: 'https://日本語.example/',
      frontendUrl: 'https://Bücher.example:443',
      http: { trustedOrigins: ['https://APP.example:443/', 'http://localhost:5173'] },
      pages: { imprintUrl: 'https://bücher.example/imprint' },
    })
    expect([publicUrl, frontendUrl]).toEqual(['https://xn--wgv71a119e.example', 'https://xn--bcher-kva.example'])
    expect(http.trustedOrigins).toEqual(['https://app.example', 'http://localhost:5173'])
    expect(pages.imprintUrl).toBe('https://xn--bcher-kva.example/imprint')
  })

  it('suggests nothing for an option that resembles no other', () => {
    expect(() => readOptions({ ...required, colour: 'red' } as ServiceOptions)).toThrow(/Unknown option$/)
  })
})
