import { expect, it } from 'vitest'
import { shownAmount, typedAmount } from './typed-amount.ts'

it.each([0, 5, 0.125, 1.125, 12.5, 999.999, 1000, 0.000001 * 2_000_000])('reads %d as it writes it', (amount) => {
  expect(typedAmount(shownAmount(amount))).toBe(amount)
})

it('writes an empty text for no amount', () => {
  expect(shownAmount(undefined)).toBe('')
})
