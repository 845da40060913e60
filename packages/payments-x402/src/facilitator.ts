/** CAIP-2. */
export type Network = `${string}:${string}`

/** What a payment must fulfil, as an `accepts[]` entry says it. */
export interface PaymentRequirements {
  readonly scheme: string
  readonly network: Network
  readonly asset: string
  readonly amount: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Record<string, unknown>
}

/** What a client sends in `PAYMENT-SIGNATURE`. */
export interface PaymentPayload {
  readonly x402Version: number
  readonly accepted: PaymentRequirements
  readonly payload: Record<string, unknown>
}

/** What a facilitator says of a payment before it is settled. */
export interface VerifyResponse {
  readonly isValid: boolean
  readonly invalidReason?: string
  readonly invalidMessage?: string
  readonly payer?: string
}

/** What a facilitator says it did with a payment. */
export interface SettleResponse {
  readonly success: boolean
  readonly errorReason?: string
  readonly errorMessage?: string
  readonly payer?: string
  /** The transaction's hash, or an empty text when none was sent. */
  readonly transaction: string
  readonly network: Network
  readonly amount?: string
}

/** What a facilitator can settle. */
export interface SupportedResponse {
  readonly kinds: { readonly x402Version: number; readonly scheme: string; readonly network: Network }[]
  readonly extensions: string[]
  readonly signers: Record<string, string[]>
}

/**
 * Submits authorizations to the chain. It has the type of the official library's `FacilitatorClient`, so that one
 * of those fits here and one of ours fits there.
 *
 * A refusal is an answer. An error thrown by `settle` means that the outcome is unknown.
 */
export interface Facilitator {
  /** Its address, for discovery, when it is elsewhere. */
  readonly url?: string | undefined
  /** Whether the payment would go through now; by simulation, nothing is sent. */
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>
  /** Puts the payment on the chain and waits for it. Sending one authorization twice moves the money once. */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>
  getSupported(): Promise<SupportedResponse>
}
