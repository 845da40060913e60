/** A payment that its payer disputes at the bank. */
export interface PaymentDispute {
  readonly receiptId: string
  /** The id of the dispute at the processor. */
  readonly reference: string
  /** `won`: the money stays with the seller. `lost`: the bank gave it back to the payer. */
  readonly state: 'opened' | 'won' | 'lost'
  readonly updatedAt: Date
}

/** Disputes of payments. */
export interface PaymentDisputeStore {
  /**
   * Records the state of a dispute. Undefined when it is known, or when the dispute was decided before: processors repeat their
   * messages and send them in any order. Also undefined when the receipt does not exist. Otherwise returns whether any dispute of the
   * receipt is open now. Calls for one receipt run one after the other, so of concurrent calls with one state exactly one gets a result.
   */
  put(dispute: PaymentDispute): Promise<{ readonly isDisputed: boolean } | undefined>
}
