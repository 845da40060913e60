import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import { DAY_MS } from '../../../../kernel/durations.ts'
import { asJson } from '../../../../kernel/json.ts'
import {
  billingDeclined,
  billingFailed,
  type SubscriptionOrder,
  type PlanChange as WantedPlan,
} from '../../../../ports/billing-processor.ts'
import type { Readers, Stores } from '../../../../ports/storage/storage.ts'
import { type PlanMessage, writePlanMessage } from './plan-message.ts'
import {
  cancelled,
  expired,
  failingNext,
  type Plan,
  type PlanChange,
  type PlanDetails,
  readPlan,
  started,
  turnedIfDue,
  turnedNow,
} from './plan-state.ts'

import { resumed, switched } from './plan-switch.ts'

export type { Plan } from './plan-state.ts'

export interface PlanBooksDeps {
  readonly read: Pick<Readers<'sandbox'>, 'sandboxPlans'>
  readonly write: <Result>(work: (tx: Stores<'sandbox'>) => Promise<Result>) => Promise<Result>
  readonly clock: Clock
}

/** A plan after a change, and the messages of the processor about it. */
export interface ChangedPlan {
  readonly plan: Plan
  /** Empty when nothing changed. */
  readonly messages: readonly PlanMessage[]
}

/** How long a page can be used. */
const PAGE_MS = DAY_MS
/** Each conflict means that another change was stored, so these are many. */
const MAX_CONFLICTS = 50

const newId = (kind: string) => `${kind}_${randomBytes(16).toString('base64url')}`

/** The books of the play processor: orders of plans and their subscriptions. Of concurrent changes of a plan, each sees the one before. */
export function createPlanBooks({ read, write, clock }: PlanBooksDeps) {
  const get = async (id: string): Promise<Plan | undefined> => {
    const stored = await read.sandboxPlans.get(id)
    return stored && readPlan(stored)
  }

  const getBySubscription = async (id: string): Promise<Plan | undefined> => {
    const stored = await read.sandboxPlans.getBySubscription(id)
    return stored && readPlan(stored)
  }

  function messagesOf({ id, version, subscriptionId }: Plan, { invoice }: PlanChange): readonly PlanMessage[] {
    if (subscriptionId === null) return []
    const now = clock()
    return [
      writePlanMessage({ id: `${id}_${version}`, type: 'subscription.changed', subscriptionId }, now),
      ...(invoice
        ? [
            writePlanMessage(
              { id: `${invoice.id}_${invoice.attempt}`, type: 'invoice.tried', subscriptionId, invoice },
              now,
            ),
          ]
        : []),
    ]
  }

  /** Changes a plan by what a rule makes of it. The rule sees the latest state, and is asked again after a concurrent change. */
  async function change(
    find: () => Promise<Plan | undefined>,
    rule: (plan: Plan) => PlanChange | undefined,
  ): Promise<ChangedPlan | undefined> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const plan = await find()
      if (!plan) return undefined
      const changed = rule(plan)
      if (!changed) return { plan, messages: [] }
      const { id, version } = plan
      const { details, subscriptionId, aheadMs } = changed
      const stored = await write((tx) =>
        tx.sandboxPlans.update({ id, version, subscriptionId, aheadMs, details: asJson(details) }),
      )
      if (!stored) continue
      const after = readPlan(stored)
      return { plan: after, messages: messagesOf(after, changed) }
    }
    throw billingFailed()
  }

  const changeSubscription = (id: string, rule: (plan: Plan) => PlanChange | undefined) =>
    change(() => getBySubscription(id), rule)

  return {
    get,
    getBySubscription,

    /** Opens a page for an order, one for each attempt. `urlOf` returns the address of a page. */
    async open(order: SubscriptionOrder, urlOf: (id: string) => string): Promise<Plan> {
      const { accountId, attempt, tier, currency, priceCents, trialDays, title, successUrl, cancelUrl } = order
      const id = randomBytes(16).toString('base64url')
      const createdAt = clock()
      const details: PlanDetails = {
        url: urlOf(id),
        page: 'open',
        expiresAt: createdAt.getTime() + PAGE_MS,
        tier,
        currency,
        priceCents,
        trialDays,
        title,
        customerId: order.customerId ?? newId('sandbox_customer'),
        successUrl,
        cancelUrl,
        subscription: null,
      }
      const plan = { id, accountId, attempt, details: asJson(details), createdAt }
      return readPlan(await write((tx) => tx.sandboxPlans.insert(plan)))
    },

    /** Expires a page. Undefined when it does not exist. */
    expire: (id: string) => change(() => get(id), expired),

    /** Completes a page. Without messages when it was not open. */
    complete: (id: string) =>
      change(
        () => get(id),
        (plan) => started(plan, newId('sandbox_subscription'), clock()),
      ),

    /** Ends a subscription; see `cancelled`. */
    cancel: (subscriptionId: string, when: 'at_period_end' | 'immediately' | 'unpaid') =>
      changeSubscription(subscriptionId, (plan) => cancelled(plan, when, clock())),

    /**
     * Changes a running subscription to another plan; see `switched`.
     *
     * @throws `plan_payment_declined` when a person chose that the next payment fails
     */
    async switchPlan(subscriptionId: string, wanted: WantedPlan): Promise<ChangedPlan | undefined> {
      let isDeclined = false
      const changed = await changeSubscription(subscriptionId, (plan) => {
        const change = switched(plan, wanted, clock())
        isDeclined = change?.isDeclined === true
        return change
      })
      if (isDeclined) throw billingDeclined()
      return changed
    },

    /** Continues a cancelled subscription. */
    resume: (subscriptionId: string) => changeSubscription(subscriptionId, resumed),

    /** Moves the time of one plan to the end of its period, or to the next attempt of its payment. */
    endPeriod: (subscriptionId: string) => changeSubscription(subscriptionId, (plan) => turnedNow(plan, clock())),

    /** Lets the next payment fail. */
    failNextPayment: (subscriptionId: string) => changeSubscription(subscriptionId, failingNext),

    /** Makes the next payment that is due, or ends what was cancelled. Without messages when nothing is due. */
    turn: (subscriptionId: string) => changeSubscription(subscriptionId, (plan) => turnedIfDue(plan, clock())),

    /** The latest plans, the latest first. */
    list: async (limit: number): Promise<readonly Plan[]> => (await read.sandboxPlans.list(limit)).map(readPlan),
  }
}

export type PlanBooks = ReturnType<typeof createPlanBooks>
