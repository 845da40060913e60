import type { Clock } from '../../../kernel/clock.ts'
import { type EepError, notFound } from '../../../kernel/errors.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Caller } from '../../../model/caller.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { namesAudiences } from '../../../model/gate-rules.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import type { ClassifyReader } from '../../../ports/classify-reader.ts'
import type { CredentialVerifier } from '../../../ports/credential-verifier.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { PaymentRail, Purchase } from '../../../ports/payment-rail.ts'
import type { RequirementVerifier } from '../../../ports/requirement-verifier.ts'
import type { ActivePattern } from '../../../ports/storage/entitlements.ts'
import type { Gate } from '../../../ports/storage/gates.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import type { PayoutService, SignIns } from '../../people/wallets/index.ts'
import { type ProfileService, withoutFields } from '../../profiles/profiles/index.ts'
import type { GateService, PriceCheck } from '../gates/index.ts'
import { rulesFor } from './access/decide.ts'
import { createVisitorDecisions } from './access/decide-for-visitor.ts'
import { createDecisionService } from './access/decision-service.ts'
import { createEvaluation, type GrantedAccess, RESTRICTED } from './access/evaluate.ts'
import { createHostAccess } from './access/host-access.ts'
import { createOfferListings } from './access/offer-listings.ts'
import { createOpeningCookies } from './access/opening-cookie.ts'
import { pricedGate } from './access/priced-gate.ts'
import { createReaders, readerOfAccount } from './access/reader.ts'
import type { AskedResource } from './access/resource.ts'
import { createGateSessions } from './access/session.ts'
import { createSoldEndpoints } from './access/sold-endpoints.ts'
import {
  type Credentials,
  carriesPayment,
  createPayerCookies,
  createVisitorRights,
  hasNoCredentials,
  NO_CREDENTIALS,
  presentsNoPayment,
  type Visitor,
} from './access/visitor.ts'
import type { CompensationDeps } from './paid/compensate.ts'
import { MANAGE_APPS_PATH } from './pay/app-spending.ts'
import type { ChallengeRequest } from './pay/challenge-request.ts'
import { type CheckoutDeps, createCheckouts } from './pay/checkouts.ts'
import { createPaymentComparison } from './pay/compare-payments.ts'
import { readPriceLimit } from './pay/crawler-price.ts'
import { type ChallengeDeps, createChallenger, type Quote, type RepeatedChallenge } from './pay/offer.ts'
import { createNoticeCookies } from './pay/purchase-notice.ts'
import type { RefusedPayment } from './pay/refused-payment.ts'
import { chargedAt, type Sale } from './pay/sale.ts'
import { createSettlement, type SettlementDeps } from './pay/settle.ts'
import { createVerdicts, type VisitorLookup } from './requirements/index.ts'

export interface PaywallDeps
  extends GuardedStorage,
    Omit<ChallengeDeps, 'keys' | 'signIns' | 'signatory'>,
    Omit<SettlementDeps, 'challenge' | 'hooks' | 'signatory' | 'manageAppsUrl'> {
  readonly refunds: CheckoutDeps['refunds'] & CompensationDeps['refunds']
  readonly clock: Clock
  readonly keyring: Keyring
  readonly rails: readonly PaymentRail[]
  readonly profiles: ProfileService
  readonly gates: GateService
  readonly prices: Pick<PriceCheck, 'isPayable' | 'verdictsOf'>
  readonly payouts: Pick<PayoutService, 'addressesOf'>
  readonly signIns: Pick<SignIns, 'prove' | 'declare' | 'noncesFor'>
  readonly payerProof: 'lookup' | 'signed'
  readonly metrics: Metrics
  readonly publicUrl: string
  /** The DID that issues sessions and signs offers and receipts. */
  readonly serviceDid: string
  readonly hooks: EepHooks
  /** The services that requirement verifiers use. */
  readonly visitorLookup: Omit<VisitorLookup, 'didOf' | 'gateOf' | 'now'>
  /** Verifiers of the host, by the type of requirement. */
  readonly verifiers: Readonly<Record<string, RequirementVerifier>>
  readonly credentials: CredentialVerifier | undefined
  /** What the host knows of readers. */
  readonly classifyReader: ClassifyReader | undefined
  /** Called with errors of {@link classifyReader}. */
  readonly onClassifyTrouble: (error: unknown) => void
}

/** A refusal to respond with: 402, 403 or 451. */
export interface RefusedAccess {
  readonly is: 'payment_required' | 'denied'
  readonly refusal: EepError
  /** A function that repeats the refusal for further visitors without credentials and of the same audiences, if it would be the same. */
  readonly repeat?: RepeatedChallenge | undefined
  /** The price of the best offer. */
  readonly price?: Purchase['price'] | undefined
  /** The purchases for sale. */
  readonly purchases?: readonly Purchase[] | undefined
  /** The audiences that the gate names, when its decision depends on the reader. */
  readonly audiences?: readonly string[] | undefined
}

/** Whether a visitor may read a resource now, and the response if not. */
export type AccessResult = GrantedAccess | RefusedAccess

