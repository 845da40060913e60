import type { Clock } from '../../../kernel/clock.ts'
import { type EepError, isEepError, notFound } from '../../../kernel/errors.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Caller } from '../../../model/caller.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { agentPayer, type PayerHint, readPayer } from '../../../model/payer.ts'
import type { CredentialVerifier } from '../../../ports/credential-verifier.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { Payer, PaymentRail, Purchase } from '../../../ports/payment-rail.ts'
import type { RequirementVerifier } from '../../../ports/requirement-verifier.ts'
import type { Gate } from '../../../ports/storage/gates.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import type { PayoutService, SignIns } from '../../people/wallets/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { GateService } from '../gates/index.ts'
import { type AccessDecision, type PaymentRequired, rulesFor } from './access/decide.ts'
import { createVisitorDecisions } from './access/decide-for-visitor.ts'
import { createDecisionService } from './access/decision-service.ts'
import { createHostAccess } from './access/host-access.ts'
import { createOpeningCookies } from './access/opening-cookie.ts'
import { pricedGate } from './access/priced-gate.ts'
import { forbiddenOf, type RefusalInput, restrictedOf, termsOf } from './access/refusal.ts'
import { type AskedResource, described, type GatedResource, isDescribed, urlOf } from './access/resource.ts'
import { createGateSessions } from './access/session.ts'
import { createSoldEndpoints } from './access/sold-endpoints.ts'
import {
  type Credentials,
  callerPayers,
  createPayerCookies,
  createVisitorRights,
  hasNoCredentials,
  NO_CREDENTIALS,
  presentsNoPayment,
  type Visitor,
} from './access/visitor.ts'
import { type CheckoutDeps, createCheckouts } from './pay/checkouts.ts'
import { createPaymentComparison } from './pay/compare-payments.ts'
import type { AcceptedPayment } from './pay/deliver.ts'
import {
  ANONYMOUS,
  type ChallengeDeps,
  createChallenger,
  createOfferCache,
  type RefusedPayment,
  type RepeatedChallenge,
} from './pay/offer.ts'
import { roseLately } from './pay/price-rise.ts'
import { createNoticeCookies } from './pay/purchase-notice.ts'
import { type ForSale, purchaseOf, type Sale } from './pay/sale.ts'
import { createSettlement, type SettlementDeps } from './pay/settle.ts'
import { createVerdicts, type VisitorLookup } from './requirements/index.ts'

export interface PaywallDeps
  extends GuardedStorage,
    Omit<ChallengeDeps, 'keys' | 'signIns' | 'signatory'>,
    Omit<SettlementDeps, 'challenge' | 'deliverPlatformSale' | 'hooks' | 'signatory'>,
    Pick<CheckoutDeps, 'refunds'> {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly rails: readonly PaymentRail[]
  readonly profiles: ProfileService
  readonly gates: GateService
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
}

/** Access without a new payment, or with the payment of this request. */
export interface GrantedAccess {
  readonly is: 'granted'
  /** The resource is gated. */
  readonly restricted: boolean
  /** The payment that this request presented; undefined when none was needed. */
  readonly payment?: AcceptedPayment | undefined
  /** The payer that proved its wallet by signing in, if that is why access is granted. */
  readonly signedIn?: PayerHint | undefined
  /** Whether the payer that the request named or that signed in holds an entitlement to the resource. */
  readonly payerHolds?: boolean | undefined
}

/** A refusal to respond with: 402, 403 or 451. */
export interface RefusedAccess {
  readonly is: 'payment_required' | 'denied'
  readonly refusal: EepError
  /** A function that repeats the refusal for further visitors without credentials, if it would be the same. */
  readonly repeat?: RepeatedChallenge | undefined
  /** The price of the best offer. */
  readonly price?: Purchase['price'] | undefined
  /** The purchases for sale. */
  readonly purchases?: readonly Purchase[] | undefined
}

/** Whether a visitor may read a resource now, and the response if not. */
export type AccessResult = GrantedAccess | RefusedAccess

