/** Something of a profile that is counted for its team. */
export type Visit = ViewVisit | PaywallVisit | CheckoutVisit | SearchVisit

interface OfProfile {
  readonly profileId: number
}

/** A profile, a page or a file was read. */
interface ViewVisit extends OfProfile {
  readonly kind: 'view'
  /** The path below the profile: `/` for the profile itself, `/content/notes`. */
  readonly path: string
  /** The format of the response: `markdown`, `json`, `toon`, `html`, or `file`. */
  readonly format: string
}

/** A 402 was sent. */
interface PaywallVisit extends OfProfile {
  readonly kind: 'paywall'
  readonly path: string
  /** The price of the best offer: `0.01 USDC`. */
  readonly price: string | undefined
}

/** A buyer began to pay: opened a page of a processor, or presented a payment with a request. */
interface CheckoutVisit extends OfProfile {
  readonly kind: 'checkout'
}

/** A search returned the profile, or something of it. */
interface SearchVisit extends OfProfile {
  readonly kind: 'search'
  readonly query: string
}

/** A request to count. None of its values are stored unchanged. */
export interface VisitingRequest {
  readonly ip: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** How the request came: `http`, or the protocol that was translated into it, such as `mcp`. */
  readonly channel: string
}

/** The agent of a request: one that names its DID, uses an API key, is a connected app, or signed the request as a program. */
export interface VisitingAgent {
  readonly did: string | undefined
  /** It signed the request with a key of that DID. */
  readonly verified: boolean
  readonly keyId: number | undefined
  /** The connected app that acts for an account. */
  readonly app?: { readonly name: string; readonly host?: string | undefined } | undefined
  /** The origin, or the URL of the keys, of the operator that signed the request (Web Bot Auth). */
  readonly bot?: string | undefined
}

/** Counts a visit. It returns immediately and does not throw. */
export type OnVisit = (visit: Visit, request: VisitingRequest, agent: VisitingAgent | undefined) => void
