import { describe, expect, it } from 'vitest'
import { paymentChallenge } from './payment-challenge.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const request = Buffer.from('{"amount":"500","currency":"usd"}').toString('base64url')
const challenge = (changes = '') =>
  `EEP realm="gate", Payment id="1", realm="r", method="stripe", intent="charge"${changes}`
const paid = (header: string, cache = 'no-store'): TestAnswer => ({
  status: 402,
  headers: { 'www-authenticate': header, 'cache-control': cache },
})

describe('payment-challenge', () => {
  it.each<[string, TestAnswer, string]>([
    ['a challenge', paid(challenge(`, request="${request}", expires="2026-11-20T17:03:36Z"`)), 'pass'],
    ['no challenge', paid('EEP realm="gate"'), 'skip'],
    ['an open page', { body: 'open' }, 'skip'],
    ['a challenge without a request', paid(challenge()), 'fail'],
    ['a request that is not JSON', paid(challenge(', request="AAAA"')), 'fail'],
    ['a number in expires', paid(challenge(`, request="${request}", expires="1795454773"`)), 'fail'],
    ['a challenge that caches keep', paid(challenge(`, request="${request}"`), 'public'), 'fail'],
  ])('gives $2 for %s', async (_, answer, status) => {
    expect((await paymentChallenge.check(siteOf({ '/': answer }))).status).toBe(status)
  })
})
