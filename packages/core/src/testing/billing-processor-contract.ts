import { buying } from './billing-processor/buying.ts'
import { changing } from './billing-processor/changing.ts'
import { ending } from './billing-processor/ending.ts'
import { failing } from './billing-processor/failing.ts'
import { listening } from './billing-processor/listening.ts'
import type { BillingProcessorSubject } from './billing-processor/subject.ts'
import { contractRunner, type TestRunner } from './runner.ts'

/**
 * Runs the contract of a {@link BillingProcessor} as test cases: opens one checkout page per attempt, reports states, cancels and refunds subscriptions once, changes and continues them, rejects unsigned messages, and does not expose the processor's error messages.
 *
 * @param create - creates the processor and the functions that drive it; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/billing.md
 * @example
 * import * as vitest from 'vitest'
 *
 * billingProcessorContract(vitest, () => ({ processor: ownBilling(), buy, endPeriod, end }))
 */
export function billingProcessorContract(
  runner: TestRunner,
  create: () => Promise<BillingProcessorSubject> | BillingProcessorSubject,
): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('billing processor', () => {
    let subject: BillingProcessorSubject
    beforeAll(async () => {
      subject = await create()
    })
    afterAll(async () => {
      await subject.close?.()
    })
    for (const story of [buying, ending, changing, listening, failing]) story(it, () => subject)
  })
}

export type { BillingProcessorSubject } from './billing-processor/subject.ts'
