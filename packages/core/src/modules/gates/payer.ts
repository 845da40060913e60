import { hmac, sameText } from '../../kernel/digest.ts'
import type { SharedKey } from '../../kernel/keyring.ts'
import { caip2Of } from '../../kernel/network.ts'
import { accountHolder, emailHolder, type Holder, networkOfDid, normalWallet } from '../../kernel/wallet.ts'
import type { Caller } from '../accounts/index.ts'

/** Whom a request names as its payer: an address to look entitlements up by, not a proof of who sends it. */
export interface PayerHint {
  readonly wallet: string
  /** CAIP-2. */
  readonly network: string
}

const MIN_COOKIE_SECONDS = 604_800
/** Browsers keep no cookie longer (RFC 6265bis). */
const MAX_COOKIE_SECONDS = 400 * 86_400

/** How long a payer cookie lasts: as long as the entitlement, where null is permanent, within seven to 400 days. */
export function payerCookieSeconds(validUntil: Date | null | undefined, now: Date): number {
  if (validUntil === null) return MAX_COOKIE_SECONDS
  const seconds = validUntil ? Math.ceil((validUntil.getTime() - now.getTime()) / 1000) : 0
  return Math.min(MAX_COOKIE_SECONDS, Math.max(MIN_COOKIE_SECONDS, seconds))
}

const WALLET = /^[A-Za-z0-9_.:-]{1,128}$/
const NETWORK = /^[-a-z0-9]{3,32}:[-_a-zA-Z0-9]{1,64}$/

/** A payer as somebody wrote it down; undefined when it is none. */
export function readPayer(wallet: string | undefined, network: string | undefined): PayerHint | undefined {
  if (wallet === undefined || network === undefined || !WALLET.test(wallet)) return undefined
  const caip2 = caip2Of(network)
  // Agents hold what they bought by their DID; they prove it by signing, and by no header or cookie.
  if (caip2.startsWith('did:')) return undefined
  return NETWORK.test(caip2) ? { wallet: normalWallet(wallet), network: caip2 } : undefined
}

/** An agent as a payer: it holds entitlements under its DID, on the "network" of its method. */
export const agentPayer = (did: string): PayerHint => ({
  wallet: did,
  network: networkOfDid(did),
})

/**
 * A caller as payers: what the account bought while signed in or was given, and what was given to the address it verified.
 * A key must be allowed to read content.
 */
export function callerPayers(caller: Caller | undefined): readonly PayerHint[] {
  if (!caller || (caller.scopes !== 'all' && !caller.scopes.includes('read:content'))) return []
  const { id, email, emailVerified } = caller.account
  return [accountHolder(id), ...(emailVerified ? [emailHolder(email)] : [])].map(toPayer)
}

const toPayer = ({ payerWalletAddress: wallet, payerNetwork: network }: Holder): PayerHint => ({
  wallet,
  network,
})

export const isSamePayer = (one: PayerHint, other: PayerHint | undefined): boolean =>
  one.wallet === other?.wallet && one.network === other.network

export const writePayer = ({ wallet, network }: PayerHint): string => `${wallet}|${network}`

/** The payer in a cookie value; browsers and clients may have percent-encoded it. */
export function parsePayer(cookie: string | undefined): PayerHint | undefined {
  const [wallet, network, ...rest] = cookie?.split('|') ?? []
  return rest.length === 0 ? readPayer(wallet, network) : undefined
}

const mac = (key: Uint8Array, { wallet, network }: PayerHint, seconds: number | string) =>
  hmac(key, `${normalWallet(wallet)}|${network}|${seconds}`)

/** Proves that this service gave a client its payer cookie, until `expiresAt`. */
export function signPayer(payer: PayerHint, expiresAt: Date, [{ key }]: readonly [SharedKey, ...SharedKey[]]): string {
  const seconds = Math.floor(expiresAt.getTime() / 1000)
  return `${seconds}.${mac(key, payer, seconds)}`
}

export function isSignedPayer(
  payer: PayerHint,
  proof: string | undefined,
  now: Date,
  keys: readonly SharedKey[],
): boolean {
  const [seconds, given] = proof?.split('.') ?? []
  if (seconds === undefined || given === undefined || !/^\d{1,12}$/.test(seconds)) return false
  if (Number(seconds) * 1000 <= now.getTime()) return false
  return keys.some(({ key }) => sameText(given, mac(key, payer, seconds)))
}
