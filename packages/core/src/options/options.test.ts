import { describe, expect, it } from 'vitest'
import { readOptions, type ServiceOptions } from './options.ts'

// The options require these methods of a storage.
const storage = { transaction() {}, ping() {}, close() {} } as unknown as ServiceOptions['storage']
const required = { publicUrl: 'https://profiles.example', storage, secret: 'x'.repeat(32) }

describe('readOptions', () => {
  it('fills in the defaults of every group', () => {
    const { auth, files, limits } = readOptions(required)
    expect([auth.expiry.resetPasswordSeconds, files.conversionWaitMs, limits.rateLimit.multiplier]).toEqual([
      3_600, 10_000, 1,
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
    [{ email: { scanner: {} } }, 'email.scanner: Unknown option; did you mean "files.scanner"?'],
    [{ limits: { rateLimit: { multipler: 2 } } }, 'did you mean "limits.rateLimit.multiplier"?'],
    [{ colour: 'red' }, 'colour: Unknown option'],
  ])('rejects %j and suggests the intended option', (wrong, message) => {
    expect(() => readOptions({ ...required, ...wrong } as ServiceOptions)).toThrow(message)
  })

  it.each([
    'https://app.example/path',
    'https://app.example:443',
    'https://APP.example',
    'https://app.example/',
    'https://',
  ])('rejects %s as a trusted origin, because no browser sends it', (wrong) => {
    const read = (...trustedOrigins: string[]) => readOptions({ ...required, http: { trustedOrigins } })
    expect(() => read(wrong)).toThrow('http.trustedOrigins.0: ')
    expect(read('https://app.example', 'http://localhost:5173').http.trustedOrigins).toHaveLength(2)
  })

  it('suggests nothing for an option that resembles no other', () => {
    expect(() => readOptions({ ...required, colour: 'red' } as ServiceOptions)).toThrow(/Unknown option$/)
  })
})
