import type { AuthChallenge } from '../../../../kernel/auth-challenge.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { EepError } from '../../../../kernel/errors.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import type { SharedKey } from '../../../../kernel/keyring.ts'
import { caip2Of } from '../../../../kernel/network.ts'
import {
  type ChallengeContext,
  type CredentialHeaders,
  challengeIn,
  type PaymentRail,
  type Purchase,
  type RailOffer,
  x402PaymentIn,
} from '../../../../ports/payment-rail.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Metrics } from '../../../../runtime/telemetry/metrics.ts'
import { SIGN_IN_WITH_X, type SignIns } from '../../../people/wallets/index.ts'
import {
  countedReason,
  describeReason,
  namedNetwork,
  type ReadablePayments,
  readablePayments,
  reasonOfUnread,
} from '../access/refusal-reasons.ts'
import type { GatedResource } from '../access/resource.ts'
import type { Visitor } from '../access/visitor.ts'
import { paymentRequired } from '../errors.ts'
import { refusedPayments } from '../metrics.ts'
import type { ChallengeRequest } from './challenge-request.ts'
import { crawlerErrorOf, crawlerPrice, lowestPrice, readPriceLimit } from './crawler-price.ts'
import { PAYMENT_IDENTIFIER, paymentIdentifierExtension } from './credential.ts'
import { type ForSale, orderRails, type Sale } from './sale.ts'
import {
  challengeTimestamp,
  encodeEnvelope,
  encodeResponse,
  envelopeTemplate,
  type OfferedEntry,
  type PaymentRequired,
  paymentRequiredOf,
  resourceInfoOf,
  type SettleResponse,
  type Signatory,
  signOffer,
} from './x402.ts'

/** The inputs of an offer, besides the gate. */
export interface OfferKey {
  readonly resource: GatedResource
  readonly visitor: Pick<Visitor, 'mimeType' | 'preference'>
  /** The access key of the decision, or {@link ANONYMOUS} for visitors without credentials. */
  readonly accessKey: string
}

export const ANONYMOUS = 'anonymous'

interface CachedOffer {
  readonly second: number
  readonly resource: Pick<GatedResource, 'profile' | 'description' | 'preview'>
  readonly payTo: Purchase['payTo']
  readonly forSale: ForSale
}

const MAX_OFFERS_PER_GATE = 1_000

const cacheKey = ({ resource: { name, path }, visitor: { mimeType, preference }, accessKey }: OfferKey) =>
  [accessKey, mimeType, name, path, preference.join()].join(' ')

/**
 * Caches what is for sale until the second ends: within it, the 402 is the same for all visitors with the same access
 * decision. A changed gate is another object, and so are a changed profile and changed payout addresses.
 */
export function createOfferCache(clock: Clock) {
  const offers = new WeakMap<Gate, Map<string, CachedOffer>>()
  const now = () => Math.floor(clock().getTime() / 1000)

  return {
    /** Returns what is for sale, and to which addresses it is paid; undefined when anything it depends on has changed. */
    find(gate: Gate, key: OfferKey): Pick<CachedOffer, 'forSale' | 'payTo'> | undefined {
      const known = offers.get(gate)?.get(cacheKey(key))
      if (known?.second !== now() || known.resource.profile !== key.resource.profile) return undefined
      const { description, preview } = known.resource
      return description === key.resource.description && preview === key.resource.preview ? known : undefined
    },

    keep(gate: Gate, key: OfferKey, offer: Pick<CachedOffer, 'forSale' | 'payTo'>): void {
      const ofGate = offers.get(gate) ?? new Map<string, CachedOffer>()
      offers.set(gate, ofGate)
      if (ofGate.size >= MAX_OFFERS_PER_GATE) ofGate.clear()
      ofGate.set(cacheKey(key), { ...offer, resource: key.resource, second: now() })
    },
  }
}

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

/** The x402 envelope of a 402. */
export interface ChallengeEnvelope {
  /** The header `PAYMENT-REQUIRED`. */
  readonly encoded: string
  /** Its `accepts` is empty when no rail has an entry. */
  readonly decoded: PaymentRequired
  /** The members of the body after the error, offers included, as JSON without the braces around them. */
  readonly bodyMembers: string
}

