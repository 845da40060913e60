import type { AuthChallenge } from '../../../../kernel/auth-challenge.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { EepError } from '../../../../kernel/errors.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import type { SharedKey } from '../../../../kernel/keyring.ts'
import {
  type ChallengeContext,
  type CredentialHeaders,
  challengeIn,
  type PaymentRail,
  type Purchase,
  type RailOffer,
  x402PaymentIn,
} from '../../../../ports/payment-rail.ts'
import type { Metrics } from '../../../../runtime/telemetry/metrics.ts'
import { SIGN_IN_WITH_X, type SignIns } from '../../../people/wallets/index.ts'
import { countedReason, describeReason, readablePayments } from '../access/refusal-reasons.ts'
import { paymentRequired } from '../errors.ts'
import { refusedPayments } from '../metrics.ts'
import { type ChallengeEnvelope, envelopesOf, refusedEnvelope } from './challenge-envelope.ts'
import type { ChallengeRequest } from './challenge-request.ts'
import { crawlerErrorOf, crawlerPrice, lowestPrice, readPriceLimit } from './crawler-price.ts'
import { PAYMENT_IDENTIFIER, paymentIdentifierExtension } from './credential.ts'
import { onNetwork, type RefusedPayment, unreadResponse } from './refused-payment.ts'
import { orderRails, type Sale } from './sale.ts'
import { type MadeOffer, v1Members } from './v1-offers.ts'
import {
  challengeTimestamp,
  encodeResponse,
  type OfferedEntry,
  paymentRequiredOf,
  resourceInfoOf,
  type Signatory,
  signOffer,
} from './x402.ts'

/**
 * The client's preference for a way to pay in `Accept-Payment`, 0 to 1. Default: 1.
 * @internal
 */
export function acceptedQuality(
  header: string | undefined,
  { method = '', intent = '' }: Readonly<Record<string, string>>,
): number {
  for (const entry of header?.slice(0, 1_000).split(',') ?? []) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (name !== `${method}/${intent}`) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return quality !== undefined && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 1
  }
  return 1
}

/**
 * The header for a credential: clients that are signed in by `Authorization` keep that one for the session.
 * @internal
 */
export const credentialField = ({ authorization }: CredentialHeaders): ChallengeContext['field'] =>
  /^bearer /i.test(authorization ?? '') ? 'Payment-Authorization' : 'Authorization'

export interface ChallengeDeps {
  readonly rails: readonly PaymentRail[]
  readonly clock: Clock
  readonly keys: readonly [SharedKey, ...SharedKey[]]
  readonly docsUrl: string
  /** Which scheme comes first in `WWW-Authenticate`. */
  readonly challengeOrder: 'eep-first' | 'payment-first'
  readonly signIns: Pick<SignIns, 'declare' | 'noncesFor'>
  readonly signatory: Signatory
  /** Whether each offer is signed, too. */
  readonly signedOffers: boolean
  /** Whether a 402 has the headers of "pay per crawl". */
  readonly crawlerHeaders: boolean
  readonly metrics: Pick<Metrics, 'counter'>
}

/** What a 402 offers, for documents that state prices. */
export interface Quote {
  /** The purchases that a rail offers, in the order of the sale. At least one. */
  readonly purchases: readonly Purchase[]
  /** The entries of `accepts[]` (x402 v2). */
  readonly accepts: readonly JsonObject[]
  /** The parameters of the challenges of the scheme `Payment`. */
  readonly challenges: readonly Readonly<Record<string, string>>[]
}

/** The part of a 402 that is equal for all receivers within a second. */
interface Challenge {
  readonly second: number
  /** The canonical URL of the resource. */
  readonly url: string
  /** Offers with a challenge of the scheme `Payment`. */
  readonly payable: readonly RailOffer[]
  /** The purchases that a rail offers. */
  readonly offered: ReadonlySet<Purchase>
  /** What the gate states of itself. */
  readonly ofGate: Readonly<Record<string, unknown>>
  /** The members of the body beside the offers. */
  readonly terms: Readonly<Record<string, unknown>>
  /** The next envelope. */
  readonly envelope: () => ChallengeEnvelope
  readonly isForSale: boolean
  /** The lowest price that a rail offers; undefined when nothing is for sale. */
  readonly lowest: Purchase['price'] | undefined
  /** The message when nothing is for sale. */
  readonly unsold: string
}

const NO_METHOD = 'Payment required, but no payment method is available for this resource'
const NOT_BY_THIS_METHOD = 'Payment required, but only GET requests take payments'

