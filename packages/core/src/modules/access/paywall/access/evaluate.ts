import type { Clock } from '../../../../kernel/clock.ts'
import { type EepError, isEepError } from '../../../../kernel/errors.ts'
import { isInAudience, UNVERIFIED } from '../../../../model/audience.ts'
import type { Caller } from '../../../../model/caller.ts'
import { isAudience } from '../../../../model/gate-config.ts'
import { audiencesIn, namesAudiences } from '../../../../model/gate-rules.ts'
import { agentPayer, type PayerHint, readPayer } from '../../../../model/payer.ts'
import type { EepHooks } from '../../../../ports/hooks.ts'
import type { Payer, PaymentRail } from '../../../../ports/payment-rail.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import { type Readers, storageUnavailable } from '../../../../ports/storage/storage.ts'
import type { PayoutService, SignIns } from '../../../people/wallets/index.ts'
import type { ProfileService } from '../../../profiles/profiles/index.ts'
import type { GateService } from '../../gates/index.ts'
import type { AcceptedPayment } from '../pay/deliver.ts'
import { ANONYMOUS, createOfferCache } from '../pay/offer-cache.ts'
import { roseLately } from '../pay/price-rise.ts'
import { type ForSale, purchaseOf, type Sale } from '../pay/sale.ts'
import { type AccessDecision, type PaymentRequired, rulesFor } from './decide.ts'
import type { createVisitorDecisions } from './decide-for-visitor.ts'
import type { OfferListings } from './offer-listings.ts'
import { forbiddenOf, type RefusalInput, restrictedOf, termsOf } from './refusal.ts'
import { type AskedResource, described, type GatedResource, isDescribed, urlOf } from './resource.ts'
import { callerPayers, type createVisitorRights, hasNoCredentials, type Visitor } from './visitor.ts'

export interface EvaluationDeps
  extends Pick<RefusalInput, 'isVerifiable' | 'isPayable' | 'crawlerHeaders'>,
    Pick<ReturnType<typeof createVisitorRights>, 'isEntitled'>,
    Pick<ReturnType<typeof createVisitorDecisions>, 'decideOne'> {
  readonly read: Readers
  readonly clock: Clock
  readonly rails: readonly PaymentRail[]
  readonly profiles: Pick<ProfileService, 'didOf'>
  readonly gates: Pick<GateService, 'gateOf' | 'wasOpen' | 'pathOf'>
  readonly payouts: Pick<PayoutService, 'addressesOf'>
  readonly signIns: Pick<SignIns, 'prove'>
  readonly listings: Pick<OfferListings, 'of'>
  readonly publicUrl: string
  readonly hooks: EepHooks
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
  /** The audiences that the gate names, when its decision depends on the reader. */
  readonly audiences?: readonly string[] | undefined
  /** Whether the audience of the visitor alone opens the resource, so that it is open to every reader of the same audiences. */
  readonly byAudienceAlone?: boolean | undefined
}

/** Access before any payment: what is granted, for sale or denied. */
export type Evaluation =
  | GrantedAccess
  | {
      readonly is: 'payment_required'
      readonly sale: Sale
      /** The audiences that the gate names, when its decision depends on the reader. */
      readonly audiences: readonly string[] | undefined
    }
  | { readonly is: 'denied'; readonly refusal: EepError; readonly audiences?: readonly string[] | undefined }

const OPEN: GrantedAccess = { is: 'granted', restricted: false }
/** A gated resource that was opened. */
export const RESTRICTED: GrantedAccess = { is: 'granted', restricted: true }