/** The sign-in extension of a 402, and a function that creates the nonces of all. */
interface Declared {
  readonly declaration: NonNullable<ReturnType<SignIns['declare']>>
  readonly noncesFor: SignIns['noncesFor']
}

const envelopeOf = (
  decoded: PaymentRequired,
  encoded: string,
  json: string,
  terms: Readonly<Record<string, unknown>>,
): ChallengeEnvelope => ({
  decoded,
  encoded,
  bodyMembers: `"payment_required_b64":"${encoded}","decoded_payment_required":${json},${JSON.stringify(terms).slice(1, -1)}`,
})

/** Prepares the envelopes of the 402s of one second. */
function envelopesOf(
  required: PaymentRequired,
  terms: Readonly<Record<string, unknown>>,
  signIn: Declared | undefined,
): () => ChallengeEnvelope {
  if (!signIn) {
    const known = envelopeOf(required, encodeEnvelope(required), JSON.stringify(required), terms)
    return () => known
  }
  // Where visitors can sign in, each envelope has its own nonce.
  const { declaration, noncesFor } = signIn
  const { url } = required.resource
  const nextNonce = noncesFor(url)
  const write = envelopeTemplate(required, declaration.info.nonce)
  return () => {
    const nonce = nextNonce()
    const own = { ...declaration, info: { ...declaration.info, nonce } }
    const { encoded, json } = write(nonce)
    const decoded = { ...required, extensions: { ...required.extensions, [SIGN_IN_WITH_X]: own } }
    return envelopeOf(decoded, encoded, json, terms)
  }
}

/** An envelope that states why a payment was refused. */
function refusedEnvelope({ decoded }: ChallengeEnvelope, error: string, terms: Challenge['terms']): ChallengeEnvelope {
  const refused = { ...decoded, error }
  return envelopeOf(refused, encodeEnvelope(refused), JSON.stringify(refused), terms)
}

/** The response to a payment that no rail has read. */
const unreadResponse = (payment: string, readable: ReadablePayments): SettleResponse => ({
  success: false,
  errorReason: reasonOfUnread(payment, readable),
  transaction: '',
  network: undefined,
})

/** Completes the network of a refused x402 payment: its own, else that of the first x402 offer. */
function onNetwork(
  response: SettleResponse,
  payment: string | undefined,
  accepts: readonly JsonObject[],
  { networks }: ReadablePayments,
): SettleResponse {
  if (response.network || payment === undefined) return response
  const offered = accepts.find(({ network }) => typeof network === 'string' && networks.has(network))?.network
  const network = namedNetwork(payment) ?? (typeof offered === 'string' ? offered : undefined)
  return { ...response, network }
}

/** A refused payment, for the 402 that answers it. */
export interface RefusedPayment {
  /** `unread` for an x402 payment that no rail has read. */
  readonly response: SettleResponse | 'unread'
  /** Whether the credential settled a payment before. */
  readonly alreadySettled: boolean
  /** The rail that read it. Default: none. */
  readonly rail?: string | undefined
}

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

/** The offer of a rail for a purchase. */
interface MadeOffer {
  readonly purchase: Purchase
  readonly rail: string
  readonly offer: RailOffer
}

/**
 * The members of the JSON body for clients of x402 version 1; none without an offer. Those clients refuse the whole list for one entry
 * that they cannot read. A payment of theirs names its network only, so the first rail that reads it is the one that offers on it.
 */
function v1Members(
  offers: readonly MadeOffer[],
  rails: readonly PaymentRail[],
): { readonly x402Version?: 1; readonly accepts?: readonly JsonObject[] } {
  const readerOf = (network: string) => rails.find(({ info }) => info?.v1Networks?.includes(network))?.id
  const entries = new Map<string, JsonObject>()
  for (const { rail, offer } of offers) {
    for (const entry of offer.v1 ?? []) {
      const { network, maxAmountRequired, payTo } = entry
      if (typeof network !== 'string' || readerOf(caip2Of(network)) !== rail) continue
      const key = `${network} ${maxAmountRequired} ${payTo}`
      if (!entries.has(key)) entries.set(key, entry)
    }
  }
  return entries.size === 0 ? {} : { x402Version: 1, accepts: [...entries.values()] }
}

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
