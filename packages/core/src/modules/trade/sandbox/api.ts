import type { SandboxPayment } from '../../../ports/storage/sandbox.ts'

/** The methods of `app.eep.sandboxPayments`: what a person decides at the processor of a sandbox. No money moves. */
export interface SandboxPaymentsApi {
  /**
   * Returns the latest payments by test card: those whose outcome is unknown, then pages and tokens that are open, then paid ones. At
   * most 100 of each.
   */
  listPayments(): Promise<readonly SandboxPayment[]>
  /**
   * Decides a payment whose outcome is unknown, and notifies the service. Returns the payment as it is then: an earlier decision stays.
   * Undefined when the payment does not exist.
   *
   * @example
   * ```ts
   * for (const { id, state } of await app.eep.sandboxPayments.listPayments()) {
   *   if (state === 'unknown') await app.eep.sandboxPayments.decidePayment(id, 'paid')
   * }
   * ```
   */
  decidePayment(id: string, outcome: 'paid' | 'declined'): Promise<SandboxPayment | undefined>
  /** Gives a paid payment back once, and notifies the service, which closes what it opened. Undefined when it was not paid. */
  refundPayment(id: string): Promise<SandboxPayment | undefined>
  /**
   * Opens the dispute of a paid payment, or decides an open one, and notifies the service, which notifies the seller. Undefined when that is
   * not possible.
   */
  disputePayment(id: string, state: 'opened' | 'won' | 'lost'): Promise<SandboxPayment | undefined>
}

/** The properties of `app.eep.sandbox`. */
export interface SandboxApi {
  /** The address of the page that acts as all visitors, with its key. For the person who started the service: do not show it to others. */
  readonly url: string
}