const networksOf = (entries: readonly OfferedEntry[]): readonly string[] =>
  entries.flatMap(({ accept: { network } }) => (typeof network === 'string' ? [network] : []))

/** Makes the 402 of a sale. */
export function createChallenger(deps: ChallengeDeps) {
  const { rails, clock, keys, docsUrl, challengeOrder, signIns, signatory, signedOffers, crawlerHeaders, metrics } =
    deps
  const countRefused = metrics.counter(refusedPayments)
  const readable = readablePayments(rails)
  // A cached offer keeps its list of purchases, so its challenge is made once.
  const challenges = new WeakMap<readonly Purchase[], Challenge>()

  async function offersOf(sale: Sale): Promise<readonly MadeOffer[]> {
    if (sale.isOffered === false) return []
    const ordered = orderRails(rails, sale.preference)
    const offers = sale.purchases.flatMap((purchase) =>
      ordered
        .filter(({ id }) => purchase.rails === null || purchase.rails.includes(id))
        .map((rail) => ({ purchase, rail, offer: rail.offer(purchase) })),
    )
    // The preferred rail comes first for every tier, the closest tier first within a rail.
    offers.sort((left, right) => ordered.indexOf(left.rail) - ordered.indexOf(right.rail))
    const made = await Promise.all(
      offers.map(async ({ purchase, rail, offer }) => ({ purchase, rail: rail.id, offer: await offer })),
    )
    return made.flatMap(({ offer, ...rest }) => (offer ? [{ ...rest, offer }] : []))
  }

  const signed = (entries: readonly OfferedEntry[], resourceUrl: string, second: number) =>
    Promise.all(
      entries.map(async (entry) => {
        const lifetimeSeconds = Number(entry.accept.maxTimeoutSeconds) || 300
        const validUntil = second + lifetimeSeconds
        return { ...entry, signed: await signOffer(entry.accept, { resourceUrl, validUntil }, signatory) }
      }),
    )

  async function make(sale: Sale, second: number): Promise<Challenge> {
    const [purchase] = sale.purchases as [Purchase]
    const { shown } = purchase
    const offers = await offersOf(sale)
    const entries = offers.flatMap(({ rail, offer: { accept, alternatives = [] } }) =>
      [...(accept ? [accept] : []), ...alternatives].map((each) => ({ rail, accept: each })),
    )
    const networks = sale.purchases.some(({ per }) => per !== 'request') ? networksOf(entries) : []
    const declaration = signIns.declare(shown.url, networks)
    const unsold = sale.isOffered === false ? NOT_BY_THIS_METHOD : NO_METHOD
    const other = offers.length > 0 ? 'No offer is paid by x402; see WWW-Authenticate' : unsold
    const required = paymentRequiredOf(
      signedOffers ? await signed(entries, shown.url, second) : entries,
      {
        error: entries.length > 0 ? 'PAYMENT-SIGNATURE header is required' : other,
        resource: resourceInfoOf(purchase),
        extensions: {
          ...challengeTimestamp(shown.url, new Date(second * 1000), keys),
          [PAYMENT_IDENTIFIER]: paymentIdentifierExtension,
          ...(declaration && { [SIGN_IN_WITH_X]: declaration }),
        },
      },
      purchase.listing?.bazaar,
    )
    const ofGate = sale.terms()
    const terms = {
      ...v1Members(offers, orderRails(rails, sale.preference)),
      inline_retry_supported: offers.length > 0,
      docs_url: docsUrl,
      ...ofGate,
      preview: sale.preview,
    }
    return {
      second,
      url: shown.url,
      offered: new Set(offers.map(({ purchase }) => purchase)),
      payable: offers.flatMap(({ offer }) => (offer.challenge === undefined ? [] : [offer])),
      ofGate,
      terms,
      envelope: envelopesOf(required, terms, declaration && { declaration, noncesFor: signIns.noncesFor }),
      isForSale: offers.length > 0,
      lowest: lowestPrice(offers.map(({ purchase }) => purchase.price)),
      unsold,
    }
  }

  async function challengeOf(sale: Sale): Promise<Challenge> {
    const second = Math.floor(clock().getTime() / 1000)
    const known = challenges.get(sale.purchases)
    if (known?.second === second) return known
    const made = await make(sale, second)
    challenges.set(sale.purchases, made)
    return made
  }

  /** The ways to get access. Challenges of the scheme `Payment` are single use, so each 402 gets its own. */
  function challengesOf({ url, payable }: Challenge, request: ChallengeRequest): readonly AuthChallenge[] {
    // For access without a payment.
    const resource = request.pathOf?.(url) ?? new URL(url).pathname
    const gate = { scheme: 'EEP', parameters: { realm: 'gate', resource } }
    const context = { field: credentialField(request) }
    const payments = payable
      .map((offer) => challengeIn(offer, context))
      .filter((challenge) => challenge !== undefined)
      .map((challenge) => ({ challenge, quality: acceptedQuality(request.acceptPayment, challenge) }))
      .filter(({ quality }) => quality > 0)
      .sort((left, right) => right.quality - left.quality)
      .map(({ challenge }) => ({ scheme: 'Payment', parameters: { ...challenge } }))
    return challengeOrder === 'eep-first' ? [gate, ...payments] : [...payments, gate]
  }

  /** The price of the 402, and what is wrong with the limit or the payment of the request. */
  function crawlerFacts({ lowest }: Challenge, request: ChallengeRequest, reason: string | undefined) {
    if (!crawlerHeaders || !lowest) return {}
    return {
      crawler: { price: crawlerPrice(lowest), error: crawlerErrorOf(readPriceLimit(request), lowest, reason) },
    }
  }

  function refusalOf(made: Challenge, request: ChallengeRequest, reason?: string, refused?: RefusedPayment): EepError {
    const plain = made.envelope()
    const { accepts } = plain.decoded
    const payment = x402PaymentIn(request)
    const failure = refused?.response === 'unread' ? unreadResponse(payment ?? '', readable) : refused?.response
    const shown = failure && onNetwork(failure, payment, accepts, readable)
    const said = failure?.errorReason === undefined ? undefined : describeReason(failure.errorReason)
    const { encoded, decoded, bodyMembers } = said === undefined ? plain : refusedEnvelope(plain, said, made.terms)
    const why = failure?.errorReason ?? reason
    if (failure?.errorReason !== undefined) {
      countRefused({ rail: refused?.rail ?? 'none', reason: countedReason(failure.errorReason) })
    }
    return paymentRequired({
      ...crawlerFacts(made, request, failure?.errorReason),
      x402: { required: encoded, ...(shown && { response: encodeResponse(shown) }) },
      challenges: challengesOf(made, request),
      message: said ?? (made.isForSale ? undefined : made.unsold),
      details:
        why === undefined ? undefined : { reason: why, ...(refused?.alreadySettled && { already_settled: true }) },
      body: { payment_required_b64: encoded, decoded_payment_required: decoded, ...made.terms },
      bodyMembers,
      terms: made.ofGate,
    })
  }

  return {
    /** Returns the 402 of a sale; with `refused`, after a payment that was refused. */
    async challenge(sale: Sale, request: ChallengeRequest = {}, refused?: RefusedPayment): Promise<EepError> {
      return refusalOf(await challengeOf(sale), request, sale.signInRefused, refused)
    },

    /**
     * Returns a function that makes the 402 of a sale for further visitors without credentials while the offers are unchanged: until
     * the end of the second of the latest 402.
     */
    repeatChallenge(sale: Sale): RepeatedChallenge | undefined {
      const made = challenges.get(sale.purchases)
      return made && { until: new Date((made.second + 1) * 1000), make: (pathOf) => refusalOf(made, { pathOf }) }
    },

    /** Returns what a 402 of a sale offers; undefined when no rail makes an offer. */
    async quote(sale: Sale): Promise<Quote | undefined> {
      const { offered, payable, envelope } = await challengeOf(sale)
      if (offered.size === 0) return undefined
      const challenges = payable.map((offer) => challengeIn(offer)).filter((challenge) => challenge !== undefined)
      const purchases = sale.purchases.filter((purchase) => offered.has(purchase))
      return { purchases, accepts: envelope().decoded.accepts, challenges }
    },

    /** Returns the envelope that a 402 of a sale would have. */
    offers: async (sale: Sale): Promise<ChallengeEnvelope> => (await challengeOf(sale)).envelope(),
  }
}

/** A function that repeats a 402, and the time until which it may be used. */
export interface RepeatedChallenge {
  readonly until: Date
  /** Creates the 402. Single-use values, such as nonces, differ in each. */
  make(pathOf: ChallengeRequest['pathOf']): EepError
}

export type Challenger = ReturnType<typeof createChallenger>['challenge']
