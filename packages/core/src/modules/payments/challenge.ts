import type { Clock } from '../../kernel/clock.ts'
import type { EepError } from '../../kernel/errors.ts'
import type { SharedKey } from '../../kernel/keyring.ts'
import { type CredentialHeaders, challengeIn, type PaymentRail, type RailOffer } from '../../ports/payment-rail.ts'
import { formatPaymentChallenge } from '../../ports/payment-scheme.ts'
import { acceptedQuality, credentialField } from './accept-payment.ts'
import { encodeEnvelope, type SettleResponse } from './envelope.ts'
import { paymentRequired } from './errors.ts'
import type { Sale } from './sale.ts'
import { timelineMark } from './timeline-mark.ts'

export interface ChallengeDeps {
  readonly rails: readonly PaymentRail[]
  readonly clock: Clock
  readonly keys: readonly [SharedKey, ...SharedKey[]]
  readonly docsUrl: string
  /** Which scheme comes first in `WWW-Authenticate`. */
  readonly challengeOrder: 'eep-first' | 'payment-first'
}

/** Headers of some proxies end at 4 KB; an offer with its typed data takes more than 1 KB of base64. */
const MAX_HEADER = 4_000
const MAX_KEPT = 1_000

/** Our rails, those the agent prefers first; none is left out. */
export const orderRails = (rails: readonly PaymentRail[], preference: readonly string[]): readonly PaymentRail[] => {
  const preferred = preference.flatMap((id) => rails.filter((rail) => rail.id === id))
  return [...new Set([...preferred, ...rails])]
}

const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`

interface Challenge {
  readonly second: number
  readonly headers: Readonly<Record<string, string>>
  /** The way in that is not a payment: `EEP realm="gate"`. */
  readonly gate: string
  /** What has a challenge of the scheme `Payment`. */
  readonly payable: readonly RailOffer[]
  readonly body: Readonly<Record<string, unknown>>
}

/** Makes the 402 of a sale (interface, Gates and payment 1-5). */
export function createChallenger({ rails, clock, keys, docsUrl, challengeOrder }: ChallengeDeps) {
  // Everything but its time is the same for everybody who hits the same gate within a second.
  const kept = new Map<string, Challenge>()

  async function offersOf(sale: Sale): Promise<readonly RailOffer[]> {
    const ordered = orderRails(rails, sale.preference)
    const offers = sale.purchases.flatMap((purchase) =>
      ordered
        .filter(({ id }) => purchase.rails === null || purchase.rails.includes(id))
        .map((rail) => ({ rail, offer: rail.offer(purchase) })),
    )
    // The preferred rail comes first for every tier, the closest tier first within a rail.
    offers.sort((left, right) => ordered.indexOf(left.rail) - ordered.indexOf(right.rail))
    const made = await Promise.all(offers.map(({ offer }) => offer))
    return made.filter((offer) => offer !== undefined)
  }

  async function make(sale: Sale, second: number): Promise<Challenge> {
    const [{ shown }] = sale.purchases as [Sale['purchases'][number]]
    const offers = await offersOf(sale)
    const accepts = offers.flatMap(({ accept }) => (accept ? [accept] : []))
    const required = {
      x402Version: 2,
      error: 'PAYMENT-SIGNATURE header is required',
      resource: shown,
      accepts,
      extensions: timelineMark(shown.url, new Date(second * 1000), keys),
    }
    while (accepts.length > 1 && encodeEnvelope(required).length > MAX_HEADER) accepts.pop()
    const encoded = accepts.length > 0 ? encodeEnvelope(required) : null
    const { pathname } = new URL(shown.url)
    return {
      second,
      gate: `EEP realm="gate", resource=${quoted(pathname)}`,
      payable: offers.filter(({ challenge }) => challenge !== undefined),
      headers: {
        ...(encoded === null ? {} : { 'payment-required': encoded }),
        'cache-control': 'no-store',
        vary: 'Accept',
      },
      body: {
        payment_required_b64: encoded,
        decoded_payment_required: encoded === null ? null : required,
        inline_retry_supported: offers.length > 0,
        docs_url: docsUrl,
        ...sale.terms,
        preview: sale.preview,
      },
    }
  }

  async function challengeOf(sale: Sale): Promise<Challenge> {
    const second = Math.floor(clock().getTime() / 1000)
    const [{ profileId, shown, payTo }] = sale.purchases as [Sale['purchases'][number]]
    const receivers = Object.entries(payTo).join()
    const key = [profileId, sale.revision, shown.url, shown.mimeType, sale.preference.join(), receivers].join(' ')
    const known = kept.get(key)
    if (known?.second === second) return known
    const made = await make(sale, second)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, made)
    return made
  }

  /** The values of `WWW-Authenticate`. Challenges of the scheme `Payment` are made for each 402: their ids are single use. */
  function waysIn({ gate, payable }: Challenge, request: CredentialHeaders): readonly string[] {
    const context = { field: credentialField(request) }
    const payments = payable
      .map((offer) => challengeIn(offer, context))
      .filter((challenge) => challenge !== undefined)
      .map((challenge) => ({ challenge, quality: acceptedQuality(request.acceptPayment, challenge) }))
      .filter(({ quality }) => quality > 0)
      .sort((left, right) => right.quality - left.quality)
      .map(({ challenge }) => formatPaymentChallenge(challenge))
    return challengeOrder === 'eep-first' ? [gate, ...payments] : [...payments, gate]
  }

  /** The 402 of a sale; with `failure`, of a payment that was tried and refused. */
  return async function challenge(
    sale: Sale,
    request: CredentialHeaders = {},
    failure?: SettleResponse,
  ): Promise<EepError> {
    const made = await challengeOf(sale)
    const { body } = made
    const headers = { ...made.headers, 'www-authenticate': waysIn(made, request) }
    const unsold = body.inline_retry_supported
      ? undefined
      : 'This has a price, and nobody here takes payments for it now'
    return paymentRequired({
      headers: failure ? { ...headers, 'payment-response': encodeEnvelope(failure) } : headers,
      message: failure ? `The payment was not accepted: ${failure.errorReason}` : unsold,
      details: failure ? { reason: failure.errorReason } : undefined,
      body,
      problem: {
        type: 'https://eep.dev/problems/payment-required',
        title: 'Payment Required',
        status: 402,
        error: 'access_restricted',
        ...sale.terms,
      },
    })
  }
}

export type Challenger = ReturnType<typeof createChallenger>
