import type { ChangedPlan, Plan, PlanBooks } from './billing/plan-books.ts'
import { subscriptionOf } from './billing/plan-state.ts'
import type { DeliverPlanMessages } from './billing/plan-turns.ts'
import type { SandboxPlanState, SandboxPlansApi } from './plans-api.ts'

const MAX_LISTED = 100

/** What a person who tries the service out does with plans. */
export function createSandboxPlans(books: PlanBooks, deliver: DeliverPlanMessages): Omit<SandboxPlansApi, 'moveClock'> {
  async function deliverAll(changing: Promise<ChangedPlan | undefined>): Promise<boolean> {
    const changed = await changing
    await deliver(changed?.messages ?? [])
    return changed !== undefined && changed.messages.length > 0
  }

  return {
    listPlans: async () => (await books.list(MAX_LISTED)).flatMap(stateOf),
    endPeriod: (id) => deliverAll(books.endPeriod(id)),
    failNextPayment: (id) => deliverAll(books.failNextPayment(id)),
    cancelPlan: (id) => deliverAll(books.cancel(id, 'unpaid')),
  }
}

/** The state of a plan that was started; none of an order. */
function stateOf(plan: Plan): readonly SandboxPlanState[] {
  const billed = subscriptionOf(plan)
  const { accountId, details, subscription } = plan
  if (!billed || !subscription) return []
  const { id, currency, priceCents, currentPeriodEnd, cancelAtPeriodEnd } = billed
  const { status, failsNext } = subscription
  const { title } = details
  return [{ id, accountId, title, currency, priceCents, status, currentPeriodEnd, cancelAtPeriodEnd, failsNext }]
}
