import type { Json, JsonObject } from '../kernel/json.ts'
import type { AudienceRequirement } from '../model/audience.ts'
import type { Per } from '../model/per.ts'

export type { Per } from '../model/per.ts'

/** The profile id for sales of the service itself. No profile has this id. */
export const SERVICE_PROFILE_ID = 0

/** What catalogues of paid resources show of a resource, in addition to its URL, description and media type (x402 v2). */
export interface PurchaseListing {
  /** The seller: 1 to 32 printable ASCII characters. */
  readonly serviceName?: string | undefined
  /** At most 5, each of 1 to 32 printable ASCII characters. */
  readonly tags?: readonly string[] | undefined
  /** An absolute https URL. */
  readonly iconUrl?: string | undefined
  /** How the resource is requested: the x402 extension `bazaar`. Absent for a resource that catalogues must not list. */
  readonly bazaar?: JsonObject | undefined
}

/** The request that a purchase is for, on a route that takes payments for any method. */
export interface BoundRequest {
  readonly method: string
  /** The SHA-256 of the path with its query, base64url: the books hold no query. */
  readonly target: string
  /** The SHA-256 of the content as it was received, base64url; null for a request whose content is not hashed. */
  readonly digest: string | null
}

/** A purchase: one payment requirement of one tier, for one resource. Plain JSON, stored with the payment. */
export interface Purchase {
  /** The selling profile; {@link SERVICE_PROFILE_ID} for sales of the service itself. */
  readonly profileId: number
  /** The DID of the seller: `did:web:…`. */
  readonly sellerDid: string
  /** The name of the resource in gates: `content.notes.my_page`. */
  readonly resource: string
  /** The access pattern of the tier that covers it. */
  readonly pattern: string
  readonly tier: string
  /** Every access pattern of the tier, all of which the buyer gets. */
  readonly access: readonly string[]
  /** The rails the seller allows, by id; null allows all. */
  readonly rails: readonly string[] | null
  /** The networks the seller allows a stablecoin on, CAIP-2; absent allows all. */
  readonly networks?: readonly string[] | undefined
  /** The audience that the tier is for, in which alone the purchase counts; absent for everyone. */
  readonly audience?: AudienceRequirement | undefined
  readonly per: Per
  readonly price: {
    /** A decimal in units of the currency: `0.01`. */
    readonly amount: string
    /** `usd`, `eur`, `usdc`. */
    readonly currency: string
  }
  /** The description of the resource for the buyer. The URL is absolute and the same on every listener. */
  readonly shown: { readonly url: string; readonly description: string; readonly mimeType: string }
  /** The request that it is for; absent for what is read by GET. */
  readonly bound?: BoundRequest | undefined
  /** When the money of a bound purchase is taken: before the handler of the route runs, or after it answered. */
  readonly charge?: 'before' | 'after' | undefined
  /** Its entry in catalogues; absent in a service without the feature `pricedDiscovery`. */
  readonly listing?: PurchaseListing | undefined
  /** The payout addresses of the seller, by CAIP-2 network. The rail decides about missing networks. */
  readonly payTo: Readonly<Record<string, string>>
}

/** A payment presented by a client, parsed but not yet verified. */
export interface Credential<Proof extends Json = Json> {
  /** Identifies one authorization. Every copy of it has the same id, and each id can be spent once within the rail. */
  readonly id: string
  /** A digest of the complete proof with its signature. A repeated request must have the same one. */
  readonly fingerprint: string
  /** After this time, presenting a settled credential no longer proves who the payer is. */
  readonly expiresAt?: Date | undefined
  /**
   * When the offer that the credential answers was made; trusted only after `matches`. Null when the credential answers no
   * particular offer, so that its payer may have been shown another price. Default: the rail does not know.
   */
  readonly offeredAt?: Date | null | undefined
  /** The payer that the credential names. Trusted only after `verify`. */
  readonly payer: Payer
  /** The data that `settle` and `recover` need. Stored until the outcome is known, so that another process can finish. */
  readonly proof: Proof
}

/** The payer, as far as known. A wallet identifies a payer only together with its network. */
export interface Payer {
  readonly wallet?: string | undefined
  /** CAIP-2. */
  readonly network?: string | undefined
  readonly did?: string | undefined
}
