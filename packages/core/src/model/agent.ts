/** An agent as a request names it. */
export interface Agent {
  readonly did: string
  /** Whether it signed this request. Without a signature the DID is a claim that grants nothing. */
  readonly verified: boolean
}

/** The signed parts of a request. */
export interface SignedRequest {
  readonly method: string
  /** The raw path with the query. */
  readonly path: string
  readonly agentDid: string
  readonly nonce: string
  /** As sent; empty without a body. */
  readonly body: string | Uint8Array
}

/** `standard` once an agent has paid for something on this service; `cold_start` before. */
export type TrustState = 'cold_start' | 'standard'
