import { expect, it } from 'vitest'
import { base32, newTotpKey, otpauthUrl, stepOf, stepOfCode, totpCode } from './totp.ts'

const KEY = base32(Buffer.from('12345678901234567890'))

it('computes the codes of RFC 6238', () => {
  const codes = [59, 1_111_111_109, 1_234_567_890, 2_000_000_000].map((seconds) =>
    totpCode(KEY, stepOf(new Date(seconds * 1000))),
  )
  expect(codes).toEqual(['287082', '081804', '005924', '279037'])
})

it('writes keys in base 32', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  expect(newTotpKey()).toMatch(/^[A-Z2-7]{32}$/)
})

it('accepts a code one step early or late', () => {
  const at = new Date('2027-01-31T12:00:00Z')
  const now = stepOf(at)
  const steps = [-2, -1, 0, 1, 2].map((offset) => stepOfCode(KEY, totpCode(KEY, now + offset), at))
  expect(steps).toEqual([undefined, now - 1, now, now + 1, undefined])
})

it('writes the address for apps', () => {
  expect(otpauthUrl('Shop: A & B', 'ada@example.com', 'KEY')).toBe(
    'otpauth://totp/Shop%20%20A%20%26%20B:ada%40example.com?secret=KEY&issuer=Shop%3A%20A%20%26%20B',
  )
})
