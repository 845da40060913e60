/** A shared payment token as its buyer created it. */
export interface GrantedToken {
  readonly id: string
  readonly paymentMethod: string
  readonly currency: string
  readonly maxAmount: number
  /** Seconds since 1970. */
  readonly expiresAt: number
  readonly seller: string | undefined
  captured: number
  revoked: boolean
}

/** A PaymentIntent as the API shows it. */
export interface FakeIntent {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  amount_received: number
  readonly currency: string
  status: string
  readonly created: number
  readonly livemode: false
  readonly metadata: Readonly<Record<string, string>>
}

/** A Checkout Session as the API shows it. */
export interface FakeSession {
  readonly id: string
  readonly object: 'checkout.session'
  readonly mode: string
  readonly url: string
  readonly amount_total: number
  readonly currency: string
  readonly created: number
  readonly expires_at: number
  readonly metadata: Readonly<Record<string, string>>
  readonly success_url: string
  readonly cancel_url: string | null
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  payment_intent: string | null
  /** The data that the payer entered on the page. */
  customer_details: { readonly email: string } | null
  readonly client_reference_id: string | null
  customer: string | null
  subscription: string | null
}

/** The parameters of a Checkout Session. */
export interface SessionRequest {
  readonly mode: string
  readonly amount_total: number
  readonly currency: string
  readonly expires_at: number
  readonly metadata: Readonly<Record<string, string>>
  readonly success_url: string
  readonly cancel_url: string | null
  readonly client_reference_id?: string | null
  readonly customer?: string | null
}

/** The limits of a shared payment token. */
export interface TokenRequest {
  readonly paymentMethod?: string | undefined
  readonly currency?: string | undefined
  readonly maxAmount?: number | undefined
  readonly expiresAt?: number | undefined
  /** The profile that may use it. Default: any seller. */
  readonly seller?: string | undefined
}

export interface IntentRequest {
  readonly amount: number
  readonly currency: string
  readonly confirm: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly token?: string | undefined
}

/** A dispute as the API shows it, with what the fake reads of it. */
export interface FakeDispute {
  readonly id: string
  readonly payment_intent: string
  readonly amount: number
  readonly status: string
  /** Whether its payment can be refunded. Default: true. */
  readonly is_charge_refundable?: boolean | undefined
}

/** A refund as the API shows it. */
export interface FakeRefund {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly currency: string
  readonly payment_intent: string
  readonly status: 'succeeded' | 'failed'
}