/** Access before any payment: what is granted, for sale or denied. */
export type Evaluation =
  | GrantedAccess
  | { readonly is: 'payment_required'; readonly sale: Sale }
  | { readonly is: 'denied'; readonly refusal: EepError }

/** The refusal of a payment on a request whose method takes none. */
const UNPAYABLE_METHOD: RefusedPayment = {
  response: { success: false, errorReason: 'method_takes_no_payment', transaction: '', network: '' },
  alreadySettled: false,
}

const OPEN: GrantedAccess = { is: 'granted', restricted: false }
const RESTRICTED: GrantedAccess = { is: 'granted', restricted: true }

/**
 * The paywall: decides who may read a resource, offers what is for sale and settles payments. It takes no HTTP request, so
 * routes, other protocols and hosts use it alike; for routes see `requireAccess`.
 */
export function createPaywall(deps: PaywallDeps) {
  const { read, clock, keyring, rails, profiles, gates, payouts, signIns, publicUrl, hooks } = deps
  const signatory = { keyring, did: deps.serviceDid }
  const sold = createSoldEndpoints()
  const isRail = (id: string) => rails.some((rail) => rail.id === id)

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
  const offerCache = createOfferCache(clock)
  const { challenge, repeatChallenge, offers } = createChallenger({
    ...deps,
    keys: keyring.shared('timeline'),
    signatory,
  })
  let deliverPlatformSale: SettlementDeps['deliverPlatformSale'] = () => {
    throw new Error('No module delivers this purchase of the service')
  }
  const { processPayment, openPaid, isKnownCredential, lookUp, recover, reconcile } = createSettlement({
    ...deps,
    challenge,
    signatory,
    deliverPlatformSale: (...sale) => deliverPlatformSale(...sale),
  })
  const checkouts = createCheckouts({ ...deps, lookUp })

  /** The path of the configuration that decides about a resource. A fixed price of the host has its own. */
  const configPathOf = ({ profile, name, gate }: Pick<GatedResource, 'profile' | 'name' | 'gate'>) =>
    gate ? `${gates.pathOf(profile)}/endpoints/${name}` : gates.pathOf(profile)

  const { decideAll, decideOne, decideTier } = createVisitorDecisions({ rightsTo, spendProofs })

  const refusalInput = (
    { profile, name: resource, gate: own }: Pick<GatedResource, 'profile' | 'name' | 'gate'>,
    { config }: Gate,
    decision: AccessDecision,
  ): RefusalInput => ({
    resource,
    config,
    decision,
    gatesConfigUrl: `${publicUrl}${configPathOf({ profile, name: resource, gate: own })}`,
    isVerifiable: verdicts.isVerifiable,
  })

  /** Returns what is for sale to visitors with this decision. */
  async function offer(
    resource: GatedResource,
    gate: Gate,
    decision: PaymentRequired,
    visitor: Visitor,
  ): Promise<ForSale> {
    const { profile } = resource
    const accessKey = hasNoCredentials(visitor) ? ANONYMOUS : decision.accessKey
    const key = { resource, visitor, accessKey }
    const payTo = await payouts.addressesOf(profile.ownerAccountId)
    const known = offerCache.find(gate, key)
    if (known?.payTo === payTo) return known.forSale
    const { mimeType = visitor.mimeType } = resource
    const seller = { did: profiles.didOf(profile), publicUrl, rails, mimeType, payTo }
    const forSale: ForSale = {
      purchases: decision.buyable.map((tier) => purchaseOf(resource, tier, seller)),
      terms: () => termsOf(refusalInput(resource, gate, decision)),
      preview: resource.preview,
    }
    offerCache.keep(gate, key, { forSale, payTo })
    return forSale
  }

  const saleTo = (
    { caller, agent, preference }: Visitor,
    { profile, name: resource }: GatedResource,
    forSale: ForSale,
    gate: Gate,
    signInRefused?: string,
  ): Sale => ({
    ...forSale,
    preference,
    signInRefused,
    async isEntitled(payer: Payer, { entitlements }: Pick<Readers, 'entitlements'> = read) {
      const ofAgent = agent?.verified ? [agentPayer(agent.did)] : []
      for (const one of [payer, ...ofAgent, ...callerPayers(caller)]) {
        if (await isEntitled({ profileId: profile.id, resource }, one, entitlements)) return true
      }
      return false
    },
    sellerAccountId: profile.ownerAccountId,
    roseLately: (purchase) => roseLately(gate, purchase, { now: clock(), versions: read.gateVersions }),
    payerAccountId: caller?.account.id ?? null,
    payerDid: agent?.verified ? agent.did : null,
  })

  // With the hook, the response depends on the visitor, so shared caches must not keep it.
  const open = hooks.legalRestriction ? RESTRICTED : OPEN

  /** Returns the entitlement of a wallet that signs in, on the network it signed for or on another one. */
  async function accessOfWallet(
    signIn: Extract<Awaited<ReturnType<SignIns['prove']>>, { readonly wallet: string }>,
    holds: (payer: PayerHint | undefined) => Promise<GrantedAccess | undefined>,
  ): Promise<GrantedAccess | undefined> {
    const here = await holds(readPayer(signIn.wallet, signIn.network))
    if (here) return here
    // Clients sign for the first chain of the challenge, and may have paid on another.
    for (const network of await signIn.others()) {
      const there = await holds(readPayer(signIn.wallet, network))
      if (there) return there
    }
    return undefined
  }

  /**
   * Decides whether a visitor may read a resource without a new payment, and what is for sale if not.
   *
   * @throws `proof_replayed` when a proof that would open the resource was used before
   */
  async function evaluate(asked: AskedResource, asking: Visitor): Promise<Evaluation> {
    // Unknown rails change nothing, and would only fill the cache.
    const visitor = { ...asking, preference: asking.preference.filter(isRail) }
    const { profile, name, role } = asked
    const restriction = await hooks.legalRestriction?.({ profile, resource: name, caller: visitor.caller })
    if (restriction) return { is: 'denied', refusal: restrictedOf(name, restriction) }

    let gate: Gate | undefined
    try {
      gate = asked.gate ?? (await gates.gateOf(profile.id))
    } catch (error) {
      // Without the storage, entitlements cannot be checked and prices may be outdated: only open resources are served.
      if (isEepError(error) && error.code === storageUnavailable.code && gates.wasOpen(profile.id, name)) return open
      throw error
    }
    if (!gate) return open
    // A team reads its own content.
    if (role) return rulesFor(gate.config, name).open ? open : RESTRICTED

    if (!isDescribed(asked) && rulesFor(gate.config, name).open) return open
    const resource = await described(asked)
    const isAnonymous = hasNoCredentials(visitor)
    const cached = isAnonymous ? offerCache.find(gate, { resource, visitor, accessKey: ANONYMOUS }) : undefined
    if (cached && cached.payTo === (await payouts.addressesOf(profile.ownerAccountId))) {
      return { is: 'payment_required', sale: saleTo(visitor, resource, cached.forSale, gate) }
    }
    const decision = await decideOne(gate, profile, name, visitor)
    if (decision.is === 'granted') {
      if (decision.open) return open
      return decision.payerHolds ? { ...RESTRICTED, payerHolds: true } : RESTRICTED
    }
    const offered = async (signInRefused?: string): Promise<Evaluation> =>
      decision.is === 'denied'
        ? { is: 'denied', refusal: forbiddenOf(refusalInput(resource, gate, decision), resource.preview) }
        : {
            is: 'payment_required',
            sale: saleTo(visitor, resource, await offer(resource, gate, decision, visitor), gate, signInRefused),
          }
    if (visitor.signIn === undefined) return offered()
    // A sign-in message is single use, so it is verified only when access depends on it.
    const signIn = await signIns.prove(visitor.signIn, urlOf(resource, publicUrl))
    if (signIn.is === 'refused') return offered(signIn.reason)
    const granted = await accessOfWallet(signIn, async (signedIn) => {
      const again = await decideOne(gate, profile, name, { ...visitor, payer: signedIn })
      if (again.is !== 'granted') return undefined
      return { is: 'granted', restricted: true, signedIn, payerHolds: again.payerHolds }
    })
    return granted ?? offered()
  }

  return {
    /** Sets the function that delivers sales of the service itself, in the transaction that records the payment. */
    registerPlatformSale(deliver: SettlementDeps['deliverPlatformSale']): void {
      deliverPlatformSale = deliver
    },

    rails,
    configPathOf,
    sold,

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
    findEntitlement,
    heldBy,
    now: clock,
    /** Returns a receipt without checking the reader. */
    receiptOf: (receiptId: string) => read.receipts.get(receiptId),

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
     * @throws `settlement_pending`, `proof_replayed` and what else `processPayment` throws
     */
    async open(resource: AskedResource, visitor: Visitor): Promise<AccessResult> {
      const evaluation = await evaluate(resource, visitor)
      if (evaluation.is !== 'payment_required') return evaluation
      const { sale } = evaluation
      const { purchases } = sale
      const price = purchases[0]?.price
      if (visitor.isOffered === false) {
        // A challenge is cached by its list of purchases.
        const unsold = { ...sale, purchases: [...purchases], isOffered: false }
        const refused = presentsNoPayment(visitor) ? undefined : UNPAYABLE_METHOD
        return { is: 'payment_required', refusal: await challenge(unsold, visitor.credentials, refused), price }
      }
      const opened = visitor.opening && visitor.mayPay ? await openPaid(sale, visitor.opening) : undefined
      if (opened) return { ...RESTRICTED, payment: opened }
      if (!visitor.mayPay) {
        return { is: 'payment_required', refusal: await challenge(sale, visitor.credentials), price, purchases }
      }
      const result = await processPayment(sale, visitor.credentials)
      if (result.is === 'accepted') return { ...RESTRICTED, payment: result.payment }
      // The result of a host's hook, or a custom gate, may differ for the next visitor.
      const isForEveryone =
        !hooks.legalRestriction && !resource.gate && hasNoCredentials(visitor) && presentsNoPayment(visitor)
      return { ...result, price, purchases, repeat: isForEveryone ? repeatChallenge(sale) : undefined }
    },

    ...createHostAccess({
      read,
      profiles,
      async isOpenTo({ profile, name, role, gate: own }, caller) {
        if (await hooks.legalRestriction?.({ profile, resource: name, caller })) return false
        const gate = own ?? (await gates.gateOf(profile.id))
        if (!gate || role) return true
        return (await decideOne(gate, profile, name, { ...NO_CREDENTIALS, caller })).is === 'granted'
      },
    }),

    /**
     * Returns which of some resources of a profile a visitor may read without a payment.
     *
     * @param spends - Whether proofs that open something are used up. Default: true.
     * @param gate - The gate to use. Default: the one that the profile has now.
     * @throws `proof_replayed` when a proof that would open one of them was used before
     */
    async openTo(
      profile: Profile,
      resources: readonly string[],
      credentials: Credentials,
      options: { readonly spends?: boolean; readonly gate?: Gate | undefined } = {},
    ): Promise<ReadonlySet<string>> {
      const gate = options.gate ?? (await gates.gateOrOpen(profile))
      if (hasNoCredentials(credentials)) {
        return new Set(resources.filter((resource) => rulesFor(gate.config, resource).open))
      }
      const decisions = await decideAll(gate, profile, resources, credentials, options)
      return new Set(resources.filter((_, at) => decisions[at]?.is === 'granted'))
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

    sessions,
    offers,
    processPayment,
    isKnownCredential,
    reconcile,
    checkouts,
  }
}

export type Paywall = ReturnType<typeof createPaywall>
