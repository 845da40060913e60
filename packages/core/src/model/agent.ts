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

/** A read or search result of a profile by an agent that names its DID, uses an API key or signed the request as a program. */
export type AgentAccess = AgentRead | AgentSearch

interface AgentRead extends AccessingAgent {
  readonly kind: 'read'
  /** The name of the resource that it read, as in gate configurations. */
  readonly resource: string
}

interface AgentSearch extends AccessingAgent {
  readonly kind: 'search'
  /** The name of the resource that a search returned to it; null for a post, which gates do not name. */
  readonly resource: string | null
}

interface AccessingAgent {
  readonly profileId: number
  readonly path: string
  /** The DID that it names. */
  readonly did: string | undefined
  /** It signed the request with a key of that DID. */
  readonly verified: boolean
  /** The API key that it used. */
  readonly keyId: number | undefined
  /** The operator that signed the request (Web Bot Auth), or that it claims without proof. */
  readonly bot?: { readonly origin: string; readonly verified: boolean } | undefined
}
