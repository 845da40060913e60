import { expect, it } from 'vitest'
import { operationIdPart } from './operation-id.ts'

it.each([
  ['stripe', 'Stripe'],
  ['pay-pal', 'PayPal'],
  ['my_bank.example', 'MyBankExample'],
  ['x402', 'X402'],
])('writes the name %s as %s in operation ids', (name, part) => {
  expect(operationIdPart(name)).toBe(part)
})
