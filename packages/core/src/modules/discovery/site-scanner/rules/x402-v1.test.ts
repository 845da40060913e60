import { describe, expect, it } from 'vitest'
import { siteOf, type TestAnswer } from './site-fixture.ts'
import { x402V1 } from './x402-v1.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const offer = { scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: '0xAb', payTo: '0xCd' }
const entry = { scheme: 'exact', network: 'base', maxAmountRequired: '10000', asset: '0xab', payTo: '0xCD' }
const paid = (body: string | object): TestAnswer => ({
  status: 402,
  headers: { 'payment-required': encode({ x402Version: 2, accepts: [offer] }) },
  body,
})
const v1 = (changes: object) => paid({ x402Version: 1, accepts: [{ ...entry, ...changes }] })

describe('x402-v1', () => {
  it.each<[string, TestAnswer, string]>([
    ['the offers of the header', v1({}), 'pass'],
    ['a body without offers', paid({ error: { code: 'payment_required' } }), 'pass'],
    ['a body that is not JSON', paid('<p>Pay</p>'), 'pass'],
    ['another amount', v1({ maxAmountRequired: '9999' }), 'fail'],
    ['another network', v1({ network: 'polygon' }), 'fail'],
    ['another token', v1({ asset: '0xef' }), 'fail'],
    ['another receiver', v1({ payTo: '0xef' }), 'fail'],
    ['a version without offers', paid({ x402Version: 1, accepts: [] }), 'fail'],
    ['an open page', { body: 'open' }, 'skip'],
    ['a 402 of another protocol', { status: 402 }, 'skip'],
  ])('gives $2 for %s', async (_, answer, status) => {
    expect((await x402V1.check(siteOf({ '/': answer }))).status).toBe(status)
  })
})
