/** A payment that its payer disputes at the bank. */
export interface PaymentDispute {
  readonly receiptId: string
  /** The id of the dispute at the processor. */
  readonly reference: string
  /** `won`: the money stays with the seller. `lost`: the bank gave it back to the payer. */
  readonly state: 'opened' | 'won' | 'lost'
  /** Whether it is open again after it was decided. Default: false. */
  readonly isAppeal?: boolean | undefined
  /** When the processor reported the state. */
  readonly updatedAt: Date
}

/** Disputes of payments. */
export interface PaymentDisputeStore {
  /**
   * Records the state of a dispute, and returns whether it is new and whether any dispute of the receipt is open now. Processors repeat
   * their messages and send them in any order, so a state that is older than the stored one returns undefined. A decided dispute is opened
   * again by an appeal only, and decided differently only by a later report. Also undefined when the receipt does not exist. Calls for one
   * receipt run one after the other, so of concurrent calls with one state exactly one gets `isNew`.
   */
  put(dispute: PaymentDispute): Promise<{ readonly isNew: boolean; readonly isDisputed: boolean } | undefined>
}
