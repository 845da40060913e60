import type { EepHooks } from '../../hooks.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import type { Caller } from '../accounts/index.ts'
import type { PaymentService, Sale } from '../payments/index.ts'
import type { Profile } from '../profiles/index.ts'
import type { PayoutService, SignIns } from '../wallets/index.ts'
import { createGateConfigs, type GateConfigDeps } from './configs.ts'
import { type Explanation, explain } from './explain.ts'
import type { GatedResource } from './gated-resource.ts'
import { createPassages } from './passage.ts'
import { isSignedPayer, type PayerHint, payerCookieSeconds, signPayer } from './payer.ts'
import { forbiddenOf, type RefusalFacts, unpaidOf } from './refusal.ts'
import { createVerdicts, type RequirementVerifier, type VisitorFacts } from './requirements/index.ts'
import { buyableTiers, coveringTiers, isOpen } from './resolve.ts'
import { covers } from './resource-pattern.ts'
import { type GateSession, newSession, writeSession } from './session.ts'
import { type Credentials, createStandings, NOBODY, type Standing, showsNothing } from './standing.ts'
import type { Entitlement, Gate } from './store.ts'

export interface GateDeps extends GateConfigDeps {
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

/** What somebody proved at a gate. */
export interface Proven {
  readonly tier: string
  /** Given to agents that sign. */
  readonly session?: GateSession | undefined
  /** The session as it is carried: `Authorization: EEP-Session <token>`. */
  readonly token?: string | undefined
}

export function createGateService(deps: GateDeps) {
  const { read, write, clock, profiles, publicUrl, payerProof, keyring, serviceDid } = deps
  const payerKeys = keyring.shared('payer-cookie')
  const configs = createGateConfigs(deps)

  const verdicts = createVerdicts(
    {
      ...deps.facts,
      didOf: profiles.didOf,
      now: clock,
      async gateOf(did) {
        const profile = await profiles.byDid(did)
        return configs.gateOf(profile.id)
      },
    },
    deps.verifiers,
  )
  const standings = createStandings({ read, write, clock, keyring, verdicts, didOf: profiles.didOf })

  const factsOf = (
    { profile, name: resource }: Pick<GatedResource, 'profile' | 'name'>,
    { config }: Gate,
    standing: Standing,
  ): RefusalFacts => ({
    resource,
    config,
    standing,
    gatesConfigUrl: `${publicUrl}${configs.pathOf(profile)}`,
    knows: verdicts.knows,
  })

  const { sell, open, hasAccess } = createPassages({ ...deps, configs, standings, factsOf })
  const { getConfig, putConfig, listVersions, getVersion, gateOrOpen, didOf, pathOf: configPathOf } = configs

  return {
    /** Where the configuration of a profile is read. */
    configPathOf,
    didOf,
    getConfig,
    putConfig,
    listVersions,
    getVersion,
    sell,
    open,
    hasAccess,

    /** Whether a payer that a request names may be looked up; `signed` wants the proof this service gave. */
    believes: (payer: PayerHint, proof: string | undefined): boolean =>
      payerProof === 'lookup' || isSignedPayer(payer, proof, clock(), payerKeys),

    /** Whether somebody shows the proof this service gave with a payer cookie. */
    isProven: (payer: PayerHint, proof: string | undefined): boolean => isSignedPayer(payer, proof, clock(), payerKeys),

    /**
     * How long the payer cookie lasts for an entitlement that ends at `validUntil` (null is permanent), and the proof that
     * goes with it; no proof where `payerProof` is `lookup`.
     */
    cookieFor(payer: PayerHint, validUntil: Date | null | undefined) {
      const now = clock()
      const seconds = payerCookieSeconds(validUntil, now)
      const proof =
        payerProof === 'lookup' ? undefined : signPayer(payer, new Date(now.getTime() + seconds * 1000), payerKeys)
      return { seconds, proof }
    },

    /**
     * Who gets a resource and why, and how a visitor would stand, for those who may change the gate.
     *
     * @throws `not_profile_owner`, `profile_not_found`
     */
    async explain(did: string, resource: string, caller: Caller, visitor: Partial<Credentials>): Promise<Explanation> {
      const profile = await profiles.byDid(did, caller)
      await profiles.require(profile, caller, 'gates.edit')
      const gate = await gateOrOpen(profile)
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
      const gate = await gateOrOpen(profile)
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

    /**
     * Which of some resources of a profile a visitor may read without a payment: those that are open, and those of tiers
     * whose requirements the visitor meets.
     *
     * @param spends - Whether proofs that open something are used up. Default: true.
     * @throws `proof_replayed` when a proof that would open one of them was used before
     */
    async openTo(
      profile: Profile,
      resources: readonly string[],
      credentials: Credentials,
      { spends = true }: { readonly spends?: boolean } = {},
    ): Promise<ReadonlySet<string>> {
      const gate = await gateOrOpen(profile)
      if (showsNothing(credentials)) {
        const isFree = (name: string) => isOpen(gate.config, name, coveringTiers(gate.config, name))
        return new Set(resources.filter(isFree))
      }
      const found = await standings.ofMany(gate, profile, resources, credentials, { spends })
      return new Set(resources.filter((_, at) => found[at]?.open || found[at]?.held))
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
  }
}

export type GateService = ReturnType<typeof createGateService>
