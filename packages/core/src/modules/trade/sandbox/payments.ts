import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { settlementPending } from '../../../ports/payment-rail.ts'
import type { SandboxPayment } from '../../../ports/storage/sandbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { hasProcessor, type Paywall, type ProcessorRail } from '../../access/paywall/index.ts'
import { credentialIdOf, disputeIdOf, paymentIdOf, refundIdOf, SANDBOX_PROCESSOR } from './rail/records.ts'

/** How a person leaves the page of a checkout. */
export type CheckoutAnswer = 'paid' | 'unknown' | 'canceled'

export interface SandboxPaymentDeps extends GuardedStorage<'sandbox'> {
  readonly clock: Clock
  readonly paywall: Pick<Paywall, 'rails' | 'checkouts'>
  readonly report: (error: unknown) => void
}

/** The most payments that are listed. */
const LISTED = 100

/**
 * The payments by test card as the processor has them. Each change tells the service at once what a real processor would tell it by
 * webhook. If that fails, the service asks later, as it does when a webhook is lost.
 */
export function createSandboxPayments({ read, write, clock, paywall, report }: SandboxPaymentDeps) {
  /** Tells the books of the service. Repeating it changes nothing. */
  async function tell(work: (rail: ProcessorRail) => Promise<unknown>): Promise<void> {
    const rail = paywall.rails.filter(hasProcessor).find(({ processor }) => processor.name === SANDBOX_PROCESSOR)
    if (!rail) return
    await work(rail).catch((error: unknown) => {
      // A payment whose outcome nobody has decided stays as it is.
      if (!isEepError(error) || error.code !== settlementPending.code) report(error)
    })
  }

  const tellOutcome = (payment: SandboxPayment) => tell((rail) => paywall.checkouts.look(rail, credentialIdOf(payment)))

  async function getCheckout(session: string): Promise<SandboxPayment | undefined> {
    const payment = await read.sandboxPayments.get(paymentIdOf(session))
    const isOver = payment?.state === 'open' && payment.expiresAt <= clock()
    return isOver ? { ...payment, state: 'expired' } : payment
  }

  return {
    /** Returns the payment of a checkout page; undefined when there is no such page. */
    getCheckout,

    /** Answers an open checkout page, once. Returns the payment as it is then: a second answer changes nothing. */
    async answerCheckout(
      session: string,
      answer: CheckoutAnswer,
      email?: string | undefined,
    ): Promise<SandboxPayment | undefined> {
      const id = paymentIdOf(session)
      const answered = await write((tx) =>
        tx.sandboxPayments.decide({ id, from: ['open'], to: answer, at: clock(), email }),
      )
      if (answered) await tellOutcome(answered)
      return answered ?? getCheckout(session)
    },

    /** Returns the latest payments that were used, and the pages and tokens that are open; those that wait for a decision first. */
    async listPayments(): Promise<readonly SandboxPayment[]> {
      const waiting = await read.sandboxPayments.list(['unknown'], LISTED)
      const open = await read.sandboxPayments.list(['open'], LISTED)
      const paid = await read.sandboxPayments.list(['paid'], LISTED)
      return [...waiting, ...open.filter(({ expiresAt }) => expiresAt > clock()), ...paid]
    },

    /** Decides a payment whose outcome is unknown. Returns the payment as it is then; undefined when there is none. */
    async decidePayment(id: string, outcome: 'paid' | 'declined'): Promise<SandboxPayment | undefined> {
      const decided = await write((tx) =>
        tx.sandboxPayments.decide({ id, from: ['unknown'], to: outcome, at: clock() }),
      )
      const payment = decided ?? (await read.sandboxPayments.get(id))
      if (payment) await tellOutcome(payment)
      return payment
    },

    /** Gives a paid payment back, as sellers can at their processor: what it opened is closed. Undefined when it was not paid. */
    async refundPayment(id: string): Promise<SandboxPayment | undefined> {
      const refunded = await write((tx) => tx.sandboxPayments.refund(id, clock()))
      if (!refunded) return undefined
      const notice = { credentialId: credentialIdOf(refunded), reference: refundIdOf(id) }
      await tell((rail) => paywall.checkouts.noteRefund(rail, notice))
      return refunded
    },

    /** Opens the dispute of a paid payment, or decides it, as its bank would. Undefined when that is not possible. */
    async disputePayment(id: string, state: 'opened' | 'won' | 'lost'): Promise<SandboxPayment | undefined> {
      const disputed = await write((tx) => tx.sandboxPayments.dispute(id, state))
      if (!disputed) return undefined
      const notice = { credentialId: credentialIdOf(disputed), reference: disputeIdOf(id), state }
      await tell((rail) => paywall.checkouts.noteDispute(rail, notice))
      return disputed
    },
  }
}

/** The payments by test card as the processor has them. */
export type SandboxPaymentService = ReturnType<typeof createSandboxPayments>
