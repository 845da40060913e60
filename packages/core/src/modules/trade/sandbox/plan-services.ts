import type { CoreContext } from '../../../framework/module/context.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import { createPlanBooks } from './billing/plan-books.ts'
import { createPlanTurns, type PlanMessageReceiver, planMessageDelivery } from './billing/plan-turns.ts'
import { createMoveClock } from './clock.ts'
import { createSandboxPlans } from './plans.ts'
import type { SandboxPlansApi } from './plans-api.ts'

/** What the sandbox needs of the module `subscriptions`, while it is on. */
export interface PlanDependencies {
  readonly subscriptions?:
    | (PlanMessageReceiver & { readonly sweep: { run(): Promise<unknown> } | undefined })
    | undefined
  readonly prepaidPlanTurns?: { run(): Promise<unknown> } | undefined
}

const EVERY_MS = 60_000

/** Creates the services for plans: the books of the play processor, what people do with plans, and the clock. */
export function createPlanServices(
  { read, write, clock, logger }: CoreContext<'sandbox'>,
  { subscriptions, prepaidPlanTurns }: PlanDependencies,
) {
  const planBooks = createPlanBooks({ read, write, clock })
  const deliverPlanMessages = planMessageDelivery(subscriptions, logger)
  const planTurns = createPlanTurns(planBooks, deliverPlanMessages)
  const moveClock = createMoveClock({
    write,
    // Reminders come last, so that none is sent for what has been renewed.
    after: [() => planTurns.run(), async () => prepaidPlanTurns?.run(), async () => subscriptions?.sweep?.run()],
  })
  const sandboxPlans: SandboxPlansApi = { ...createSandboxPlans(planBooks, deliverPlanMessages), moveClock }
  return { planBooks, deliverPlanMessages, planTurns, sandboxPlans }
}

export type PlanServices = ReturnType<typeof createPlanServices>

/** Renews plans while the sandbox runs for longer than their periods. */
export const planWorker = ({ planTurns }: PlanServices, { report }: Pick<CoreContext, 'report'>) =>
  timed((signal) => planTurns.run(signal), { everyMs: EVERY_MS, jitter: 0.25, onError: report })