/** Decides who may read a resource, before any payment of the request, and what is for sale to the others. */
export function createEvaluation(deps: EvaluationDeps) {
  const { read, clock, rails, profiles, gates, payouts, signIns, listings, publicUrl, hooks } = deps
  const { isVerifiable, isPayable, crawlerHeaders, isEntitled, decideOne } = deps
  const offerCache = createOfferCache(clock)
  /** Whether a gate decides about a visitor as about every visitor without credentials. */
  const isAnonymousAt = ({ config }: Gate, visitor: Visitor) => hasNoCredentials(visitor) && !namesAudiences(config)
  const isRail = (id: string) => rails.some((rail) => rail.id === id)

  /** The path of the configuration that decides about a resource. A fixed price of the host has its own. */
  const configPathOf = ({ profile, name, gate }: Pick<GatedResource, 'profile' | 'name' | 'gate'>) =>
    gate ? `${gates.pathOf(profile)}/endpoints/${name}` : gates.pathOf(profile)

  const refusalInput = (
    { profile, name: resource, gate: own }: Pick<GatedResource, 'profile' | 'name' | 'gate'>,
    { config }: Gate,
    decision: AccessDecision,
  ): RefusalInput => ({
    resource,
    config,
    decision,
    gatesConfigUrl: `${publicUrl}${configPathOf({ profile, name: resource, gate: own })}`,
    isVerifiable,
    isPayable,
    crawlerHeaders,
  })

  /** Returns what is for sale to visitors with this decision. */
  async function offer(
    resource: GatedResource,
    gate: Gate,
    decision: PaymentRequired,
    visitor: Visitor,
  ): Promise<ForSale> {
    const { profile } = resource
    const accessKey = isAnonymousAt(gate, visitor) ? ANONYMOUS : decision.accessKey
    const key = { resource, visitor, accessKey }
    const payTo = await payouts.addressesOf(profile.ownerAccountId)
    const known = offerCache.find(gate, key)
    if (known?.payTo === payTo) return known.forSale
    const { mimeType = visitor.mimeType } = resource
    const listing = await listings.of(resource, gate)
    const seller = { did: profiles.didOf(profile), publicUrl, rails, mimeType, payTo, listing }
    const forSale: ForSale = {
      purchases: decision.buyable.map((tier) => purchaseOf(resource, tier, seller)),
      terms: () => termsOf(refusalInput(resource, gate, decision)),
      preview: resource.preview,
    }
    offerCache.keep(gate, key, { forSale, payTo })
    return forSale
  }

  const saleTo = (
    { caller, agent, reader, payerBot, preference }: Visitor,
    { profile, name: resource }: GatedResource,
    forSale: ForSale,
    gate: Gate,
    signInRefused?: string,
    opensWith?: PaymentRequired['opensWith'],
  ): Sale => ({
    ...forSale,
    preference,
    signInRefused,
    async isEntitled(payer: Payer, { entitlements }: Pick<Readers, 'entitlements'> = read) {
      const ofAgent = agent?.verified ? [agentPayer(agent.did)] : []
      for (const one of [payer, ...ofAgent, ...callerPayers(caller)]) {
        if (await isEntitled({ profileId: profile.id, resource }, one, entitlements, opensWith)) return true
      }
      return false
    },
    isInAudience: async (audience) => isInAudience(audience, (await reader?.audiences()) ?? UNVERIFIED),
    sellerAccountId: profile.ownerAccountId,
    roseLately: (purchase) => roseLately(gate, purchase, { now: clock(), versions: read.gateVersions }),
    payerAccountId: caller?.account.id ?? null,
    payerApp: caller?.app,
    payerDid: agent?.verified ? agent.did : null,
    payerBot,
  })

  // With the hook, the response depends on the visitor, so shared caches must not keep it.
  const open = hooks.legalRestriction ? RESTRICTED : OPEN

  /** Decides whether a visitor may read a resource that everyone may read, whatever its gate: not what the host must withhold. */
  async function evaluateOpen(
    { profile, name }: Pick<AskedResource, 'profile' | 'name'>,
    caller: Caller | undefined,
  ): Promise<Exclude<Evaluation, { readonly is: 'payment_required' }>> {
    const restriction = await hooks.legalRestriction?.({ profile, resource: name, caller })
    return restriction ? { is: 'denied', refusal: restrictedOf(name, restriction) } : open
  }

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
    const withoutGate = await evaluateOpen(asked, visitor.caller)
    if (withoutGate.is === 'denied') return withoutGate

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
    const isAnonymous = isAnonymousAt(gate, visitor)
    const cached = isAnonymous ? offerCache.find(gate, { resource, visitor, accessKey: ANONYMOUS }) : undefined
    if (cached && cached.payTo === (await payouts.addressesOf(profile.ownerAccountId))) {
      return { is: 'payment_required', sale: saleTo(visitor, resource, cached.forSale, gate), audiences: undefined }
    }
    const decision = await decideOne(gate, profile, name, visitor)
    const audiences = namesAudiences(gate.config) ? audiencesIn(gate.config) : undefined
    if (decision.is === 'granted') {
      if (decision.open) return open
      const byAudienceAlone = !hooks.legalRestriction && decision.tier?.tier.requirements.every(isAudience)
      const granted = audiences ? { ...RESTRICTED, audiences, byAudienceAlone } : RESTRICTED
      return decision.payerHolds ? { ...granted, payerHolds: true } : granted
    }
    const offered = async (signInRefused?: string): Promise<Evaluation> =>
      decision.is === 'denied'
        ? { is: 'denied', refusal: forbiddenOf(refusalInput(resource, gate, decision), resource.preview), audiences }
        : {
            is: 'payment_required',
            sale: saleTo(
              visitor,
              resource,
              await offer(resource, gate, decision, visitor),
              gate,
              signInRefused,
              decision.opensWith,
            ),
            audiences,
          }
    if (visitor.signIn === undefined) return offered()
    // A sign-in message is single use, so it is verified only when access depends on it.
    const signIn = await signIns.prove(visitor.signIn, urlOf(resource, publicUrl))
    if (signIn.is === 'refused') return offered(signIn.reason)
    const granted = await accessOfWallet(signIn, async (signedIn) => {
      const again = await decideOne(gate, profile, name, { ...visitor, payer: signedIn })
      if (again.is !== 'granted') return undefined
      return { is: 'granted', restricted: true, signedIn, payerHolds: again.payerHolds, audiences }
    })
    return granted ?? offered()
  }

  return { evaluate, evaluateOpen, configPathOf, refusalInput }
}
