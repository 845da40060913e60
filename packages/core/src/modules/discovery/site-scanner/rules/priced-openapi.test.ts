import { expect, it } from 'vitest'
import { pricedOpenapi } from './priced-openapi.ts'
import { siteOf, type TestAnswer, type TestAnswers } from './site-fixture.ts'

const info = { price: { mode: 'fixed', currency: 'USD', amount: '0.05' }, protocols: [{ x402: {} }] }
const documentOf = (payment: object, more: object = {}) => ({
  openapi: '3.1.0',
  paths: {
    '/quotes/{symbol}': {
      get: {
        parameters: [{ name: 'symbol', in: 'path', example: 'ACME' }],
        'x-payment-info': payment,
        responses: { 402: {} },
        ...more,
      },
    },
  },
})
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
const paid = (amount: string): TestAnswer => ({
  status: 402,
  headers: { 'payment-required': encode({ accepts: [{ scheme: 'exact', amount }] }) },
})
const byCard = (amount: string): TestAnswer => {
  const request = Buffer.from(JSON.stringify({ amount, currency: 'usd' })).toString('base64url')
  const header = `Payment id="1", realm="r", method="stripe", intent="charge", request="${request}"`
  return { status: 402, headers: { 'www-authenticate': header } }
}
const sells = (document: object, answer: TestAnswer = paid('50000')): TestAnswers => ({
  '/openapi.json': { body: document },
  '/quotes/ACME': answer,
})
const offers = [{ amount: '5', method: 'stripe', intent: 'charge', currency: 'usd' }]

it.each<[string, TestAnswers, string]>([
  ['a listed price that the 402 asks for', sells(documentOf(info)), 'pass'],
  ['a price of another token', sells(documentOf(info), paid('50000000000000000')), 'pass'],
  ['an offer that the challenge asks for', sells(documentOf({ offers }), byCard('5')), 'pass'],
  ['a dynamic price', sells(documentOf({ price: { mode: 'dynamic', currency: 'USD' } })), 'pass'],
  ['no document', {}, 'skip'],
  ['a document without prices', { '/openapi.json': { body: { openapi: '3.1.0', paths: {} } } }, 'skip'],
  ['another price', sells(documentOf(info), paid('60000')), 'fail'],
  ['an offer of another price', sells(documentOf({ offers }), byCard('6')), 'fail'],
  ['an operation that is open', sells(documentOf(info), { status: 200 }), 'fail'],
  ['an operation that does not exist', sells(documentOf(info), { status: 404 }), 'fail'],
  ['no declared 402', sells(documentOf(info, { responses: {} })), 'fail'],
  ['both forms mixed', sells(documentOf({ offers, amount: '5' }), byCard('5')), 'fail'],
  ['no price', sells(documentOf({})), 'fail'],
  [
    'a long document',
    { ...sells(documentOf(info)), '/openapi.json': { body: documentOf(info), bytes: 70_000 } },
    'warn',
  ],
])('finds %s', async (_, site, status) => {
  expect((await pricedOpenapi.check(siteOf(site))).status).toBe(status)
})