/** A part that is created when it is first used. */
function onDemand<Part>(create: () => Promise<Part>) {
  let part: Promise<Part> | undefined
  return {
    use: (): Promise<Part> => {
      part ??= create()
      return part
    },
  }
}

/** The refusal of a payment on a request whose method takes none. */
const UNPAYABLE_METHOD: RefusedPayment = {
  response: { success: false, errorReason: 'method_takes_no_payment', transaction: '', network: undefined },
  alreadySettled: false,
}

/**
 * The paywall: decides who may read a resource, offers what is for sale and settles payments. It takes no HTTP request, so
 * routes, other protocols and hosts use it alike; for routes see `requireAccess`.
 */
export function createPaywall(deps: PaywallDeps) {
  const { read, clock, keyring, rails, profiles, gates, hooks } = deps
  const signatory = { keyring, did: deps.serviceDid }
  const sold = createSoldEndpoints()
  const listings = createOfferListings()

  const verdicts = createVerdicts(
    {
      ...deps.visitorLookup,
      didOf: profiles.didOf,
      now: clock,
      async gateOf(did) {
        const profile = await profiles.byDid(did)
        return gates.gateOf(profile.id)
      },
    },
    deps.verifiers,
    deps.credentials,
  )
  const sessions = createGateSessions({ ...deps, didOf: profiles.didOf })
  const { rightsTo, isEntitled, findEntitlement, heldBy, spendProofs } = createVisitorRights({
    ...deps,
    verdicts,
    sessions,
  })
  const { challenge, repeatChallenge, offers, quote } = createChallenger({
    ...deps,
    keys: keyring.shared('timeline'),
    signatory,
  })
  const { steps, processPayment, openPaid, isKnownCredential, lookUp, recover, reconcile } = createSettlement({
    ...deps,
    challenge,
    signatory,
    manageAppsUrl: `${deps.publicUrl}${MANAGE_APPS_PATH}`,
  })
  const checkouts = createCheckouts({ ...deps, lookUp })

  const { decideAll, decideOne, decideTier } = createVisitorDecisions({ rightsTo, spendProofs })
  const { evaluate, evaluateOpen, configPathOf, refusalInput } = createEvaluation({
    ...deps,
    isVerifiable: verdicts.isVerifiable,
    isPayable: deps.prices.isPayable,
    isEntitled,
    decideOne,
    listings,
  })

  return {
    rails,
    /** Whether the headers of "pay per crawl" are sent and read. */
    crawlerHeaders: deps.crawlerHeaders,
    configPathOf,
    sold,
    /** What catalogues show of resources for sale. */
    listings,

    /**
     * Returns the gate of a resource that a route of the host sells at a fixed price.
     *
     * @throws `profile_not_found`, `not_found` when no route sells it
     */
    async endpointGate(did: string, resource: string, caller: Caller | undefined): Promise<GateConfig> {
      const profile = await profiles.byDid(did, caller)
      const price = sold.priceOf(profile, profiles.didOf(profile), resource)
      if (!price) throw notFound()
      return pricedGate(profile.id, resource, price).config
    },
    didOf: gates.didOf,
    evaluate,
    /** Returns who reads, for gates with audiences. */
    readerOf: createReaders(deps.classifyReader, deps.onClassifyTrouble),
    findEntitlement,
    heldBy,
    now: clock,
    /** Returns the enabled payout addresses of an account, by CAIP-2 network. */
    payoutsOf: async (accountId: string) => deps.payouts.addressesOf(accountId),
    /** Returns a receipt without checking the reader. */
    receiptOf: (receiptId: string) => read.receipts.get(receiptId),

    /**
     * Returns what a 402 of a resource offers to a reader who has proven nothing; undefined when that reader cannot buy it now.
     *
     * @param charge - when the money is taken, of payments that are bound to one request
     */
    async quote(resource: AskedResource, charge?: Purchase['charge']): Promise<Quote | undefined> {
      const reader = { ...NO_CREDENTIALS, credentials: {}, preference: [], mayPay: true, mimeType: 'text/markdown' }
      const evaluation = await evaluate(resource, reader)
      return evaluation.is === 'payment_required' ? quote(chargedAt(evaluation.sale, charge)) : undefined
    },

    /** Whether a profile still has this version of its gate. */
    async hasGate({ id }: Profile, { version }: Pick<Gate, 'version'>): Promise<boolean> {
      return (await gates.gateOf(id))?.version === version
    },

    /** Whether a resource of a profile is open to every visitor. False when that depends on a hook of the host. */
    async isOpen({ id }: Profile, resource: string): Promise<boolean> {
      return !hooks.legalRestriction && gates.isOpen(id, resource)
    },

    /**
     * Grants access to a resource, settles the payment of the request if one is needed, or returns the refusal.
     *
     * @throws `settlement_pending`, `proof_replayed`, `conflicting_price_headers`, `invalid_crawler_price` and what else
     * `processPayment` throws
     */
    async open(resource: AskedResource, visitor: Visitor): Promise<AccessResult> {
      const evaluation = await evaluate(resource, visitor)
      if (evaluation.is !== 'payment_required') return evaluation
      const { sale, audiences } = evaluation
      const { purchases } = sale
      const price = purchases[0]?.price
      const refuseUnpaid = async (unpaid: Sale) => {
        const refused = carriesPayment(visitor.credentials) ? UNPAYABLE_METHOD : undefined
        const refusal = await challenge(unpaid, visitor.credentials, refused)
        return { is: 'payment_required', refusal, price, audiences } as const
      }
      // A challenge is cached by its list of purchases.
      if (visitor.isOffered === false) return refuseUnpaid({ ...sale, purchases: [...purchases], isOffered: false })
      if (deps.crawlerHeaders) readPriceLimit(visitor.credentials)
      const opened = visitor.opening && visitor.mayPay ? await openPaid(sale, visitor.opening) : undefined
      if (opened) return { ...RESTRICTED, payment: opened }
      if (!visitor.mayPay) return { ...(await refuseUnpaid(sale)), purchases }
      const result = await processPayment(sale, visitor.credentials)
      if (result.is === 'accepted') return { ...RESTRICTED, payment: result.payment, audiences }
      // The result of a host's hook, or a custom gate, may differ for the next visitor.
      const isForEveryone =
        !hooks.legalRestriction && !resource.gate && hasNoCredentials(visitor) && presentsNoPayment(visitor)
      return { ...result, price, purchases, audiences, repeat: isForEveryone ? repeatChallenge(sale) : undefined }
    },

    /** Grants access to a resource that everyone may read, whatever its gate, or returns the refusal of what the host must withhold. */
    openWithoutGate: ({ profile, name }: AskedResource, caller: Caller | undefined): Promise<AccessResult> =>
      evaluateOpen({ profile, name }, caller),

    ...createHostAccess({
      read,
      profiles,
      async isOpenTo({ profile, name, role, gate: own }, caller) {
        if (await hooks.legalRestriction?.({ profile, resource: name, caller })) return false
        const gate = own ?? (await gates.gateOf(profile.id))
        if (!gate || role) return true
        const visitor = { ...NO_CREDENTIALS, caller, reader: readerOfAccount(caller) }
        return (await decideOne(gate, profile, name, visitor)).is === 'granted'
      },
    }),

    /**
     * Returns which of some resources of a profile a visitor may read without a payment. What `hooks.legalRestriction` withholds is not
     * among them.
     *
     * @param spends - Whether proofs that open something are used up. Default: true.
     * @param bought - What the visitor bought for this request only. Default: nothing.
     * @param gate - The gate to use. Default: the one that the profile has now.
     * @throws `proof_replayed` when a proof that would open one of them was used before
     */
    async openTo(
      profile: Profile,
      resources: readonly string[],
      credentials: Credentials,
      options: {
        readonly spends?: boolean
        readonly gate?: Gate | undefined
        readonly bought?: readonly ActivePattern[]
      } = {},
    ): Promise<ReadonlySet<string>> {
      const gate = options.gate ?? (await gates.gateOrOpen(profile))
      const isByReader = credentials.reader !== undefined && namesAudiences(gate.config)
      const isAnonymous = hasNoCredentials(credentials) && !isByReader && !options.bought?.length
      const decisions = isAnonymous ? [] : await decideAll(gate, profile, resources, credentials, options)
      const open = resources.filter((resource, index) =>
        isAnonymous ? rulesFor(gate.config, resource).open : decisions[index]?.is === 'granted',
      )
      const { legalRestriction } = hooks
      if (!legalRestriction) return new Set(open)
      const { caller } = credentials
      const withheld = await Promise.all(open.map((resource) => legalRestriction({ profile, resource, caller })))
      return new Set(open.filter((_, index) => !withheld[index]))
    },

    /** Returns the URL of the portrait of a profile; null where everyone may not see the field. */
    async portraitOf(
      profile: Profile,
    ): Promise<{ readonly url: string | null; readonly gates: GateConfig | undefined }> {
      const config = (await gates.gateOf(profile.id))?.config
      // The file of an unlisted profile needs a key.
      if (profile.visibility === 'unlisted') return { url: null, gates: config }
      return { url: withoutFields(profile, gatedFields(config)).avatarUrl, gates: config }
    },

    ...createDecisionService({
      ...deps,
      sessions,
      decideOne,
      decideTier,
      refusalInput,
      isVerifiable: verdicts.isVerifiable,
    }),
    ...createPayerCookies(deps),
    ...createNoticeCookies(deps),
    ...createOpeningCookies(deps),
    ...createPaymentComparison({ ...deps, recover }),

    /** Payments for single requests of the host's own routes. Their code is loaded when a route uses it. */
    paid: onDemand(() => import('./paid/paid-requests.ts').then((paid) => paid.createPaidRequests({ ...deps, steps }))),
    /** Returns the 402 of a sale to a request without a payment, or with one that its method does not take. */
    demand: (sale: Sale, headers: ChallengeRequest, isUnpayable: boolean): Promise<EepError> =>
      challenge(sale, headers, isUnpayable ? UNPAYABLE_METHOD : undefined),
    sessions,
    offers,
    processPayment,
    isKnownCredential,
    reconcile,
    checkouts,
  }
}

export type Paywall = ReturnType<typeof createPaywall>
