import type { Clock } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import type { Payer } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import type { Caller } from '../accounts/index.ts'
import type { PaymentService, TakenPayment } from '../payments/index.ts'
import type { Profile, ProfileService } from '../profiles/index.ts'
import type { PayoutService } from '../wallets/index.ts'
import { accessForbidden, staleGate } from './errors.ts'
import { type GateConfig, type GateRequirement, gateConfigPath, isPayment } from './gate-config.ts'
import { type GatedResource, OPEN_CONFIG, purchaseOf, shownTiers, type Visitor } from './gated-resource.ts'
import { isSignedPayer, PAYER_COOKIE_SECONDS, type PayerHint, signPayer } from './payer.ts'
import {
  buyableTiers,
  type CoveringTier,
  coveringTiers,
  heldTier,
  isOpen,
  type RequirementCheck,
  unmetRequirements,
} from './resolve.ts'
import { covers } from './resource-pattern.ts'
import type { Gate } from './store.ts'

export interface GateDeps extends GuardedStorage {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: ProfileService
  readonly payments: PaymentService
  readonly payouts: Pick<PayoutService, 'addressesOf'>
  readonly keyring: Keyring
  readonly payerProof: 'lookup' | 'signed'
  readonly publicUrl: string
}

/** An open gate. */
export interface GatePass {
  /** Some tier guards the resource, so the answer is not for everybody. */
  readonly restricted: boolean
  /** The payment this request presented; undefined when none was needed. */
  readonly payment?: TakenPayment | undefined
}

const OPEN: GatePass = { restricted: false }
const HELD: GatePass = { restricted: true }

const HINTS: Readonly<Record<string, string>> = {
  payment: 'A payment of this amount opens it; the offers of this answer say how.',
}
const NOT_YET = 'This service cannot check this requirement, so it counts as unmet.'

const withHints = (requirements: readonly GateRequirement[]) =>
  requirements.map((requirement) => ({ ...requirement, resolution_hint: HINTS[requirement.type] ?? NOT_YET }))

/** The strong ETag of a configuration. A name may be given up and taken anew, so it tells whose it is. */
const tagOf = ({ id }: Profile, gate: Gate | undefined): string => `"g${id}.${gate?.version ?? 0}"`

