import type { Clock } from '../../kernel/clock.ts'
import type { EepError } from '../../kernel/errors.ts'
import type { SharedKey } from '../../kernel/keyring.ts'
import { type CredentialHeaders, challengeIn, type PaymentRail, type RailOffer } from '../../ports/payment-rail.ts'
import { formatPaymentChallenge } from '../../ports/payment-scheme.ts'
import { SIGN_IN_WITH_X, type SignIns } from '../wallets/index.ts'
import { acceptedQuality, credentialField } from './accept-payment.ts'
import { encodeEnvelope } from './envelope.ts'
import { paymentRequired } from './errors.ts'
import { type Signatory, signOffer } from './offer-receipt.ts'
import { PAYMENT_IDENTIFIER, paymentIdentifierExtension } from './payment-identifier.ts'
import { type OfferedEntry, type PaymentRequired, paymentRequiredOf } from './payment-required.ts'
import type { RefusedPayment } from './refusal.ts'
import type { Sale } from './sale.ts'
import { timelineMark } from './timeline-mark.ts'

export interface ChallengeDeps {
  readonly rails: readonly PaymentRail[]
  readonly clock: Clock
  readonly keys: readonly [SharedKey, ...SharedKey[]]
  readonly docsUrl: string
  /** Which scheme comes first in `WWW-Authenticate`. */
  readonly challengeOrder: 'eep-first' | 'payment-first'
  readonly signIns: Pick<SignIns, 'declare'>
  readonly signatory: Signatory
  /** Whether each offer is signed too. */
  readonly signedOffers: boolean
}

const MAX_KEPT = 1_000

/** Our rails, those the agent prefers first; none is left out. */
export const orderRails = (rails: readonly PaymentRail[], preference: readonly string[]): readonly PaymentRail[] => {
  if (preference.length === 0) return rails
  const preferred = preference.flatMap((id) => rails.filter((rail) => rail.id === id))
  return [...new Set([...preferred, ...rails])]
}

/** What a 402 says of its offers. */
export interface Told {
  /** The header; null when no rail has an entry of `accepts[]`. */
  readonly encoded: string | null
  readonly decoded: PaymentRequired | null
  /** What stands beside the error, offers included. The same object is written once. */
  readonly body: Readonly<Record<string, unknown>>
}

function tell(required: PaymentRequired | undefined, terms: Readonly<Record<string, unknown>>): Told {
  const decoded = required ?? null
  const encoded = decoded && encodeEnvelope(decoded)
  return { decoded, encoded, body: { payment_required_b64: encoded, decoded_payment_required: decoded, ...terms } }
}

