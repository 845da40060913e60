/** A plan that a person started with a test card. */
export interface SandboxPlanState {
  /** The id of the subscription at the play processor. */
  readonly id: string
  readonly accountId: string
  /** The name of the plan. */
  readonly title: string
  /** ISO 4217, lower case. */
  readonly currency: string
  /** For a month, in the smallest unit of the currency. */
  readonly priceCents: number
  readonly status: 'trialing' | 'active' | 'past_due' | 'canceled'
  readonly currentPeriodEnd: Date
  readonly cancelAtPeriodEnd: boolean
  /** Whether the next payment fails. */
  readonly failsNext: boolean
}

/**
 * The methods of `app.eep.sandboxPlans`: what a person decides at the processor of a sandbox about plans, and the clock. No money moves, and
 * the service is notified. Methods about one plan return false when it does not exist or has ended.
 */
export interface SandboxPlansApi {
  /** Returns the latest plans, at most 100, the latest first. */
  listPlans(): Promise<readonly SandboxPlanState[]>
  /** Ends the period or the trial of a plan now: its next payment is made, or it ends if it was cancelled. */
  endPeriod(id: string): Promise<boolean>
  /** Lets the next payment of a plan fail. It is tried again after three days, and the plan ends with the fourth failure in a row. */
  failNextPayment(id: string): Promise<boolean>
  /** Ends a plan now, without a refund. */
  cancelPlan(id: string): Promise<boolean>
  /**
   * Lets a day or a month of 31 days pass for plans and for access that was paid for a time, and does what is due then. Sessions, tokens and
   * everything else keep their times.
   *
   * @example
   * ```ts
   * for (const { id } of await app.eep.sandboxPlans.listPlans()) await app.eep.sandboxPlans.failNextPayment(id)
   * await app.eep.sandboxPlans.moveClock('month')
   * ```
   */
  moveClock(step: 'day' | 'month'): Promise<void>
}
