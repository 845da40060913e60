import { describe, expect, it } from 'vitest'
import { crawlerPrice } from './crawler-price.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const offer = (amount: string, name = 'USDC') => ({ scheme: 'exact', amount, extra: { name } })
const paid = (price: string | undefined, accepts: object[], challenge?: string): TestAnswer => ({
  status: 402,
  headers: {
    'payment-required': encode({ x402Version: 2, accepts }),
    ...(price !== undefined && { 'crawler-price': price }),
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
  },
})
const card = (amount: string, currency: string) =>
  `Payment id="1", realm="r", method="stripe", intent="charge", request="${Buffer.from(JSON.stringify({ amount, currency })).toString('base64url')}"`

describe('crawler-price', () => {
  it.each<[string, TestAnswer, string]>([
    ['the only offer', paid('USD 0.01', [offer('10000')]), 'pass'],
    ['the lowest of several', paid('USD 0.01', [offer('20000'), offer('10000', 'USD Coin')]), 'pass'],
    ['another one', paid('USD 0.02', [offer('20000'), offer('10000')]), 'fail'],
    ['a lower one', paid('USD 0.001', [offer('10000')]), 'fail'],
    ['a card offer', paid('EUR 5.00', [], card('500', 'eur')), 'pass'],
    ['a card offer without cents', paid('JPY 500.00', [], card('500', 'jpy')), 'pass'],
    ['a card offer that differs', paid('EUR 5.00', [], card('600', 'eur')), 'fail'],
    ['no number', paid('0.01', [offer('10000')]), 'fail'],
    ['an unknown token only', paid('USD 0.01', [offer('1', 'Shells')]), 'skip'],
    ['no header', paid(undefined, [offer('10000')]), 'skip'],
    ['an open page', { body: 'open' }, 'skip'],
  ])('gives $2 for %s', async (_, answer, status) => {
    expect((await crawlerPrice.check(siteOf({ '/': answer }))).status).toBe(status)
  })
})
