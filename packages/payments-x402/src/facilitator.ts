/** The CAIP-2 name. */
export type Network = `${string}:${string}`

/** The requirements of a payment, in the form of an `accepts[]` entry. */
export interface PaymentRequirements {
  readonly scheme: string
  readonly network: Network
  readonly asset: string
  readonly amount: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Record<string, unknown>
}

/** The payload of `PAYMENT-SIGNATURE`. */
export interface PaymentPayload {
  readonly x402Version: number
  readonly accepted: PaymentRequirements
  readonly payload: Record<string, unknown>
  /** The resource for sale, as the service describes it. Absent for one that catalogues must not list. */
  readonly resource?: { readonly url: string; readonly description?: string; readonly mimeType?: string }
  readonly extensions?: Record<string, unknown>
}

/** The header `EXTENSION-RESPONSES` of a facilitator: what it did with each extension of a payment. */
export type ExtensionResponses = Readonly<Record<string, unknown>>

/** The result of a verification by a facilitator. */
export interface VerifyResponse {
  readonly isValid: boolean
  readonly invalidReason?: string
  readonly invalidMessage?: string
  readonly payer?: string
}

/** The result of a settlement by a facilitator. */
export interface SettleResponse {
  readonly success: boolean
  readonly errorReason?: string
  readonly errorMessage?: string
  readonly payer?: string
  /** The hash of the transaction, or an empty string when none was sent. */
  readonly transaction: string
  readonly network: Network
  readonly amount?: string
}

/** The schemes and networks that a facilitator supports. */
export interface SupportedResponse {
  readonly kinds: { readonly x402Version: number; readonly scheme: string; readonly network: Network }[]
  readonly extensions: string[]
  readonly signers: Record<string, string[]>
}

/**
 * Submits authorizations to the chain. It has the type of `FacilitatorClient` in the official library, so that both are
 * interchangeable.
 *
 * A refusal is a return value. An error thrown by `settle` means that the outcome is unknown.
 */
export interface Facilitator {
  /** The URL of a remote facilitator, for discovery. */
  readonly url?: string | undefined
  /** Simulates the payment without sending a transaction. */
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>
  /** Submits the payment to the chain and waits for it. Submitting one authorization twice moves the money once. */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>
  getSupported(): Promise<SupportedResponse>
  /** Calls a listener with the extension responses of each verification and settlement. Default: there are none. */
  onExtensionResponses?(listen: (responses: ExtensionResponses) => void): void
}
