import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type EepError, isEepError } from '../../kernel/errors.ts'
import type { Payer } from '../../ports/payment-rail.ts'
import { type Readers, storageUnavailable } from '../../ports/storage.ts'
import type { Caller } from '../accounts/index.ts'
import type { PaymentService, Sale, TakenPayment } from '../payments/index.ts'
import type { ProfileService } from '../profiles/index.ts'
import type { PayoutService, SignIns } from '../wallets/index.ts'
import type { GateConfigs } from './configs.ts'
import { type GatedResource, purchaseOf, type Visitor } from './gated-resource.ts'
import { callerPayers, type PayerHint, readPayer } from './payer.ts'
import { forbiddenOf, type RefusalFacts, restrictedOf, termsOf } from './refusal.ts'
import { buyableTiers, coveringTiers, isOpen } from './resolve.ts'
import { type createStandings, NOBODY, type Standing } from './standing.ts'
import type { Gate } from './store.ts'
import { createStrangerSales } from './stranger-sales.ts'

export interface PassageDeps {
  readonly read: Pick<Readers, 'entitlements'>
  readonly clock: Clock
  readonly configs: Pick<GateConfigs, 'gateOf' | 'wasOpen'>
  readonly standings: ReturnType<typeof createStandings>
  readonly factsOf: (resource: Pick<GatedResource, 'profile' | 'name'>, gate: Gate, standing: Standing) => RefusalFacts
  readonly profiles: Pick<ProfileService, 'didOf'>
  readonly payments: PaymentService
  readonly payouts: Pick<PayoutService, 'addressesOf'>
  readonly signIns: Pick<SignIns, 'prove'>
  readonly publicUrl: string
  readonly hooks: Pick<EepHooks, 'legalRestriction'>
}

/** An open gate. */
export interface GatePass {
  /** Some tier guards the resource, so the answer is not for everybody. */
  readonly restricted: boolean
  /** The payment this request presented; undefined when none was needed. */
  readonly payment?: TakenPayment | undefined
  /** The payer that proved its wallet by signing in, where that is who was let through. */
  readonly signedIn?: PayerHint | undefined
  /** The entitlement of the payer, named or signed in, that opens the resource. */
  readonly payerHolds?: Standing['payerHolds']
}

/** As much of a resource as the decision about it needs. */
export type Enterable = Pick<GatedResource, 'profile' | 'name' | 'role'>

const OPEN: GatePass = { restricted: false }
const HELD: GatePass = { restricted: true }

