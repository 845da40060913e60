import { caip2Of } from '../kernel/network.ts'
import { BUYER_NETWORK, networkOfDid, normalWallet } from '../kernel/wallet.ts'

/** The payer that a request claims, used to look up entitlements. It proves nothing. */
export interface PayerHint {
  readonly wallet: string
  /** CAIP-2. */
  readonly network: string
}

const WALLET = /^[A-Za-z0-9_.:-]{1,128}$/
const NETWORK = /^[-a-z0-9]{3,32}:[-_a-zA-Z0-9]{1,64}$/

/** Parses a payer; undefined when the text is invalid. */
export function readPayer(wallet: string | undefined, network: string | undefined): PayerHint | undefined {
  if (wallet === undefined || network === undefined || !WALLET.test(wallet)) return undefined
  const caip2 = caip2Of(network)
  // Agents hold entitlements under their DID, and prove it by signing requests, never by a header or cookie.
  if (caip2.startsWith('did:')) return undefined
  // Only the signed cookie of an emailed link identifies a buyer: see `parsePayer`.
  if (caip2 === BUYER_NETWORK) return undefined
  return NETWORK.test(caip2) ? { wallet: normalWallet(wallet), network: caip2 } : undefined
}

/** An agent as a payer: it holds entitlements under its DID, on the "network" of its method. */
export const agentPayer = (did: string): PayerHint => ({
  wallet: did,
  network: networkOfDid(did),
})
