import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromVariables } from './from-variables.ts'
import { createBench } from './testing/bench.ts'
import { type FakeStripe, startFakeStripe } from './testing/index.ts'

const EVENTS = ['created', 'updated', 'funds_withdrawn', 'funds_reinstated', 'closed']

let stripe: FakeStripe
beforeAll(async () => {
  stripe = await startFakeStripe()
})
afterAll(() => stripe.stop())

async function settled() {
  const { rail, paid } = createBench(stripe)
  const { credential, settle } = await paid()
  const { reference: intent } = await settle()
  /** What the rail reads in a message about a dispute of the payment, which was of 500 US cents. */
  const noticeOf = (type: string, changes: object) => {
    const dispute = { id: 'dp_1', object: 'dispute', payment_intent: intent, amount: 500, currency: 'usd', ...changes }
    const { body, headers } = stripe.message(stripe.event(`charge.dispute.${type}`, dispute))
    return rail.processor?.readDispute?.(Buffer.from(body), headers)
  }
  return { intent, credentialId: credential.id, noticeOf }
}

describe('a dispute', () => {
  it.each([
    ['needs_response', 'opened'],
    ['under_review', 'opened'],
    ['appeal_needs_response', 'opened'],
    ['appeal_under_review', 'opened'],
    ['won', 'won'],
    ['prevented', 'won'],
    ['lost', 'lost'],
  ])('with the status %s is %s, whichever event reports it', async (status, state) => {
    const { credentialId, noticeOf } = await settled()
    for (const type of EVENTS)
      expect(await noticeOf(type, { status })).toEqual({
        credentialId,
        reference: 'dp_1',
        state,
        isAppeal: status.startsWith('appeal_'),
        at: expect.any(Date),
        isWhole: true,
      })
  })

  it.each(['warning_needs_response', 'warning_under_review', 'warning_closed', 'a_status_of_tomorrow'])(
    'with the status %s is ignored, whichever event reports it',
    async (status) => {
      const { noticeOf } = await settled()
      for (const type of EVENTS) expect(await noticeOf(type, { status })).toBeUndefined()
    },
  )

  it('is about the whole payment when nothing remains of it without the disputed amount and earlier refunds', async () => {
    const { intent, noticeOf } = await settled()
    const isWhole = async (changes: object) => (await noticeOf('closed', { status: 'lost', ...changes }))?.isWhole
    expect([await isWhole({ amount: 500 }), await isWhole({ amount: 300 })]).toEqual([true, false])
    expect(await isWhole({ amount: 300, currency: 'eur' })).toBe(true)
    stripe.refundCharge(intent, 200)
    expect([await isWhole({ amount: 300 }), await isWhole({ amount: 299 })]).toEqual([true, false])
  })

  it('is about the whole payment when other lost disputes took the rest', async () => {
    const { noticeOf } = await settled()
    const isWhole = async (changes: object) => (await noticeOf('closed', { status: 'lost', ...changes }))?.isWhole
    await noticeOf('closed', { id: 'dp_won', status: 'won', amount: 300 })
    expect(await isWhole({ amount: 200 })).toBe(false)
    await noticeOf('closed', { id: 'dp_2', status: 'lost', amount: 299 })
    expect(await isWhole({ amount: 200 })).toBe(false)
    expect(await isWhole({ amount: 201 })).toBe(true)
  })

  it('is not decided while Stripe does not answer', async () => {
    const { noticeOf } = await settled()
    stripe.failNext(/GET .*refunds/, 'error_before')
    await expect(noticeOf('closed', { status: 'lost', amount: 300 })).rejects.toMatchObject({
      code: 'settlement_pending',
    })
  })

  it('is among the events that the operator is asked to enable', () => {
    const text = JSON.stringify(fromVariables.variables.STRIPE_SECRET_KEY)
    for (const type of EVENTS) expect(text).toMatch(new RegExp(`[. ](charge\\.dispute)?\\.${type}\\b`))
  })
})
