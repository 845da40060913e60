import type { JsonObject } from '../../kernel/json.ts'
import { encodeEnvelope } from './envelope.ts'
import { OFFER_RECEIPT, signedOffersExtension } from './offer-receipt.ts'

/** What a 402 says in its header (x402 v2, PaymentRequired). */
export interface PaymentRequired {
  readonly x402Version: 2
  readonly error: string
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string }
  readonly accepts: readonly JsonObject[]
  readonly extensions: JsonObject
}

/** An entry of `accepts[]` and the rail it is paid by. */
export interface OfferedEntry {
  readonly rail: string
  readonly accept: JsonObject
  /** The offer as the service signed it, where it does. */
  readonly signed?: string | undefined
}

/**
 * An offer with its typed data takes more than 1 KB of base64, so this is three of them. What proxies pass on, and what
 * clients read, ends at 8 KB or 16 KB of headers altogether.
 */
const MAX_HEADER = 6_000

/** The last entry whose rail has another one, so that each rail stays listed as long as there is room. */
function leastMissed(entries: readonly OfferedEntry[]): number {
  const counts = new Map<string, number>()
  for (const { rail } of entries) counts.set(rail, (counts.get(rail) ?? 0) + 1)
  const at = entries.findLastIndex(({ rail }) => (counts.get(rail) ?? 0) > 1)
  return at < 0 ? entries.length - 1 : at
}

/** The offers of a 402 in the order they came, as many as its header has room for and one at least; undefined for none. */
export function paymentRequiredOf(
  offered: readonly OfferedEntry[],
  { resource, extensions }: Pick<PaymentRequired, 'resource' | 'extensions'>,
): PaymentRequired | undefined {
  if (offered.length === 0) return undefined
  const made = (entries: readonly OfferedEntry[]): PaymentRequired => {
    const offers = entries.flatMap(({ signed }, acceptIndex) =>
      signed === undefined ? [] : [{ format: 'jws', acceptIndex, signature: signed }],
    )
    return {
      x402Version: 2,
      error: 'PAYMENT-SIGNATURE header is required',
      resource,
      accepts: entries.map(({ accept }) => accept),
      extensions: offers.length > 0 ? { ...extensions, [OFFER_RECEIPT]: signedOffersExtension(offers) } : extensions,
    }
  }
  let entries = offered
  while (entries.length > 1 && encodeEnvelope(made(entries)).length > MAX_HEADER) {
    entries = entries.toSpliced(leastMissed(entries), 1)
  }
  return made(entries)
}
