import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import type { Payer } from '../../ports/payment-rail.ts'
import type { Readers } from '../../ports/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { Caller } from '../accounts/index.ts'
import type { Agent } from '../agents/index.ts'
import type { Profile } from '../profiles/index.ts'
import { proofReplayed } from './errors.ts'
import { isPayment } from './gate-config.ts'
import type { PayerHint } from './payer.ts'
import { agentPayer, callerPayers } from './payer.ts'
import { type createVerdicts, type Evidence, type GateProof, isCurrent, nonceOf } from './requirements/index.ts'
import {
  type CoveringTier,
  coveringTiers,
  heldTier,
  isOpen,
  provenTier,
  type RequirementCheck,
  wholeTiers,
} from './resolve.ts'
import { covers } from './resource-pattern.ts'
import { readSession } from './session.ts'
import type { ActivePattern, Gate } from './store.ts'

/** What somebody can show at a gate. */
export interface Credentials {
  readonly caller: Caller | undefined
  /** The agent that the request names or that signed it. */
  readonly agent: Agent | undefined
  readonly payer: PayerHint | undefined
  /** The header `SIGN-IN-WITH-X`: a wallet that its holder proves. */
  readonly signIn?: string | undefined
  readonly proofs: readonly GateProof[]
  readonly authorization: string | undefined
}

/** Somebody who shows nothing. */
export const NOBODY: Credentials = {
  caller: undefined,
  agent: undefined,
  payer: undefined,
  proofs: [],
  authorization: undefined,
}

/** How a visitor stands to a resource. */
export interface Standing {
  /** Nothing guards the resource. */
  readonly open: boolean
  readonly covering: readonly CoveringTier[]
  /** The tier whose requirements the visitor meets. */
  readonly held: CoveringTier | undefined
  /** The tier that what was shown just now meets, money aside: what a session may say. */
  readonly proven: CoveringTier | undefined
  readonly check: RequirementCheck
  /** The entitlement to the resource of the payer that the request names, with its end: null is permanent. */
  readonly payerHolds?: Pick<ActivePattern, 'validUntil'> | undefined
  /** The same for visitors who meet the same: what is said to one of them may be said to all. */
  readonly likeness: string
}

export interface StandingDeps extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Pick<Keyring, 'isOwnSignature'>
  readonly verdicts: ReturnType<typeof createVerdicts>
  readonly didOf: (profile: Profile) => string
}

/** Whether a visitor shows nothing that a gate could count. */
export const showsNothing = ({ caller, agent, payer, signIn, proofs, authorization }: Credentials): boolean =>
  !caller && !agent && !payer && signIn === undefined && proofs.length === 0 && !authorization

/** The entitlement to a resource that ends last; undefined when none covers it. */
function longestOf(patterns: readonly ActivePattern[], resource: string): ActivePattern | undefined {
  const endOf = ({ validUntil }: ActivePattern) => validUntil?.getTime() ?? Number.POSITIVE_INFINITY
  const covering = patterns.filter(({ resourcePattern }) => covers(resourcePattern, resource))
  return covering.reduce<ActivePattern | undefined>(
    (longest, one) => (longest && endOf(longest) >= endOf(one) ? longest : one),
    undefined,
  )
}

/** How long the nonce of a proof is remembered when the proof names no end of its own. */
const NONCE_MS = 24 * 3_600_000

