import type { Json } from '../kernel/json.ts'

/** How long a payment opens what it bought. `request` opens it once. */
export type Per = 'request' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'once'

/** The id for sales of the service itself. No profile has this id. */
export const SERVICE_PROFILE_ID = 0

/** A purchase: one payment requirement of one tier, for one resource. Plain JSON, stored with the payment. */
export interface Purchase {
  /** Who sells; {@link SERVICE_PROFILE_ID} for what the service itself sells. */
  readonly profileId: number
  /** The seller: `did:web:…`. */
  readonly sellerDid: string
  /** The name the gate knows the resource by: `content.notes.my_page`. */
  readonly resource: string
  /** The access pattern of the tier that covers it. */
  readonly pattern: string
  readonly tier: string
  /** Every access pattern of the tier: what the buyer gets. */
  readonly access: readonly string[]
  /** The rails the seller allows, by id; null allows all. */
  readonly rails: readonly string[] | null
  /** The networks the seller allows a stablecoin on, CAIP-2; absent allows all. */
  readonly networks?: readonly string[] | undefined
  readonly per: Per
  readonly price: {
    /** A decimal in units of the currency: `0.01`. */
    readonly amount: string
    /** `usd`, `eur`, `usdc`. */
    readonly currency: string
  }
  /** What the buyer sees of the resource. The URL is absolute and the same on every listener. */
  readonly shown: { readonly url: string; readonly description: string; readonly mimeType: string }
  /** Where the seller wants the money, by CAIP-2 network. A network that is missing is the rail's to decide. */
  readonly payTo: Readonly<Record<string, string>>
}

/** A payment presented by a client, parsed but not yet verified. */
export interface Credential<Proof extends Json = Json> {
  /** The same for every copy of one authorization and for no other: the key of single use within the rail. */
  readonly id: string
  /** A digest of the whole proof, signature included. A repeat must carry the same. */
  readonly fingerprint: string
  /** After this moment a copy of a settled credential no longer proves who sends it. */
  readonly expiresAt?: Date | undefined
  /** The payer the credential names; trusted after `verify`. */
  readonly payer: Payer
  /** What `settle` and `recover` need. Kept until the outcome is known, so that another process can finish. */
  readonly proof: Proof
}

/** The payer, as far as it is known. A wallet identifies a payer only together with its network. */
export interface Payer {
  readonly wallet?: string | undefined
  /** CAIP-2. */
  readonly network?: string | undefined
  readonly did?: string | undefined
}
