import { describe, expect, it } from 'vitest'
import { toAtomic, toAtomicAt, toDecimal } from './amount.ts'

describe('toAtomic', () => {
  it.each([
    ['0.01', 6, '10000'],
    ['1', 6, '1000000'],
    ['0.000001', 6, '1'],
    ['0.0100000000', 6, '10000'],
    ['007.5', 6, '7500000'],
    ['12', 0, '12'],
    ['90071992547409.931234', 6, '90071992547409931234'],
    ['1.000000000000000001', 18, '1000000000000000001'],
  ])('makes %s with %i decimals %s', (decimal, decimals, atomic) => {
    expect(toAtomic(decimal, decimals)).toBe(atomic)
  })

  it.each([
    '0',
    '0.00',
    '0.0000001',
    '-1',
    '+1',
    '1e4',
    '.5',
    '1.',
    '1,5',
    ' 1',
    '',
    '0x10',
    'Infinity',
    '1'.repeat(31),
  ])('sells nothing for %j', (decimal) => {
    expect(toAtomic(decimal, 6)).toBeUndefined()
  })
})

describe('toDecimal', () => {
  it.each([
    ['10000', 6, '0.01'],
    ['1', 6, '0.000001'],
    ['1000000', 6, '1'],
    ['12', 0, '12'],
    ['90071992547409931234', 6, '90071992547409.931234'],
  ])('makes %s with %i decimals %s', (atomic, decimals, decimal) => {
    expect(toDecimal(atomic, decimals)).toBe(decimal)
  })
})

describe('toAtomicAt', () => {
  it.each([
    ['1', '0.01', 6, '10000'],
    ['1.0', '0.01', 6, '10000'],
    ['1.09', '0.01', 6, '10900'],
    ['0.92', '10', 6, '9200000'],
    ['0.333333333333', '0.01', 6, '3334'],
    ['0.000000000001', '0.01', 6, '1'],
    ['149.5', '2', 0, '299'],
  ])('makes, at %s tokens for one, %s with %i decimals %s', (rate, price, decimals, atomic) => {
    expect(toAtomicAt(rate, price, decimals)).toBe(atomic)
  })

  it.each([
    ['1', '0.0000001'],
    ['1.09', '0'],
    ['1.09', '-1'],
    ['1.09', '1e4'],
  ])('sells nothing at %s for %s', (rate, price) => {
    expect(toAtomicAt(rate, price, 6)).toBeUndefined()
  })
})
