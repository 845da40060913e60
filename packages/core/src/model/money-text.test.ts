import { expect, it } from 'vitest'
import { moneyText } from './money-text.ts'

const plain = (text: string) => text.replaceAll(/[\u00A0\u200F]/g, ' ')

it.each([
  ['en', '2.50', 'eur', '€2.50'],
  ['de', '1234.5', 'EUR', '1.234,50 €'],
  ['ja', 1980, 'JPY', '￥1,980'],
  ['en', '0.12345678', 'USD', '$0.12345678'],
  ['en', '123456789012.12345678', 'USD', '$123,456,789,012.12345678'],
  ['en', '2.50', 'usdc', '2.5 USDC'],
  ['de', 3, 'usdc', '3 USDC'],
  ['en', 5, 'xyz', 'XYZ 5.00'],
])('formats in %s the amount %s %s as %s', (language, amount, currency, text) => {
  expect(plain(moneyText({ language }, amount, currency))).toBe(text)
})
