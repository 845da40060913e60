import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ifMatchHolds } from '../../kernel/if-match.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import type { Payer } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import type { Caller } from '../accounts/index.ts'
import type { PaymentService, Sale, TakenPayment } from '../payments/index.ts'
import type { Profile, ProfileService } from '../profiles/index.ts'
import type { PayoutService, SignIns } from '../wallets/index.ts'
import { staleGate } from './errors.ts'
import { type Explanation, explain } from './explain.ts'
import { type GateConfig, gateConfigPath } from './gate-config.ts'
import { type GatedResource, OPEN_CONFIG, purchaseOf, type Visitor } from './gated-resource.ts'
import { isSignedPayer, PAYER_COOKIE_SECONDS, type PayerHint, readPayer, signPayer } from './payer.ts'
import { forbiddenOf, restrictedOf, termsOf, unpaidOf } from './refusal.ts'
import { createVerdicts, type RequirementVerifier, type VisitorFacts } from './requirements/index.ts'
import { buyableTiers, coveringTiers, isOpen } from './resolve.ts'
import { covers } from './resource-pattern.ts'
import { type GateSession, newSession, writeSession } from './session.ts'
import { type Credentials, createStandings, type Standing } from './standing.ts'
import type { Entitlement, Gate, GateVersion } from './store.ts'

export interface GateDeps extends GuardedStorage {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: ProfileService
  readonly payments: PaymentService
  readonly payouts: Pick<PayoutService, 'addressesOf'>
  readonly signIns: Pick<SignIns, 'prove'>
  readonly keyring: Keyring
  readonly payerProof: 'lookup' | 'signed'
  readonly publicUrl: string
  /** Who issues sessions. */
  readonly serviceDid: string
  readonly hooks: Pick<EepHooks, 'legalRestriction'>
  /** What verifiers of requirements ask the rest of the service. */
  readonly facts: Omit<VisitorFacts, 'didOf' | 'gateOf' | 'now'>
  /** Verifiers of the host, by the type of requirement. */
  readonly verifiers: Readonly<Record<string, RequirementVerifier>>
}

/** An open gate. */
export interface GatePass {
  /** Some tier guards the resource, so the answer is not for everybody. */
  readonly restricted: boolean
  /** The payment this request presented; undefined when none was needed. */
  readonly payment?: TakenPayment | undefined
  /** The payer that proved its wallet by signing in, where that is who was let through. */
  readonly signedIn?: PayerHint | undefined
}

const OPEN: GatePass = { restricted: false }
const HELD: GatePass = { restricted: true }

/** What somebody proved at a gate. */
export interface Proven {
  readonly tier: string
  /** Given to agents that sign. */
  readonly session?: GateSession | undefined
  /** The session as it is carried: `Authorization: EEP-Session <token>`. */
  readonly token?: string | undefined
}

const NOBODY: Credentials = {
  caller: undefined,
  agent: undefined,
  payer: undefined,
  proofs: [],
  authorization: undefined,
}

/** The gate of a profile that never wrote one. */
const openGateOf = ({ id, createdAt }: Profile): Gate => ({
  profileId: id,
  config: OPEN_CONFIG,
  version: 0,
  updatedAt: createdAt,
})

/** The strong ETag of a configuration. A name may be given up and taken anew, so it tells whose it is. */
const tagOf = ({ id }: Profile, gate: Gate | undefined): string => `"g${id}.${gate?.version ?? 0}"`

