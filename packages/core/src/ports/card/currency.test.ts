import { describe, expect, it } from 'vitest'
import { chargeable, decimalOf } from './currency.ts'

describe('a price', () => {
  it.each([
    ['5', 'usd', 500n],
    ['5.000000', 'usd', 500n],
    ['0.5', 'eur', 50n],
    ['0.49', 'usd', undefined],
    ['0.3', 'gbp', 30n],
    ['1.005', 'usd', undefined],
    ['1.010', 'eur', 101n],
    ['120', 'jpy', 120n],
    ['120.5', 'jpy', undefined],
    ['999999.99', 'usd', 99_999_999n],
    ['1000000', 'usd', undefined],
    ['5', 'usdc', undefined],
    ['5', 'toString', undefined],
    ['1e3', 'usd', undefined],
    ['-5', 'usd', undefined],
    ['', 'usd', undefined],
  ])('of %s %s is charged as %s', (amount, currency, atomic) => {
    expect(chargeable(amount, currency)).toBe(atomic)
  })

  it('is written with the digits of its currency', () => {
    expect([decimalOf(500n, 'usd'), decimalOf(5n, 'eur'), decimalOf(120n, 'jpy')]).toEqual(['5.00', '0.05', '120'])
  })
})