const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`

interface Challenge {
  readonly second: number
  /** The way in that is not a payment: `EEP realm="gate"`. */
  readonly gate: string
  /** What has a challenge of the scheme `Payment`. */
  readonly payable: readonly RailOffer[]
  /** The whole of it for who asks for a problem (RFC 9457). */
  readonly problem: Readonly<Record<string, unknown>>
  /** The members that are not about the offers. */
  readonly terms: Readonly<Record<string, unknown>>
  readonly told: Told
  readonly isForSale: boolean
  /** The networks on which a wallet may hold what is sold, where signing in proves it. */
  readonly networks: readonly string[]
}

const networksOf = (entries: readonly OfferedEntry[]): readonly string[] =>
  entries.flatMap(({ accept: { network } }) => (typeof network === 'string' ? [network] : []))

/** Makes the 402 of a sale (interface, Gates and payment 1-5). */
export function createChallenger({
  rails,
  clock,
  keys,
  docsUrl,
  challengeOrder,
  signIns,
  signatory,
  signedOffers,
}: ChallengeDeps) {
  // Everything but its time is the same for everybody who hits the same gate within a second.
  const kept = new Map<string, Challenge>()
  const ofSales = new WeakMap<Sale, Challenge>()

  async function offersOf(sale: Sale): Promise<readonly { readonly rail: string; readonly offer: RailOffer }[]> {
    const ordered = orderRails(rails, sale.preference)
    const offers = sale.purchases.flatMap((purchase) =>
      ordered
        .filter(({ id }) => purchase.rails === null || purchase.rails.includes(id))
        .map((rail) => ({ rail, offer: rail.offer(purchase) })),
    )
    // The preferred rail comes first for every tier, the closest tier first within a rail.
    offers.sort((left, right) => ordered.indexOf(left.rail) - ordered.indexOf(right.rail))
    const made = await Promise.all(offers.map(async ({ rail, offer }) => ({ rail: rail.id, offer: await offer })))
    return made.flatMap(({ rail, offer }) => (offer ? [{ rail, offer }] : []))
  }

  const signed = (entries: readonly OfferedEntry[], resourceUrl: string, second: number) =>
    Promise.all(
      entries.map(async (entry) => {
        const life = Number(entry.accept.maxTimeoutSeconds) || 300
        return {
          ...entry,
          signed: await signOffer(entry.accept, { resourceUrl, validUntil: second + life }, signatory),
        }
      }),
    )

  async function make(sale: Sale, second: number): Promise<Challenge> {
    const [{ shown }] = sale.purchases as [Sale['purchases'][number]]
    const offers = await offersOf(sale)
    const entries = offers.flatMap(({ rail, offer: { accept, alternatives = [] } }) =>
      [...(accept ? [accept] : []), ...alternatives].map((each) => ({ rail, accept: each })),
    )
    const networks = sale.purchases.some(({ per }) => per !== 'request') ? networksOf(entries) : []
    const signIn = signIns.declare(shown.url, networks)
    const required = paymentRequiredOf(signedOffers ? await signed(entries, shown.url, second) : entries, {
      resource: shown,
      extensions: {
        ...timelineMark(shown.url, new Date(second * 1000), keys),
        [PAYMENT_IDENTIFIER]: paymentIdentifierExtension,
        ...(signIn && { [SIGN_IN_WITH_X]: signIn }),
      },
    })
    const { pathname } = new URL(shown.url)
    const terms = { inline_retry_supported: offers.length > 0, docs_url: docsUrl, ...sale.terms, preview: sale.preview }
    return {
      second,
      gate: `EEP realm="gate", resource=${quoted(pathname)}`,
      payable: offers.flatMap(({ offer }) => (offer.challenge === undefined ? [] : [offer])),
      problem: {
        type: 'https://eep.dev/problems/payment-required',
        title: 'Payment Required',
        status: 402,
        error: 'access_restricted',
        ...sale.terms,
      },
      terms,
      told: tell(required, terms),
      isForSale: offers.length > 0,
      networks: signIn ? networks : [],
    }
  }

  /** The offers of one 402. They are the same for all, unless one can sign in: then each has a nonce of its own. */
  function toldOf({ told, terms, networks }: Challenge): Told {
    const { decoded: required } = told
    if (!required || networks.length === 0) return told
    const signIn = signIns.declare(required.resource.url, networks)
    return tell({ ...required, extensions: { ...required.extensions, [SIGN_IN_WITH_X]: signIn ?? {} } }, terms)
  }

  async function challengeOf(sale: Sale): Promise<Challenge> {
    const second = Math.floor(clock().getTime() / 1000)
    const ready = ofSales.get(sale)
    if (ready?.second === second) return ready
    const [{ profileId, shown, payTo }] = sale.purchases as [Sale['purchases'][number]]
    const receivers = Object.entries(payTo).join()
    const tiers = sale.purchases.map(({ tier }) => tier).join()
    const { revision, preference } = sale
    const key = [profileId, revision, shown.url, shown.mimeType, preference.join(), receivers, tiers].join(' ')
    const known = kept.get(key)
    const made = known?.second === second ? known : await make(sale, second)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, made)
    ofSales.set(sale, made)
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
  async function challenge(sale: Sale, request: CredentialHeaders = {}, failed?: RefusedPayment): Promise<EepError> {
    const failure = failed?.response
    const made = await challengeOf(sale)
    const { encoded, body } = toldOf(made)
    const headers = {
      ...(encoded === null ? {} : { 'payment-required': encoded }),
      'cache-control': 'no-store',
      vary: 'Accept',
      'www-authenticate': waysIn(made, request),
    }
    const reason = failure?.errorReason ?? sale.signInRefused
    const unsold = made.isForSale ? undefined : 'This has a price, and nobody here takes payments for it now'
    return paymentRequired({
      headers: failure ? { ...headers, 'payment-response': encodeEnvelope(failure) } : headers,
      message: failure ? `The payment was not accepted: ${failure.errorReason}` : unsold,
      details: reason === undefined ? undefined : { reason, ...(failed?.alreadySettled && { already_settled: true }) },
      body,
      problem: made.problem,
    })
  }

  return {
    challenge,
    /** What the header of a 402 would say. */
    offers: async (sale: Sale) => toldOf(await challengeOf(sale)),
  }
}

export type Challenger = ReturnType<typeof createChallenger>['challenge']
