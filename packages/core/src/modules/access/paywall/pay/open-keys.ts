import { sha256 } from '../../../../kernel/digest.ts'
import { normalWallet } from '../../../../kernel/wallet.ts'
import type { AudienceRequirement } from '../../../../model/audience.ts'
import type { Credential, Purchase } from '../../../../ports/payment-rail.ts'
import type { Sale } from './sale.ts'

/** The keys of the payments of a payer to a seller. Only one payment of a key may be in progress. */
interface OpenKeys {
  /** Of payments for single requests: each is for one resource, in one audience. */
  readonly single: string
  /** Of payments for single requests by which this one may be paid already: in the same audience, or for everyone. */
  readonly credits: readonly string[]
  /** Of all other payments, by any rail: tiers overlap, so requests for two pages at the same time are paid once. */
  readonly lasting: string
}

/** Equal for audiences of the same readers, in whichever order they are written. */
const digestOf = ({ any_of: any, none_of: none = [] }: AudienceRequirement): string =>
  sha256(JSON.stringify([any.toSorted(), none.toSorted()]), 'base64url')

/**
 * Returns the keys of a payer: the wallet that signed, else the account or the agent of the request. Undefined for guests
 * whose rail names no wallet, such as the holder of a card.
 */
export function openKeysOf(
  { payer: { wallet, network } }: Credential,
  { profileId, resource, audience }: Purchase,
  { payerAccountId, payerDid }: Pick<Sale, 'payerAccountId' | 'payerDid'>,
): OpenKeys | undefined {
  const payer = wallet ? normalWallet(wallet) : (payerAccountId ?? payerDid)
  if (payer === null) return undefined
  // The same address on another network may be the wallet of another payer, whom this payment must not serve.
  const forEveryone = [payer, wallet && network, profileId, `resource ${resource}`].join('|')
  const single = audience ? `${forEveryone}|${digestOf(audience)}` : forEveryone
  return {
    single,
    credits: audience ? [single, forEveryone] : [single],
    lasting: [payer, profileId, 'lasting'].join('|'),
  }
}
