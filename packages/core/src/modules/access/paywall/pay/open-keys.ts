import { normalWallet } from '../../../../kernel/wallet.ts'
import type { Credential, Purchase } from '../../../../ports/payment-rail.ts'
import type { Sale } from './sale.ts'

/** The keys of the payments of a payer to a seller. Only one payment of a key may be in progress. */
interface OpenKeys {
  /** Of payments for single requests: each is for one resource. */
  readonly single: string
  /** Of all other payments, by any rail: tiers overlap, so requests for two pages at the same time are paid once. */
  readonly lasting: string
}

/**
 * Returns the keys of a payer: the wallet that signed, else the account or the agent of the request. Undefined for guests
 * whose rail names no wallet, such as the holder of a card.
 */
export function openKeysOf(
  { payer: { wallet, network } }: Credential,
  { profileId, resource }: Purchase,
  { payerAccountId, payerDid }: Pick<Sale, 'payerAccountId' | 'payerDid'>,
): OpenKeys | undefined {
  const payer = wallet ? normalWallet(wallet) : (payerAccountId ?? payerDid)
  if (payer === null) return undefined
  return {
    // The same address on another network may be the wallet of another payer, whom this payment must not serve.
    single: [payer, wallet && network, profileId, `resource ${resource}`].join('|'),
    lasting: [payer, profileId, 'lasting'].join('|'),
  }
}
