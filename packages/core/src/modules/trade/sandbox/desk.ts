import { decimalOf } from '../../../ports/card/currency.ts'
import type { SandboxPayment } from '../../../ports/storage/sandbox.ts'
import type { DeskEntry, PaidEntry, PlanEntry, WalletEntry } from './dashboard.pages.ts'
import type { SandboxPaymentService } from './payments.ts'
import type { SandboxPlansApi } from './plans-api.ts'
import { detailOf } from './rail/records.ts'
import type { WalletSales } from './test-wallet/wallet-sales.ts'

/** What can be done with a payment by card. */
export type PaymentAction = 'paid' | 'not_paid' | 'refund' | 'dispute'
/** What can be done with a plan. */
export type PlanAction = 'end_period' | 'fail_next_payment'

/** What the page of the sandbox shows. */
export interface DeskEntries {
  readonly unknown: readonly DeskEntry[]
  readonly payments: readonly PaidEntry[]
  readonly walletSales: readonly WalletEntry[]
  readonly plans: readonly PlanEntry[]
}

export interface DeskDeps {
  readonly payments: Pick<SandboxPaymentService, 'listPayments' | 'decidePayment' | 'refundPayment' | 'disputePayment'>
  readonly plans: Pick<SandboxPlansApi, 'listPlans' | 'endPeriod' | 'failNextPayment' | 'moveClock'>
  readonly walletSales: WalletSales
  /** Returns the name of a seller by its DID. */
  readonly sellerName: (did: string) => Promise<string>
  /** Returns the name of an account. */
  readonly accountName: (id: string) => Promise<string>
}

const MAX_SHOWN = 20

/** What the person who started the service does in place of a bank and of time. Actions return false when they are not possible. */
export function createDesk({ payments, plans, walletSales, sellerName, accountName }: DeskDeps) {
  async function describe(payment: SandboxPayment): Promise<DeskEntry> {
    const { id, amount, currency, email, createdAt, decidedAt } = payment
    const seller = await sellerName(detailOf(payment, 'sellerDid') ?? '')
    return {
      id,
      title: detailOf(payment, 'item') ?? id,
      facts: [seller, ...(email === null ? [] : [email])],
      amount: { decimal: decimalOf(amount, currency), currency },
      at: decidedAt ?? createdAt,
    }
  }

  return {
    async show(): Promise<DeskEntries> {
      const [all, running, sold] = await Promise.all([payments.listPayments(), plans.listPlans(), walletSales.list()])
      const inState = (state: SandboxPayment['state']) => all.filter((payment) => payment.state === state)
      const describeAll = (some: readonly SandboxPayment[]) => Promise.all(some.slice(0, MAX_SHOWN).map(describe))
      const paid = inState('paid').slice(0, MAX_SHOWN)
      const described = await describeAll(paid)
      return {
        unknown: await describeAll(inState('unknown')),
        payments: described.map((entry, index) => ({
          ...entry,
          isRefunded: paid[index]?.refundedAt !== null,
          isDisputed: paid[index]?.dispute !== null,
        })),
        walletSales: await Promise.all(
          sold.map(async ({ receiptId, resource, seller, amount, issuedAt, refund }) => ({
            id: receiptId,
            title: resource,
            facts: [await sellerName(seller.did)],
            amount: { decimal: amount.decimal, currency: amount.currency },
            at: issuedAt,
            isRefunded: refund !== null,
          })),
        ),
        plans: await Promise.all(
          running.slice(0, MAX_SHOWN).map(async ({ id, accountId, title, currency, priceCents, status, ...plan }) => ({
            id,
            title,
            facts: [await accountName(accountId)],
            status,
            amount: { decimal: decimalOf(BigInt(priceCents), currency), currency },
            at: plan.currentPeriodEnd,
            failsNext: plan.failsNext,
          })),
        ),
      }
    },

    async actOnPayment(id: string, action: PaymentAction): Promise<boolean> {
      switch (action) {
        case 'paid':
          return (await payments.decidePayment(id, 'paid'))?.state === 'paid'
        case 'not_paid':
          return (await payments.decidePayment(id, 'declined'))?.state === 'declined'
        case 'refund':
          return (await payments.refundPayment(id)) !== undefined
        case 'dispute':
          return (await payments.disputePayment(id, 'opened')) !== undefined
      }
    },

    refundWalletSale: (receiptId: string): Promise<boolean> => walletSales.refund(receiptId),

    actOnPlan: (id: string, action: PlanAction): Promise<boolean> =>
      action === 'end_period' ? plans.endPeriod(id) : plans.failNextPayment(id),

    moveClock: (step: 'day' | 'month'): Promise<void> => plans.moveClock(step),
  }
}

export type Desk = ReturnType<typeof createDesk>
