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

/** A read of something of a profile by an agent: one that names its DID, or that uses an API key. */
export interface AgentRead {
  readonly profileId: number
  /** The name of what it read, as in gate configurations. */
  readonly resource: string
  readonly path: string
  /** The DID that it names. */
  readonly did: string | undefined
  /** It signed the request with a key of that DID. */
  readonly verified: boolean
  /** The API key that it used. */
  readonly keyId: number | undefined
}