/** Finds out how visitors stand to what gates guard. */
export function createStandings({ read, write, clock, keyring, verdicts, didOf }: StandingDeps) {
  /** The patterns that a payer holds. Entitlements are never cached: a revoked one closes immediately. */
  async function patternsOf(
    profileId: number,
    payer: Payer | PayerHint,
    entitlements: Readers['entitlements'] = read.entitlements,
  ): Promise<readonly ActivePattern[]> {
    if (!payer.wallet || !payer.network) return []
    return entitlements.listActivePatterns({
      profileId,
      payerWalletAddress: normalWallet(payer.wallet),
      payerNetwork: payer.network,
    })
  }

  /** Whether a payer holds what covers a resource. */
  async function isEntitled(
    { profileId, resource }: { readonly profileId: number; readonly resource: string },
    payer: Payer | PayerHint,
    entitlements?: Readers['entitlements'],
  ): Promise<boolean> {
    const held = await patternsOf(profileId, payer, entitlements)
    return held.some(({ resourcePattern }) => covers(resourcePattern, resource))
  }

  /** Takes the nonces of proofs that are about to count. */
  async function spend(profileId: number, proofs: readonly GateProof[]): Promise<void> {
    const nonces = proofs.flatMap((proof) => nonceOf(proof) ?? [])
    if (nonces.length === 0) return
    const expiresAt = new Date(clock().getTime() + NONCE_MS)
    await write(async (tx) => {
      for (const nonce of nonces) {
        if (!(await tx.nonces.claim({ scope: `proof:${profileId}`, nonce, expiresAt }))) throw proofReplayed()
      }
    })
  }

  /** The tiers that a session of this gate and this agent names. */
  function sessionTiers(gate: Gate, profile: Profile, { authorization, agent }: Credentials): readonly string[] {
    const session = readSession(authorization, clock(), keyring)
    if (!session || session.agent_did !== agent?.did) return []
    const here = session.context_id === didOf(profile) && session.gate_version === `${gate.version}`
    return here ? session.tiers : []
  }

  /**
   * How a visitor stands to several resources behind one gate. What was shown is checked and looked up once for all of
   * them; verifiers are told of the first.
   */
  async function ofMany(
    gate: Gate,
    profile: Profile,
    resources: readonly string[],
    credentials: Credentials,
    { spends }: { readonly spends: boolean },
  ): Promise<readonly Standing[]> {
    const asked = resources.map((resource) => {
      const covering = coveringTiers(gate.config, resource)
      return { resource, covering, open: isOpen(gate.config, resource, covering) }
    })
    const closed = asked.filter(({ open }) => !open)
    const [first] = closed
    const opened = { open: true, held: undefined, proven: undefined, check: () => false, likeness: '' } as const
    if (!first) return asked.map(({ covering }) => ({ ...opened, covering }))

    const { payer, agent, caller } = credentials
    const named = [payer, agent?.verified ? agentPayer(agent.did) : undefined].filter((one) => one !== undefined)
    const payers = [...named, ...callerPayers(caller)]
    const patterns: ActivePattern[] = []
    const ofPayer: ActivePattern[] = []
    const isPaid = (resource: string) => patterns.some(({ resourcePattern }) => covers(resourcePattern, resource))
    for (const one of payers) {
      if (closed.every(({ resource }) => isPaid(resource))) break
      const active = await patternsOf(profile.id, one)
      patterns.push(...active)
      if (one === payer) ofPayer.push(...active)
    }

    const current = credentials.proofs.filter((proof) => isCurrent(proof, clock()))
    const evidence: Evidence = {
      profile,
      resource: first.resource,
      caller,
      agent: agent?.verified ? agent : undefined,
      proofs: current,
      boundDids: gate.boundDids,
    }
    const guards = new Map(closed.flatMap(({ covering }) => covering.map((each) => [each.name, each])))
    const met = await verdicts.of([...guards.values()], evidence)
    const sessions = new Set(sessionTiers(gate, profile, credentials))
    const standings = asked.map(({ resource, covering, open }): Standing => {
      if (open) return { ...opened, covering }
      const entitled = isPaid(resource)
      const check: RequirementCheck = (requirement, tier) =>
        isPayment(requirement) ? entitled : met.get(requirement) === true || sessions.has(tier)
      const likeness = [...[...met.values()].map(Number), ...sessions].join('')
      const whole = wholeTiers(covering, resource)
      const proven = provenTier(whole, (requirement) => met.get(requirement) === true)
      return {
        open,
        covering,
        held: heldTier(whole, check),
        proven,
        check,
        payerHolds: longestOf(ofPayer, resource),
        likeness,
      }
    })
    if (spends && standings.some(({ held }) => held)) await spend(profile.id, current)
    return standings
  }

  return {
    isEntitled,
    ofMany,

    /**
     * How a visitor stands to a resource behind a gate.
     *
     * @throws `proof_replayed` when a proof that would open it was used before
     */
    async of(gate: Gate, profile: Profile, resource: string, credentials: Credentials): Promise<Standing> {
      const [standing] = await ofMany(gate, profile, [resource], credentials, { spends: true })
      return standing as Standing
    },
  }
}
