import { describe, expect, it } from 'vitest'
import { line, prose } from '../kernel/text-fields.ts'
import { jsonObject, money, webUrl } from './profile-values.ts'

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

describe('webUrl', () => {
  it.each(['https://example.com/a?b#c', 'http://localhost:3000'])('takes %s', (url) => {
    expect(takes(webUrl, url)).toBe(true)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'ht\ntps://example.com',
    'https://example.com/\n# x',
    'https://example.com\0',
    'https://exa mple.com',
    'https://example.com/"><x',
    '//example.com',
    '',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('refuses %j', (url) => {
    expect(takes(webUrl, url)).toBe(false)
  })
})

describe('text', () => {
  it('rejects strings that cannot be stored', () => {
    for (const text of ['a\0b', 'half a pair \ud800']) {
      expect(takes(prose(100), text)).toBe(false)
      expect(takes(line(100), text)).toBe(false)
    }
  })

  it('allows line breaks in prose, and none in a line', () => {
    expect(takes(prose(100), 'a\n\nb')).toBe(true)
    expect(takes(line(100), 'a\nb')).toBe(false)
    expect(takes(line(100), '  ')).toBe(false)
  })
})

describe('jsonObject', () => {
  it('accepts values nested 6 levels deep, and no deeper', () => {
    expect(takes(jsonObject, nested(6))).toBe(true)
    expect(takes(jsonObject, nested(7))).toBe(false)
    expect(takes(jsonObject, nested(20_000))).toBe(false)
  })

  it('accepts up to 16 KB', () => {
    const filled = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
    expect(takes(jsonObject, filled(16_384))).toBe(true)
    expect(takes(jsonObject, filled(16_385))).toBe(false)
  })

  it('rejects strings that cannot be stored, at any depth and in keys', () => {
    for (const value of [
      { a: ['b\0'] },
      { 'a\0': 1 },
      { a: { '\ud800': 1 } },
      { a: Number.POSITIVE_INFINITY },
      [],
      'a',
      null,
    ]) {
      expect(takes(jsonObject, value)).toBe(false)
    }
  })
})

describe('money', () => {
  it('accepts an amount as a number or a decimal string', () => {
    expect(takes(money, { amount: 12.5, currency: 'EUR' })).toBe(true)
    expect(takes(money, { amount: '12.50', currency: 'usdc' })).toBe(true)
    for (const amount of [-1, '1e3', '1,5', '', Number.NaN])
      expect(takes(money, { amount, currency: 'EUR' })).toBe(false)
  })
})