export function createGateService(deps: GateDeps) {
  const { read, write, clock, cache, profiles, payments, payouts, publicUrl, payerProof } = deps
  const payerKeys = deps.keyring.shared('payer-cookie')

  const gateOf = (profileId: number): Gate | undefined | Promise<Gate | undefined> =>
    cache.get(`gate:${profileId}`, async () => ({ value: await read.gates.get(profileId), profileId }))

  const configPathOf = (profile: Profile) => gateConfigPath(profiles.didOf(profile))

  /** Whether a payer holds what covers a resource. Entitlements are never cached: a revoked one closes at once. */
  async function isEntitled(
    { profile, name }: GatedResource,
    payer: Payer | PayerHint,
    entitlements = read.entitlements,
  ): Promise<boolean> {
    if (!payer.wallet || !payer.network) return false
    const held = await entitlements.listActivePatterns({
      profileId: profile.id,
      payerWalletAddress: normalWallet(payer.wallet),
      payerNetwork: payer.network,
    })
    return held.some((pattern) => covers(pattern, name))
  }

  /** What a refusal says of a resource and of the tiers that would open it (EEP v0.1, `gate.402-response`). */
  function terms(
    resource: GatedResource,
    config: GateConfig,
    covering: readonly CoveringTier[],
    isMet: RequirementCheck,
  ) {
    const [required] = covering
    return {
      resource: resource.name,
      current_tier: config.default_tier,
      required_tier: required?.name ?? config.default_tier,
      unmet_requirements: required ? withHints(unmetRequirements(required, isMet)) : [],
      available_tiers: shownTiers(covering),
      gates_config_url: `${publicUrl}${configPathOf(resource.profile)}`,
    } as unknown as JsonObject
  }

  function refuse(resource: GatedResource, facts: JsonObject, covering: readonly CoveringTier[]): never {
    const { available_tiers: _, ...said } = facts
    const required = covering[0]?.tier.requirements ?? []
    const unmet =
      required.length > 0 ? withHints(required) : [{ type: 'x-closed', resolution_hint: 'No tier opens this.' }]
    throw accessForbidden({
      body: { ...facts, preview: resource.preview },
      problem: {
        type: 'https://eep.dev/problems/access-restricted',
        title: 'Access Restricted',
        status: 403,
        error: 'access_forbidden',
        ...said,
        unmet_requirements: unmet,
      },
    })
  }

  return {
    /** Where the configuration of a profile is read. */
    configPathOf,

    /** Whether a payer that a request names may be looked up; `signed` wants the proof this service gave. */
    believes: (payer: PayerHint, proof: string | undefined): boolean =>
      payerProof === 'lookup' || isSignedPayer(payer, proof, clock(), payerKeys),

    /** The proof that goes with a payer cookie; undefined where none is asked for. */
    proofOf: (payer: PayerHint): string | undefined =>
      payerProof === 'lookup'
        ? undefined
        : signPayer(payer, new Date(clock().getTime() + PAYER_COOKIE_SECONDS * 1000), payerKeys),

    /** The configuration of an entity and its tag; everything open when it never wrote one. */
    async getConfig(did: string, caller: Caller | undefined): Promise<{ config: GateConfig; tag: string }> {
      const profile = await profiles.byDid(did, caller)
      const gate = await gateOf(profile.id)
      return { config: gate?.config ?? OPEN_CONFIG, tag: tagOf(profile, gate) }
    },

    /**
     * Replaces the configuration of an entity.
     *
     * @param ifTag - the tag it must still have; undefined replaces whatever stands
     * @throws `gate_version_mismatch` when it was changed since
     */
    async putConfig(
      did: string,
      config: GateConfig,
      caller: Caller,
      ifTag?: string | undefined,
    ): Promise<{ config: GateConfig; tag: string }> {
      const profile = await profiles.byDid(did, caller)
      await profiles.require(profile, caller, 'gates.edit')
      return write(async (tx, emit) => {
        await profiles.lockFor(tx, profile.id, caller, 'gates.edit')
        const present = await tx.gates.get(profile.id)
        if (ifTag !== undefined && ifTag !== tagOf(profile, present)) throw staleGate()
        const gate = await tx.gates.put({ profileId: profile.id, config, updatedAt: clock() })
        emit('gates.config_changed', { version: gate.version }, { profileId: profile.id, accountId: caller.account.id })
        return { config: gate.config, tag: tagOf(profile, gate) }
      })
    },

    /**
     * Lets a visitor through to a resource, taking a payment if one is needed and presented.
     *
     * @throws `payment_required` with the offers, `access_forbidden` when no payment opens it, `settlement_pending`
     */
    async open(resource: GatedResource, visitor: Visitor): Promise<GatePass> {
      const gate = await gateOf(resource.profile.id)
      if (!gate) return OPEN
      const covering = coveringTiers(gate.config, resource.name)
      if (isOpen(gate.config, resource.name, covering)) return OPEN
      if (resource.role) return HELD

      const entitled = visitor.payer !== undefined && (await isEntitled(resource, visitor.payer))
      const isMet: RequirementCheck = (requirement) => isPayment(requirement) && entitled
      if (heldTier(covering, isMet)) return HELD

      const facts = terms(resource, gate.config, covering, isMet)
      const buyable = buyableTiers(covering, isMet)
      if (buyable.length === 0) return refuse(resource, facts, covering)

      const seller = {
        did: profiles.didOf(resource.profile),
        publicUrl,
        rails: payments.rails,
        mimeType: visitor.mimeType,
        payTo: await payouts.addressesOf(resource.profile.ownerAccountId),
      }
      const sale = {
        purchases: buyable.map((tier) => purchaseOf(resource, tier, seller)),
        terms: facts,
        preview: resource.preview,
        revision: `${gate.version}`,
        preference: visitor.preference,
        isEntitled: (payer: Payer, entitlements = read.entitlements) => isEntitled(resource, payer, entitlements),
        payerAccountId: visitor.caller?.account.id ?? null,
      }
      if (!visitor.mayPay) throw await payments.challenge(sale, visitor.credentials)
      return { restricted: true, payment: await payments.take(sale, visitor.credentials) }
    },
  }
}

export type GateService = ReturnType<typeof createGateService>
