import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBench, outcomeOf } from './testing/bench.ts'
import { type FakeStripe, startFakeStripe } from './testing/index.ts'

const GIVING_BACK = /^POST \/v1\/refunds$/

let stripe: FakeStripe
beforeAll(async () => {
  stripe = await startFakeStripe()
})
afterAll(() => stripe.stop())

async function settled() {
  const { rail, paid } = createBench(stripe)
  const { reference } = await (await paid()).settle()
  const refund = (key: string) => rail.refund?.({ reference, key }) ?? Promise.reject(new Error('no refunds'))
  const backs = () => stripe.refunds().filter((one) => one.payment_intent === reference)
  return { refund, backs }
}

describe('a refund', () => {
  it('refunds the whole payment once', async () => {
    const { refund, backs } = await settled()
    const [one, two] = [await refund('rcpt_1'), await refund('rcpt_1')]
    expect(two).toEqual(one)
    expect(backs()).toEqual([expect.objectContaining({ id: one.reference, amount: 500, currency: 'usd' })])
  })

  it.each(['hang_after', 'error_after', 'reset_after', 'redirect_after'] as const)(
    'refunds once when the request is repeated after a lost answer (%s)',
    async (fault) => {
      const { refund, backs } = await settled()
      stripe.failNext(GIVING_BACK, fault)
      await refund(`rcpt_${fault}`).catch(() => undefined)
      const { reference } = await refund(`rcpt_${fault}`)
      expect(backs().map(({ id }) => id)).toEqual([reference])
    },
  )

  it('makes another refund when a failed one is requested again', async () => {
    const { refund, backs } = await settled()
    stripe.failRefunds(2)
    await expect(refund('rcpt_failed')).rejects.toThrow('did not refund')
    await expect(refund('rcpt_failed')).rejects.toThrow('did not refund')
    const { reference } = await refund('rcpt_failed')
    expect(backs().map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded'])
    expect(backs().at(-1)?.id).toBe(reference)
    expect(await refund('rcpt_failed')).toEqual({ reference })
    expect(backs()).toHaveLength(3)
  })

  it.each(['hang_after', 'stored_error_after', 'reset_after'] as const)(
    'refunds once when the answer of the second attempt is lost (%s)',
    async (fault) => {
      const { refund, backs } = await settled()
      stripe.failRefunds(1)
      await refund(`rcpt_anew_${fault}`).catch(() => undefined)
      stripe.failNext(GIVING_BACK, 'nothing')
      stripe.failNext(GIVING_BACK, fault)
      await refund(`rcpt_anew_${fault}`).catch(() => undefined)
      const { reference } = await refund(`rcpt_anew_${fault}`)
      expect(backs().map(({ status }) => status)).toEqual(['failed', 'succeeded'])
      expect(backs().at(-1)?.id).toBe(reference)
    },
  )

  it('finds a refund that was made elsewhere or more than a day ago', async () => {
    const { refund, backs } = await settled()
    const { reference } = await refund('rcpt_3')
    stripe.forgetKeys()
    expect(await refund('rcpt_3')).toEqual({ reference })
    expect(backs()).toHaveLength(1)
  })

  it('throws when the key has no permission for refunds', async () => {
    const { refund, backs } = await settled()
    stripe.failNext(GIVING_BACK, 'bad_key')
    expect(await outcomeOf(refund('rcpt_4'))).toBe('rail_unavailable')
    expect(backs()).toEqual([])
  })
})
