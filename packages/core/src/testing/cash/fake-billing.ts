import { createHmac } from 'node:crypto'
import { systemClock } from '../../kernel/clock.ts'
import {
  type BilledSubscription,
  type BillingProcessor,
  billingFailed,
  billingUnavailable,
} from '../../ports/billing-processor.ts'
import { type CashBill, createSubscriptionLedger } from './subscription-ledger.ts'

/** What is posted to the webhook of a service. */
export interface BillingMessage {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What goes wrong in a call of a {@link cashBilling}. The parts may be combined. */
export interface CashBillingFault {
  /** Does nothing before this promise is fulfilled. */
  readonly hold?: Promise<unknown> | undefined
  /** The call fails: before it was carried out, or after. */
  readonly lose?: 'request' | 'answer' | undefined
  /** The call fails because of our own key. */
  readonly refuse?: true | undefined
}

/** A method of {@link cashBilling} that a test can make fail. */
export type CashBillingMethod = Exclude<keyof BillingProcessor, 'id' | 'readMessage' | 'ping' | 'close'>

/** Options of {@link createFakeBilling}. */
export interface FakeBillingOptions {
  readonly clock?: (() => Date) | undefined
}

/** The far side of a {@link cashBilling}: buyers, months and accidents of a test. Each play gives the messages that follow. */
export interface FakeBilling {
  readonly ledger: ReturnType<typeof createSubscriptionLedger>
  readonly clock: () => Date
  /** Somebody buys on a page. */
  buy(checkout: string): readonly BillingMessage[]
  /** The period ends, or the trial: its bill is paid or not, or the subscription ends that was to end then. */
  endPeriod(subscription: string, payment?: 'paid' | 'failed'): readonly BillingMessage[]
  /** The processor ends it, with nothing given back. */
  end(subscription: string): readonly BillingMessage[]
  /** Whatever else may be so. */
  change(subscription: string, changes: Partial<BilledSubscription>): readonly BillingMessage[]
  message(subscription: string, bill?: CashBill, at?: Date): BillingMessage
  /** What was taken so far and not given back, in cents. */
  balance(): bigint
  /** Lets the next call of a method go wrong, or whichever comes next; called again, the one after it. */
  next(method: CashBillingMethod | 'any', fault: CashBillingFault): void
  /** The calls so far, oldest first. */
  readonly calls: readonly CashBillingMethod[]
  /** Carries out a call with the fault that was ordered for it; for the processor. */
  serve<Result>(method: CashBillingMethod, work: () => Result): Promise<Result>
}

export const stampOf = (body: string, at: string): string =>
  createHmac('sha256', 'cash billing').update(`${at}.${body}`).digest('hex')

/** A separate control object for each test. */
export function createFakeBilling({ clock = systemClock }: FakeBillingOptions = {}): FakeBilling {
  const ledger = createSubscriptionLedger(clock)
  const calls: CashBillingMethod[] = []
  const faults: { readonly method: CashBillingMethod | 'any'; readonly fault: CashBillingFault }[] = []
  let sent = 0

  const message: FakeBilling['message'] = (subscription, bill, at = clock()) => {
    const body = JSON.stringify({ number: ++sent, subscription, bill })
    const stamp = `${at.getTime()}`
    return { body, headers: { 'cash-stamp': `${stamp}.${stampOf(body, stamp)}` } }
  }

  return {
    ledger,
    clock,
    message,
    calls,
    balance: ledger.total,

    buy(checkout) {
      const desk = ledger.desks.get(checkout)
      if (desk?.checkout.state !== 'open') throw new Error(`Nobody can buy on ${checkout}`)
      const { subscriptionId, ...bill } = ledger.begin(desk.order)
      ledger.close(checkout, { state: 'complete', subscriptionId })
      return [message(subscriptionId), message(subscriptionId, bill)]
    },

    endPeriod(id, payment = 'paid') {
      if (!ledger.subscriptions.get(id)?.cancelAtPeriodEnd) return [message(id, ledger.turn(id, payment === 'paid'))]
      ledger.end(id)
      return [message(id)]
    },

    end(id) {
      ledger.end(id)
      return [message(id)]
    },

    change(id, changes) {
      ledger.set(id, changes)
      return [message(id)]
    },

    next(method, fault) {
      faults.push({ method, fault })
    },

    async serve(method, work) {
      calls.push(method)
      const index = faults.findIndex((one) => one.method === method || one.method === 'any')
      const { hold, lose, refuse } = (index < 0 ? undefined : faults.splice(index, 1)[0]?.fault) ?? {}
      await hold
      if (refuse) throw billingUnavailable()
      if (lose === 'request') throw billingFailed()
      const result = work()
      if (lose === 'answer') throw billingFailed()
      return result
    },
  }
}
