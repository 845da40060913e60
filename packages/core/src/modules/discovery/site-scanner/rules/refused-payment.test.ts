import { describe, expect, it } from 'vitest'
import { refusedPayment } from './refused-payment.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const offer = { scheme: 'exact', network: 'eip155:8453', amount: '10000' }
const required = { 'payment-required': encode({ x402Version: 2, accepts: [offer] }) }
const unpaid: TestAnswer = { status: 402, headers: required }
const refused = (response: object): TestAnswer => ({
  status: 402,
  headers: { ...required, 'payment-response': encode(response) },
})

describe('refused-payment', () => {
  it.each<[string, TestAnswer, string]>([
    ['a reason', refused({ success: false, errorReason: 'invalid_network', network: 'eip155:0' }), 'pass'],
    ['no network', refused({ success: false, errorReason: 'invalid_network', network: '' }), 'fail'],
    ['no reason', refused({ success: false, network: 'eip155:0' }), 'fail'],
    ['success', refused({ success: true, errorReason: 'x', network: 'eip155:0' }), 'fail'],
    ['the 402 of an unpaid request', unpaid, 'fail'],
    ['the page', { body: 'for nothing' }, 'fail'],
    ['an error', { status: 500 }, 'fail'],
  ])('gives $2 for a site that answers with %s', async (_, answer, status) => {
    const answers = { '/': ({ headers }: { headers: object }) => ('payment-signature' in headers ? answer : unpaid) }
    expect((await refusedPayment.check(siteOf(answers))).status).toBe(status)
  })

  it('sends a payment that cannot be taken, and only where there is an offer', async () => {
    const sent: string[] = []
    const watch = (answer: TestAnswer) => ({
      '/': ({ headers }: { headers: Readonly<Record<string, string>> }) => {
        const payment = headers['payment-signature']
        if (payment !== undefined) sent.push(payment)
        return answer
      },
    })
    expect((await refusedPayment.check(siteOf(watch({ status: 402 })))).status).toBe('skip')
    expect((await refusedPayment.check(siteOf({ '/': 'open' }))).status).toBe('skip')
    expect(sent).toEqual([])
    await refusedPayment.check(siteOf(watch(unpaid)))
    const { accepted, payload } = JSON.parse(Buffer.from(sent[0] ?? '', 'base64').toString())
    expect([accepted.network, accepted.amount, payload.authorization.value]).toEqual(['eip155:0', '0', '0'])
    expect(payload.signature).toMatch(/^0x0+$/)
  })
})
