import { expect, it } from 'vitest'
import { operationIdPart } from './operation-id.ts'

it.each([
  ['stripe', 'Stripe'],
  ['pay-pal', 'PayPal'],
  ['my_bank.example', 'MyBankExample'],
  ['x402', 'X402'],
])('writes %s as %s', (name, part) => {
  expect(operationIdPart(name)).toBe(part)
})
