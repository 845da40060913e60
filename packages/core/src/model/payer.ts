import { caip2Of } from '../kernel/network.ts'
import { BUYER_NETWORK, networkOfDid, normalWallet } from '../kernel/wallet.ts'

/** The payer that a request names: an address to look entitlements up by, not a proof. */
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
  // Agents hold what they bought by their DID; they prove it by signing, and by no header or cookie.
  if (caip2.startsWith('did:')) return undefined
  // Only the signed cookie of a mailed link names a buyer: see `parsePayer`.
  if (caip2 === BUYER_NETWORK) return undefined
  return NETWORK.test(caip2) ? { wallet: normalWallet(wallet), network: caip2 } : undefined
}

/** An agent as a payer: it holds entitlements under its DID, on the "network" of its method. */
export const agentPayer = (did: string): PayerHint => ({
  wallet: did,
  network: networkOfDid(did),
})
