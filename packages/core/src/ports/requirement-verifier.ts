import type { Agent } from '../model/agent.ts'
import type { Caller } from '../model/caller.ts'
import type { GateRequirement } from '../model/gate-config.ts'
import type { GateProof } from '../model/gate-proof.ts'
import type { BoundDids } from './storage/gates.ts'
import type { Profile } from './storage/profiles.ts'

/** The evidence of a visitor at a gate, other than payments. */
export interface Evidence {
  /** The profile of the gate. */
  readonly profile: Profile
  /** The name of the resource. */
  readonly resource: string
  readonly caller: Caller | undefined
  /** The agent that signed the request; undefined for one that only names itself. */
  readonly agent: Agent | undefined
  readonly proofs: readonly GateProof[]
  /** The profiles to which the configuration binds DIDs of this service. */
  readonly boundDids: BoundDids
}

/** Whether the evidence meets a requirement. Return false when that cannot be determined. An error counts as false. */
export type RequirementVerifier<Requirement = GateRequirement> = (
  requirement: Requirement,
  evidence: Evidence,
) => boolean | Promise<boolean>
