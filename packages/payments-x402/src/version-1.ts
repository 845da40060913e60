import type { JsonObject, Purchase } from '@eep/core/ports'
import { v1NetworkOf } from '@eep/core/ports'
import { termsOf } from './offer.ts'
import type { SettlementContext } from './settlement.ts'

// Version 1 of x402, whose clients read the body of a 402. A payment of it names its network and not its token, so each
// network has one token in that version: the first that is configured for it.

/** Returns the assets for payments of version 1, in order: the first of each network that the version has a name for. */
export function v1Contexts(contexts: readonly SettlementContext[]): readonly SettlementContext[] {
  const first = new Map<string, SettlementContext>()
  for (const context of contexts) {
    const { network } = context.accepted
    if (v1NetworkOf(network) !== undefined && !first.has(network)) first.set(network, context)
  }
  return [...first.values()]
}

/** Clients of version 1 compare the address of USDC as text. Mixed letters were checked when they were entered. */
async function withChecksum(address: string): Promise<string> {
  const digits = address.slice(2)
  if (/[a-f]/.test(digits) && /[A-F]/.test(digits)) return address
  const { getAddress } = await import('viem')
  return getAddress(address)
}

/** Returns the entries of a purchase in the body of a 402: one for each network whose token pays its price. */
export async function v1Entries(contexts: readonly SettlementContext[], purchase: Purchase): Promise<JsonObject[]> {
  const { url, description, mimeType } = purchase.shown
  const entries = contexts.flatMap(({ accepted }) => {
    const terms = termsOf(accepted, purchase)
    const network = v1NetworkOf(accepted.network)
    return terms && network !== undefined ? [{ accepted, terms, network }] : []
  })
  return Promise.all(
    entries.map(async ({ accepted: { asset, maxTimeoutSeconds }, terms, network }) => ({
      scheme: 'exact',
      network,
      maxAmountRequired: terms.amount,
      resource: url,
      description,
      mimeType,
      payTo: await withChecksum(terms.payTo),
      maxTimeoutSeconds,
      asset: await withChecksum(asset.address),
      extra: { name: asset.name, version: asset.version },
    })),
  )
}
