import { sha256 } from '../../../../kernel/digest.ts'
import { normalWallet } from '../../../../kernel/wallet.ts'
import type { PayerHint } from '../../../../model/payer.ts'
import type { BoundRequest, CredentialHeaders, Payer, Purchase } from '../../../../ports/payment-rail.ts'

/** The payers that a request proves to come from, without a payment. */
export interface ProvenPayers {
  readonly accountId: string | null
  /** The DID of an agent that signed the request. */
  readonly did: string | null
  /** Wallets of signed cookies, and of a message that the wallet signed. */
  readonly payers: readonly PayerHint[]
}

/** A request of a paid route, as far as payments depend on it. */
export interface RequestFacts {
  readonly bound: BoundRequest
  readonly headerDigest: string
  readonly proven: ProvenPayers
}

/** What a request is bound to, as one text. */
export const boundText = ({ method, target, digest }: BoundRequest): string => `${method} ${target} ${digest ?? '-'}`

/** The request without its content. */
export const boundRequest = (
  { method, originalUrl }: { readonly method: string; readonly originalUrl: string },
  digest: string | null,
): BoundRequest => ({
  method,
  target: sha256(originalUrl, 'base64url'),
  digest,
})

/** A digest of the header that carries the credential. A settled credential is public, but not the header that carried it. */
export const headerDigestOf = (headers: CredentialHeaders): string =>
  sha256(
    headers.paymentSignature ?? headers.xPayment ?? headers.paymentAuthorization ?? headers.authorization ?? '',
    'base64url',
  )

const digest = (...parts: readonly (string | number)[]) => sha256(JSON.stringify(parts), 'base64url')

const walletKey = ({ wallet, network }: Payer): readonly (readonly string[])[] =>
  wallet && network ? [['wallet', normalWallet(wallet), network]] : []

/** The identities of a payer: its wallet, its account and its agent. */
function identitiesOf(payer: Payer, { accountId, did, payers }: ProvenPayers): readonly (readonly string[])[] {
  return [
    ...walletKey(payer),
    ...payers.flatMap(walletKey),
    ...(accountId === null ? [] : [['account', accountId]]),
    ...(did === null ? [] : [['did', did]]),
  ]
}

/** Whether a wallet is the payer that was verified, or one that the request proves. */
export const isProvenWallet = ({ wallet, network }: PayerHint, payer: Payer, { payers }: ProvenPayers): boolean =>
  [payer, ...payers].some(
    (each) =>
      each.wallet !== undefined && normalWallet(each.wallet) === normalWallet(wallet) && each.network === network,
  )

/** A digest of the payer, by which its reservations are counted; null when no identity is known. */
export function payerDigest(payer: Payer, proven: ProvenPayers): string | null {
  const [first] = identitiesOf(payer, proven)
  return first === undefined ? null : digest(...first)
}

/** The keys by which money that is owed to a payer is found. */
export const creditKeysOf = (
  payer: Payer,
  proven: ProvenPayers,
  { profileId, resource }: Pick<Purchase, 'profileId' | 'resource'>,
): readonly string[] => [...new Set(identitiesOf(payer, proven).map((each) => digest(...each, profileId, resource)))]

/** The key that keeps identical requests of a payer in line, while its other requests run at the same time. */
export function openKeyOf(payer: Payer, { bound, proven }: RequestFacts, purchase: Purchase): string | null {
  const [first] = identitiesOf(payer, proven)
  if (first === undefined) return null
  return `request:${digest(...first, purchase.profileId, purchase.resource, boundText(bound))}`
}

const FRACTION = 30

/** A decimal as an integer. */
const scaled = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.slice(0, FRACTION).padEnd(FRACTION, '0'))
}

/** Whether a payment pays for a request at a price: in the same currency, and not above what was paid. */
const paysFor = (paid: Purchase['price'], price: Purchase['price']): boolean =>
  paid.currency.toLowerCase() === price.currency.toLowerCase() && scaled(price.amount) <= scaled(paid.amount)

/** Whether a payment pays for a single request at its price of now. */
export const paysForRequest = (
  { purchase }: { readonly purchase: Pick<Purchase, 'price'> },
  { per, price }: Purchase,
): boolean => per === 'request' && paysFor(purchase.price, price)
