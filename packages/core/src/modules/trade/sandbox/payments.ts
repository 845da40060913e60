import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { settlementPending } from '../../../ports/payment-rail.ts'
import type { SandboxPayment } from '../../../ports/storage/sandbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { hasProcessor, type Paywall, type ProcessorRail } from '../../access/paywall/index.ts'
import type { SandboxPaymentsApi } from './api.ts'
import { credentialIdOf, disputeIdOf, paymentIdOf, refundIdOf, SANDBOX_PROCESSOR } from './rail/records.ts'

/** How a person leaves the page of a checkout. */
export type CheckoutAnswer = 'paid' | 'unknown' | 'canceled'

/** The payments by test card, for pages and for people who decide. */
export interface SandboxPaymentService extends SandboxPaymentsApi {
  /** Returns the payment of a checkout page; undefined when there is no such page. */
  getCheckout(session: string): Promise<SandboxPayment | undefined>
  /** Answers an open checkout page, once. Returns the payment as it is then: a second answer changes nothing. */
  answerCheckout(
    session: string,
    answer: CheckoutAnswer,
    email: string | undefined,
  ): Promise<SandboxPayment | undefined>
}

export interface SandboxPaymentDeps extends GuardedStorage<'sandbox'> {
  readonly clock: Clock
  readonly paywall: Pick<Paywall, 'rails' | 'checkouts'>
  readonly report: (error: unknown) => void
  /** Called once for each checkout that was paid. */
  readonly onPaid?: ((payment: SandboxPayment) => void) | undefined
}

/** The most payments that are listed. */
const LISTED = 100

/**
 * The payments by test card as the processor has them. The service is notified of each change immediately, as a real processor would
 * do by webhook. If that fails, the service asks later, as it does when a webhook is lost.
 */
export function createSandboxPayments({
  read,
  write,
  clock,
  paywall,
  report,
  onPaid,
}: SandboxPaymentDeps): SandboxPaymentService {
  /** Records a change in the books of the service. Repeating it changes nothing. */
  async function notify(work: (rail: ProcessorRail) => Promise<unknown>): Promise<void> {
    const rail = paywall.rails.filter(hasProcessor).find(({ processor }) => processor.name === SANDBOX_PROCESSOR)
    if (!rail) return
    await work(rail).catch((error: unknown) => {
      // A payment without a decision stays as it is.
      if (!isEepError(error) || error.code !== settlementPending.code) report(error)
    })
  }

  const notifyOutcome = (payment: SandboxPayment) =>
    notify((rail) => paywall.checkouts.look(rail, credentialIdOf(payment)))

  async function getCheckout(session: string): Promise<SandboxPayment | undefined> {
    const payment = await read.sandboxPayments.get(paymentIdOf(session))
    const isOver = payment?.state === 'open' && payment.expiresAt <= clock()
    return isOver ? { ...payment, state: 'expired' } : payment
  }

  return {
    getCheckout,

    async answerCheckout(session, answer, email) {
      const id = paymentIdOf(session)
      const decision = { id, from: ['open'], to: answer, at: clock(), email } as const
      const answered = await write((tx) => tx.sandboxPayments.decide(decision))
      if (answered) await notifyOutcome(answered)
      if (answered?.state === 'paid') onPaid?.(answered)
      return answered ?? getCheckout(session)
    },

    async listPayments() {
      const { sandboxPayments } = read
      const [waiting, open, paid] = await Promise.all(
        (['unknown', 'open', 'paid'] as const).map((state) => sandboxPayments.list([state], LISTED)),
      )
      return [...(waiting ?? []), ...(open ?? []).filter(({ expiresAt }) => expiresAt > clock()), ...(paid ?? [])]
    },

    async decidePayment(id, outcome) {
      const decision = { id, from: ['unknown'], to: outcome, at: clock() } as const
      const decided = await write((tx) => tx.sandboxPayments.decide(decision))
      const payment = decided ?? (await read.sandboxPayments.get(id))
      if (payment) await notifyOutcome(payment)
      if (decided?.state === 'paid') onPaid?.(decided)
      return payment
    },

    async refundPayment(id) {
      const refunded = await write((tx) => tx.sandboxPayments.refund(id, clock()))
      if (!refunded) return undefined
      const notice = { credentialId: credentialIdOf(refunded), reference: refundIdOf(id) }
      await notify((rail) => paywall.checkouts.noteRefund(rail, notice))
      return refunded
    },

    async disputePayment(id, state) {
      const disputed = await write((tx) => tx.sandboxPayments.dispute(id, state))
      if (!disputed) return undefined
      const notice = { credentialId: credentialIdOf(disputed), reference: disputeIdOf(id), state }
      await notify((rail) => paywall.checkouts.noteDispute(rail, notice))
      return disputed
    },
  }
}