export function createGateService(deps: GateDeps) {
  const { read, write, clock, cache, profiles, payments, payouts, signIns, publicUrl, payerProof } = deps
  const { keyring, hooks, serviceDid } = deps
  const payerKeys = keyring.shared('payer-cookie')

  const gateOf = (profileId: number): Gate | undefined | Promise<Gate | undefined> =>
    cache.get(`gate:${profileId}`, async () => ({ value: await read.gates.get(profileId), profileId }))

  const verdicts = createVerdicts(
    {
      ...deps.facts,
      didOf: profiles.didOf,
      now: clock,
      async gateOf(did) {
        const profile = await profiles.byDid(did)
        return (await gateOf(profile.id))?.config
      },
    },
    deps.verifiers,
  )
  const standings = createStandings({ read, write, clock, keyring, verdicts, didOf: profiles.didOf })

  const configPathOf = (profile: Profile) => gateConfigPath(profiles.didOf(profile))

  const factsOf = (
    { profile, name: resource }: Pick<GatedResource, 'profile' | 'name'>,
    { config }: Gate,
    standing: Standing,
  ) => ({
    resource,
    config,
    standing,
    gatesConfigUrl: `${publicUrl}${configPathOf(profile)}`,
    knows: verdicts.knows,
  })

  /** What of a resource is for sale to a visitor; throws `access_forbidden` when nothing is. */
  async function saleOf(resource: GatedResource, gate: Gate, standing: Standing, visitor: Visitor): Promise<Sale> {
    const facts = factsOf(resource, gate, standing)
    const buyable = buyableTiers(standing.covering, standing.check)
    if (buyable.length === 0) throw forbiddenOf(facts, resource.preview)
    const { profile, name } = resource
    const seller = {
      did: profiles.didOf(profile),
      publicUrl,
      rails: payments.rails,
      mimeType: visitor.mimeType,
      payTo: await payouts.addressesOf(profile.ownerAccountId),
    }
    return {
      purchases: buyable.map((tier) => purchaseOf(resource, tier, seller)),
      terms: termsOf(facts),
      preview: resource.preview,
      revision: `${gate.version}.${standing.likeness}`,
      preference: visitor.preference,
      isEntitled: (payer: Payer, entitlements = read.entitlements) =>
        standings.isEntitled({ profileId: profile.id, resource: name }, payer, entitlements),
      payerAccountId: visitor.caller?.account.id ?? null,
      payerDid: visitor.agent?.verified ? visitor.agent.did : null,
    }
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
    const gate = await gateOf(profile.id)
    if (!gate) return open
    // A team reads its own content.
    if (role) return isOpen(gate.config, name, coveringTiers(gate.config, name)) ? open : HELD
    const standing = await standings.of(gate, profile, name, visitor)
    if (standing.open) return open
    if (standing.held) return HELD
    if (visitor.signIn === undefined) return saleOf(resource, gate, standing, visitor)
    // Only now: a message is shown once, and is not used up where nothing depends on it.
    const signIn = await signIns.prove(visitor.signIn, `${publicUrl}${resource.path}`)
    if (signIn.is === 'refused') {
      return { ...(await saleOf(resource, gate, standing, visitor)), signInRefused: signIn.reason }
    }
    const holds = async (network: string) => {
      const signedIn = readPayer(signIn.wallet, network)
      const { held } = await standings.of(gate, profile, name, { ...visitor, payer: signedIn })
      return held && { restricted: true, signedIn }
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
     * @param ifMatch - the tags of which it must still have one; undefined replaces whatever stands
     * @throws `gate_version_mismatch` when it was changed since
     */
    async putConfig(
      did: string,
      config: GateConfig,
      caller: Caller,
      ifMatch?: string | undefined,
    ): Promise<{ config: GateConfig; tag: string }> {
      const profile = await profiles.byDid(did, caller)
      await profiles.require(profile, caller, 'gates.edit')
      return write(async (tx, emit) => {
        await profiles.lockFor(tx, profile.id, caller, 'gates.edit')
        const present = await tx.gates.get(profile.id)
        if (!ifMatchHolds(ifMatch, tagOf(profile, present))) throw staleGate()
        const gate = await tx.gates.put({
          profileId: profile.id,
          config,
          changedBy: caller.account.id,
          updatedAt: clock(),
        })
        emit('gates.config_changed', { version: gate.version }, { profileId: profile.id, accountId: caller.account.id })
        return { config: gate.config, tag: tagOf(profile, gate) }
      })
    },

    /**
     * What an entity asked for over time, newest first, for those who may change it.
     *
     * @throws `not_profile_owner`, `profile_not_found`
     */
    async listVersions(did: string, caller: Caller, page: PageRequest): Promise<Page<GateVersion>> {
      const profile = await profiles.byDid(did, caller)
      await profiles.require(profile, caller, 'gates.edit')
      return read.gates.listVersions(profile.id, page)
    },

    /**
     * Who gets a resource and why, and how a visitor would stand, for those who may change the gate.
     *
     * @throws `not_profile_owner`, `profile_not_found`
     */
    async explain(did: string, resource: string, caller: Caller, visitor: Partial<Credentials>): Promise<Explanation> {
      const profile = await profiles.byDid(did, caller)
      await profiles.require(profile, caller, 'gates.edit')
      const gate = (await gateOf(profile.id)) ?? openGateOf(profile)
      const standing = await standings.of(gate, profile, resource, { ...NOBODY, ...visitor })
      return explain(gate.config, resource, standing, verdicts.knows)
    },

    /**
     * Checks proofs for a resource, without serving it. What was met is remembered in a session that the agent carries.
     *
     * @throws `payment_required` when money is missing, `access_forbidden` when something else is, `proof_replayed`
     */
    async verifyProof(did: string, resource: string, credentials: Credentials): Promise<Proven> {
      const profile = await profiles.byDid(did, credentials.caller)
      const gate = (await gateOf(profile.id)) ?? openGateOf(profile)
      const standing = await standings.of(gate, profile, resource, credentials)
      if (standing.open) return { tier: gate.config.default_tier }
      if (!standing.held) {
        const facts = factsOf({ profile, name: resource }, gate, standing)
        throw buyableTiers(standing.covering, standing.check).length > 0 ? unpaidOf(facts) : forbiddenOf(facts, null)
      }
      const { name: tier } = standing.held
      const { agent } = credentials
      // A session stands for what was proved: not for money, which may go back, nor for another session.
      if (!agent?.verified || !standing.proven) return { tier }
      const session = newSession(
        {
          agentDid: agent.did,
          issuerDid: serviceDid,
          entityDid: did,
          tier: standing.proven.name,
          gateVersion: `${gate.version}`,
        },
        clock(),
      )
      return { tier, session, token: writeSession(session, keyring) }
    },

    /** What a payer holds that covers what a sale is about; undefined when it holds nothing. */
    async heldBy({ wallet, network }: PayerHint, { purchases }: Sale): Promise<Entitlement | undefined> {
      const [first] = purchases
      if (!first) return undefined
      const { profileId, resource } = first
      const held = await read.entitlements.listActive({
        profileId,
        payerWalletAddress: normalWallet(wallet),
        payerNetwork: network,
      })
      return held.find(({ resourcePattern }) => covers(resourcePattern, resource))
    },

    /**
     * What of a resource is for sale to a visitor; undefined when it is open to them already.
     *
     * @throws `access_forbidden` when no payment opens it, `legally_restricted` when the host says so
     */
    async sell(resource: GatedResource, visitor: Visitor): Promise<Sale | undefined> {
      const sale = await approach(resource, visitor)
      return 'restricted' in sale ? undefined : sale
    },

    /**
     * Lets a visitor through to a resource, taking a payment if one is needed and presented.
     *
     * @throws `payment_required` with the offers, `access_forbidden` when no payment opens it, `legally_restricted` when
     * the host says so, `settlement_pending`, `proof_replayed`
     */
    async open(resource: GatedResource, visitor: Visitor): Promise<GatePass> {
      const sale = await approach(resource, visitor)
      if ('restricted' in sale) return sale
      if (!visitor.mayPay) throw await payments.challenge(sale, visitor.credentials)
      return { restricted: true, payment: await payments.take(sale, visitor.credentials) }
    },
  }
}

export type GateService = ReturnType<typeof createGateService>
