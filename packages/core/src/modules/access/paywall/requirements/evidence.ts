import type { Caller } from '../../../../model/caller.ts'
import type { Evidence } from '../../../../ports/requirement-verifier.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { DidResolver } from '../../../agents/agents/index.ts'

/** How a visitor and the profile of a gate follow each other. */
export interface Relation {
  /** The visitor follows the profile. */
  readonly follower: boolean
  /** The profile follows the visitor. */
  readonly following: boolean
}

/** The services that verifiers use. */
export interface VisitorLookup {
  readonly dids: DidResolver
  /** The profiles that a caller acts for. */
  profilesOf(caller: Caller): Promise<readonly Profile[]>
  /** 0 to 100. */
  trustOf(visitor: Pick<Evidence, 'caller' | 'agent'>): Promise<number>
  relationOf(visitor: Pick<Evidence, 'caller' | 'agent'>, profile: Profile): Promise<Relation>
  /** The gate of an entity of this service; undefined for any other. */
  gateOf(did: string): Promise<Pick<Gate, 'config' | 'boundDids'> | undefined>
  /** Whether an account accepted a document of the gate of a profile, by a button. */
  hasAccepted(caller: Caller, profile: Profile, documentHash: string): Promise<boolean>
  /** The DID of a profile. */
  didOf(profile: Profile): string
  now(): Date
}

/** Computes a value once per visit and key for all requirements. */
export function oncePerVisit<Result>() {
  const visits = new WeakMap<Evidence, Map<string, Promise<Result>>>()
  return (visit: Evidence, key: string, make: () => Promise<Result>): Promise<Result> => {
    const made = visits.get(visit) ?? new Map<string, Promise<Result>>()
    visits.set(visit, made)
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known
  }
}

const owned = oncePerVisit<readonly Profile[]>()
const proven = oncePerVisit<readonly string[]>()

/** The ids of the profiles that a visitor acts for. */
export const provenProfileIds = async (
  evidence: Evidence,
  lookup: Pick<VisitorLookup, 'profilesOf'>,
): Promise<ReadonlySet<number>> => new Set((await profilesOfVisitor(evidence, lookup)).map(({ id }) => id))

const profilesOfVisitor = (evidence: Evidence, lookup: Pick<VisitorLookup, 'profilesOf'>) =>
  owned(evidence, '', async () => (evidence.caller ? lookup.profilesOf(evidence.caller) : []))

/** The DIDs that a visitor has proved to be: the agent that signed, and the profiles of the signed-in account. */
export const provenDids = (
  evidence: Evidence,
  lookup: Pick<VisitorLookup, 'profilesOf' | 'didOf'>,
): Promise<readonly string[]> =>
  proven(evidence, '', async () => {
    const { agent } = evidence
    const ofCaller = (await profilesOfVisitor(evidence, lookup)).map((profile) => lookup.didOf(profile))
    return agent?.verified ? [agent.did, ...ofCaller] : ofCaller
  })
