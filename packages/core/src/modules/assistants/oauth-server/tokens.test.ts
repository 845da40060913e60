import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../../kernel/keyring.ts'
import { codeOf, isAccessToken, isCode, isIssued, newAccessToken, readRefreshToken, refreshToken } from './tokens.ts'

const OLD = 'an old secret of the service, long enough'
const NEW = 'a new secret of the service, long enough'
const keyring = createKeyring([OLD])
const ID = '0190a0b4-6f3a-7c3e-9d1e-1b2c3d4e5f60'

const source = fc.record({ id: fc.uuid(), seed: fc.base64String({ minLength: 20, maxLength: 44 }) })
const generation = fc.integer({ min: 0, max: 999_999_999 })

describe('access tokens and codes', () => {
  it('have a prefix, 43 characters and a checksum', () => {
    expect(newAccessToken()).toMatch(/^eepa_[0-9A-Za-z]{49}$/)
    expect(isAccessToken(newAccessToken())).toBe(true)
    expect(isAccessToken(newAccessToken().replace('eepa_', 'eepc_'))).toBe(false)
    expect(isAccessToken('eepa_x')).toBe(false)
  })

  it('make one code of one sealed request, and another of another', () => {
    const code = codeOf('one', keyring)
    expect(code).toMatch(/^eepc_[0-9A-Za-z]{49}$/)
    expect(isCode(code)).toBe(true)
    expect(codeOf('one', keyring)).toBe(code)
    expect(codeOf('two', keyring)).not.toBe(code)
    expect(codeOf('one', createKeyring([NEW]))).not.toBe(code)
  })
})

describe('a refresh token', () => {
  it('names its connection and generation, and is recognized as issued', () => {
    fc.assert(
      fc.property(source, generation, (of, n) => {
        const claim = readRefreshToken(refreshToken(of, n, keyring))
        expect(claim).toMatchObject({ connectionId: of.id, generation: n })
        expect(claim && isIssued(claim, of, keyring)).toBe(true)
      }),
    )
  })

  it('is not that of another generation, connection or seed', () => {
    fc.assert(
      fc.property(source, source, generation, generation, (one, other, n, m) => {
        const claim = readRefreshToken(refreshToken(one, n, keyring))
        if (!claim) throw new Error('not read')
        expect(isIssued({ ...claim, generation: m }, one, keyring)).toBe(n === m)
        expect(isIssued(claim, { ...one, seed: other.seed }, keyring)).toBe(one.seed === other.seed)
        expect(isIssued(claim, { ...one, id: other.id }, keyring)).toBe(one.id === other.id)
      }),
    )
  })

  it('holds while the secret that made it is listed', () => {
    const of = { id: ID, seed: 'seed' }
    const claim = readRefreshToken(refreshToken(of, 3, keyring))
    expect(claim && isIssued(claim, of, createKeyring([NEW, OLD]))).toBe(true)
    expect(claim && isIssued(claim, of, createKeyring([NEW]))).toBe(false)
  })

  it.each([
    '',
    'eepr_',
    `eepr_${ID}.1.short`,
    `eepr_${ID}.01.${'a'.repeat(43)}`,
    `eepr_${ID}.-1.${'a'.repeat(43)}`,
    `eepr_${ID}.1e3.${'a'.repeat(43)}`,
    `eepr_${ID}.1.${'a'.repeat(43)}\n`,
    `eepr_../x.1.${'a'.repeat(43)}`,
    `eepa_${ID}.1.${'a'.repeat(43)}`,
  ])('is not %j', (text) => expect(readRefreshToken(text)).toBeUndefined())

  it('is read from no text without throwing', () => {
    fc.assert(fc.property(fc.string(), (text) => readRefreshToken(text) === undefined))
  })
})
