import { describe, expect, it } from 'vitest'
import {
  crawlerErrorOf,
  crawlerPrice,
  lowestPrice,
  meetsLimit,
  PRICE_LIMIT_NOT_MET,
  readPriceLimit,
} from './crawler-price.ts'

const price = (amount: string, currency = 'usd') => ({ amount, currency })

describe('crawlerPrice', () => {
  it.each([
    [price('0.01'), 'USD 0.01'],
    [price('5'), 'USD 5.00'],
    [price('0.5', 'usdc'), 'USD 0.50'],
    [price('0.000001', 'eur'), 'EUR 0.000001'],
  ])('writes %j as %s', (given, text) => {
    expect(crawlerPrice(given)).toBe(text)
  })
})

describe('lowestPrice', () => {
  it('compares prices in the currency of the first one, and dollars with USDC', () => {
    expect(lowestPrice([price('2'), price('0.9', 'usdc'), price('0.1', 'eur'), price('10')])).toEqual(
      price('0.9', 'usdc'),
    )
    expect(lowestPrice([])).toBeUndefined()
  })
})

describe('readPriceLimit', () => {
  it('reads the limit of a request, or undefined without one', () => {
    expect(readPriceLimit({})).toBeUndefined()
    expect(readPriceLimit({ crawlerMaxPrice: 'USD 0.01' })).toEqual({ is: 'max', currency: 'USD', micros: 10_000n })
    expect(readPriceLimit({ crawlerExactPrice: 'EUR 5' })).toEqual({ is: 'exact', currency: 'EUR', micros: 5_000_000n })
  })

  it.each([
    '',
    'USD',
    '0.01',
    'usd 0.01',
    'USD  0.01',
    'USD 0.01, USD 1',
    'USD -1',
    'USD 1e3',
    'USD 0.0000001',
    'USD .5',
    'USD 01.00',
  ])('refuses %j', (text) => {
    expect(() => readPriceLimit({ crawlerMaxPrice: text })).toThrow(
      expect.objectContaining({ code: 'invalid_crawler_price', crawler: { error: 'InvalidCrawlerPriceValue' } }),
    )
  })

  it('refuses two limits', () => {
    expect(() => readPriceLimit({ crawlerMaxPrice: 'USD 1.00', crawlerExactPrice: 'USD 1.00' })).toThrow(
      expect.objectContaining({ code: 'conflicting_price_headers' }),
    )
  })
})

describe('meetsLimit', () => {
  it.each([
    ['max', '0.02', true],
    ['max', '0.01', true],
    ['max', '0.009999', false],
    ['exact', '0.010', true],
    ['exact', '0.02', false],
  ])('%s %s for 0.01: %s', (is, amount, met) => {
    const limit = readPriceLimit(
      is === 'max' ? { crawlerMaxPrice: `USD ${amount}` } : { crawlerExactPrice: `USD ${amount}` },
    )
    expect(limit && meetsLimit(limit, price('0.01', 'usdc'))).toBe(met)
  })

  it('converts no currency', () => {
    const limit = readPriceLimit({ crawlerMaxPrice: 'EUR 100.00' })
    expect(limit && meetsLimit(limit, price('0.01'))).toBe(false)
  })
})

describe('crawlerErrorOf', () => {
  const limit = readPriceLimit({ crawlerMaxPrice: 'USD 0.05' })
  it.each([
    ['nothing without a limit and a payment', undefined, '0.01', undefined, undefined],
    ['a failed payment', undefined, '0.01', 'invalid_payload', 'PaymentFailed'],
    ['a missing payment within the limit', limit, '0.01', undefined, 'PaymentFailed'],
    ['a price above the limit', limit, '0.06', undefined, 'InvalidCrawlerMaxPrice'],
    ['a payment above the limit', limit, '0.01', PRICE_LIMIT_NOT_MET, 'InvalidCrawlerMaxPrice'],
    ['a failed payment within the limit', limit, '0.01', 'invalid_network', 'PaymentFailed'],
  ] as const)('names %s', (_what, given, amount, reason, error) => {
    expect(crawlerErrorOf(given, price(amount), reason)).toBe(error)
  })
})
