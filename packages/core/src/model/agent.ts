/** An agent as a request names it. */
export interface Agent {
  readonly did: string
  /** It signed this very request. Without a signature the name is a claim that opens nothing. */
  readonly verified: boolean
}

/** A request as an agent signs it. */
export interface SignedRequest {
  readonly method: string
  /** With the query, as it was sent. */
  readonly path: string
  readonly agentDid: string
  readonly nonce: string
  /** As sent; empty without a body. */
  readonly body: string | Uint8Array
}

/** `standard` once an agent has paid for something here; `cold_start` before. */
export type TrustState = 'cold_start' | 'standard'
