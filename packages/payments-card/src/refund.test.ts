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
  it('gives the whole payment back, once', async () => {
    const { refund, backs } = await settled()
    const [one, two] = [await refund('rcpt_1'), await refund('rcpt_1')]
    expect(two).toEqual(one)
    expect(backs()).toEqual([expect.objectContaining({ id: one.reference, amount: 500, currency: 'usd' })])
  })

  it.each(['hang_after', 'error_after', 'reset_after', 'redirect_after'] as const)(
    'whose answer is lost (%s) is given once when it is asked for again',
    async (fault) => {
      const { refund, backs } = await settled()
      stripe.failNext(GIVING_BACK, fault)
      await refund(`rcpt_${fault}`).catch(() => undefined)
      const { reference } = await refund(`rcpt_${fault}`)
      expect(backs().map(({ id }) => id)).toEqual([reference])
    },
  )

  it('that failed for certain is made anew when it is asked for again', async () => {
    const { refund, backs } = await settled()
    stripe.failRefunds(2)
    await expect(refund('rcpt_failed')).rejects.toThrow('did not give')
    await expect(refund('rcpt_failed')).rejects.toThrow('did not give')
    const { reference } = await refund('rcpt_failed')
    expect(backs().map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded'])
    expect(backs().at(-1)?.id).toBe(reference)
    expect(await refund('rcpt_failed')).toEqual({ reference })
    expect(backs()).toHaveLength(3)
  })

  it.each(['hang_after', 'stored_error_after', 'reset_after'] as const)(
    'that is made anew and whose answer is lost (%s) is given once',
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

  it('that was made by somebody else, or more than a day ago, is found', async () => {
    const { refund, backs } = await settled()
    const { reference } = await refund('rcpt_3')
    stripe.forgetKeys()
    expect(await refund('rcpt_3')).toEqual({ reference })
    expect(backs()).toHaveLength(1)
  })

  it('that our key may not make is ours to mend', async () => {
    const { refund, backs } = await settled()
    stripe.failNext(GIVING_BACK, 'bad_key')
    expect(await outcomeOf(refund('rcpt_4'))).toBe('rail_unavailable')
    expect(backs()).toEqual([])
  })
})
