import type { Agent } from '../model/agent.ts'
import type { Caller } from '../model/caller.ts'
import type { GateRequirement } from '../model/gate-config.ts'
import type { GateProof } from '../model/gate-proof.ts'
import type { BoundDids } from './storage/gates.ts'
import type { Profile } from './storage/profiles.ts'

/** What a visitor brought to a gate beside money. */
export interface Evidence {
  /** Whose gate it is. */
  readonly profile: Profile
  /** The name of the resource. */
  readonly resource: string
  readonly caller: Caller | undefined
  /** The agent that signed the request; undefined for one that only names itself. */
  readonly agent: Agent | undefined
  readonly proofs: readonly GateProof[]
  /** The profiles that DIDs of this service in the configuration are bound to. */
  readonly boundDids: BoundDids
}

/** Returns whether evidence meets a requirement. False also when that cannot be determined; an error counts as false. */
export type RequirementVerifier<Requirement = GateRequirement> = (
  requirement: Requirement,
  evidence: Evidence,
) => boolean | Promise<boolean>