/** Lets visitors through to what gates guard, for money where it has to be. */
export function createPassages(deps: PassageDeps) {
  const { read, configs, standings, factsOf, profiles, payments, payouts, signIns, publicUrl, hooks } = deps
  const strangers = createStrangerSales(deps.clock)

  /** What of a resource is for sale to a visitor; throws `access_forbidden` when nothing is. */
  async function saleOf(resource: GatedResource, gate: Gate, standing: Standing, visitor: Visitor): Promise<Sale> {
    const facts = factsOf(resource, gate, standing)
    const buyable = buyableTiers(standing.covering, standing.check)
    if (buyable.length === 0) throw forbiddenOf(facts, resource.preview)
    const { profile, name } = resource
    const payTo = await payouts.addressesOf(profile.ownerAccountId)
    const did = profiles.didOf(profile)
    const seller = { did, publicUrl, rails: payments.rails, mimeType: visitor.mimeType, payTo }
    const sale: Sale = {
      purchases: buyable.map((tier) => purchaseOf(resource, tier, seller)),
      terms: termsOf(facts),
      preview: resource.preview,
      revision: `${gate.version}.${standing.likeness}`,
      preference: visitor.preference,
      async isEntitled(payer: Payer, { entitlements }: Pick<Readers, 'entitlements'> = read) {
        for (const one of [payer, ...callerPayers(visitor.caller)]) {
          if (await standings.isEntitled({ profileId: profile.id, resource: name }, one, entitlements)) return true
        }
        return false
      },
      payerAccountId: visitor.caller?.account.id ?? null,
      payerDid: visitor.agent?.verified ? visitor.agent.did : null,
    }
    strangers.keep(gate, resource, visitor, { sale, payTo })
    return sale
  }

  /** Stops what the host must not show to somebody. */
  async function obeyLaw({ profile, name }: GatedResource, caller: Caller | undefined): Promise<void> {
    const restriction = await hooks.legalRestriction?.({ profile, resource: name, caller })
    if (restriction) throw restrictedOf(name, restriction)
  }

  // What some may not see is not for shared caches either.
  const open = hooks.legalRestriction ? HELD : OPEN

  /** How far a visitor gets without paying: through, or to what is for sale. */
  async function approach(resource: GatedResource, visitor: Visitor): Promise<GatePass | Sale> {
    const { profile, name, role } = resource
    await obeyLaw(resource, visitor.caller)
    let gate: Gate | undefined
    try {
      gate = await configs.gateOf(profile.id)
    } catch (error) {
      // Entitlements cannot be checked without the storage, and a price may have changed: nothing else is served.
      if (isEepError(error) && error.code === storageUnavailable.code && configs.wasOpen(profile.id, name)) return open
      throw error
    }
    if (!gate) return open
    // A team reads its own content.
    if (role) return isOpen(gate.config, name, coveringTiers(gate.config, name)) ? open : HELD
    const known = strangers.find(gate, resource, visitor)
    if (known && known.payTo === (await payouts.addressesOf(profile.ownerAccountId))) return known.sale
    const standing = await standings.of(gate, profile, name, visitor)
    if (standing.open) return open
    if (standing.held) return standing.payerHolds ? { ...HELD, payerHolds: standing.payerHolds } : HELD
    if (visitor.signIn === undefined) return saleOf(resource, gate, standing, visitor)
    // Only now: a message is shown once, and is not used up where nothing depends on it.
    const signIn = await signIns.prove(visitor.signIn, `${publicUrl}${resource.path}`)
    if (signIn.is === 'refused') {
      return { ...(await saleOf(resource, gate, standing, visitor)), signInRefused: signIn.reason }
    }
    const holds = async (network: string) => {
      const signedIn = readPayer(signIn.wallet, network)
      const { held, payerHolds } = await standings.of(gate, profile, name, { ...visitor, payer: signedIn })
      return held && { restricted: true, signedIn, payerHolds }
    }
    const here = await holds(signIn.network)
    if (here) return here
    // Clients sign for the first chain they are asked for, and may have paid on another.
    for (const network of await signIn.others()) {
      const there = await holds(network)
      if (there) return there
    }
    return saleOf(resource, gate, standing, visitor)
  }

  return {
    /**
     * What of a resource is for sale to a visitor; undefined when it is open to them already.
     *
     * @throws `access_forbidden` when no payment opens it, `legally_restricted` when the host says so
     */
    async sell(resource: GatedResource, visitor: Visitor): Promise<Sale | undefined> {
      const sale = await approach(resource, visitor)
      return 'restricted' in sale ? undefined : sale
    },

    /** Whether a caller reads a resource without paying: the decision of `open` for one who presents nothing else. */
    async hasAccess({ profile, name, role }: Enterable, caller: Caller | undefined): Promise<boolean> {
      if (await hooks.legalRestriction?.({ profile, resource: name, caller })) return false
      const gate = await configs.gateOf(profile.id)
      if (!gate || role) return true
      const { open: isOpenNow, held } = await standings.of(gate, profile, name, { ...NOBODY, caller })
      return isOpenNow || held !== undefined
    },

    /**
     * Lets a visitor through to a resource, taking a payment if one is needed and presented; without one, its 402.
     *
     * @throws `payment_required` when the payment is refused, `access_forbidden` when no payment opens it, `legally_restricted` when
     * the host says so, `settlement_pending`, `proof_replayed`
     */
    async open(resource: GatedResource, visitor: Visitor): Promise<GatePass | EepError> {
      const sale = await approach(resource, visitor)
      if ('restricted' in sale) return sale
      if (!visitor.mayPay) return payments.challenge(sale, visitor.credentials)
      const payment = await payments.takeOrOffer(sale, visitor.credentials)
      return isEepError(payment) ? payment : { restricted: true, payment }
    },
  }
}
