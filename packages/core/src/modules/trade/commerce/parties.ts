import type { Caller } from '../../../model/caller.ts'
import type { Actor, NegotiationAction, NegotiationStateDetails } from '../../../model/negotiation.ts'
import { mayMove } from '../../../model/negotiation.ts'
import { may } from '../../../model/permission.ts'
import type { Negotiation, Party } from '../../../ports/storage/commerce.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { MemberReader } from '../../../ports/storage/teams.ts'
import type { MyProfiles, ProfileService } from '../../profiles/profiles/index.ts'

/** A participant: an account for a profile, or an agent that signed the request. */
export type Participant =
  | { readonly caller: Caller; readonly activeProfileId?: number | undefined }
  | { readonly did: string }

/** The buyer of a negotiation. */
export interface Buyer {
  readonly party: Party
  readonly did: string
  /** Undefined for an agent. */
  readonly profile: Profile | undefined
}

export interface BuyerDeps {
  readonly profiles: Pick<ProfileService, 'requirePermission' | 'didOf'>
  readonly myProfiles: Pick<MyProfiles, 'acting'>
}

/**
 * Returns the buyer: the agent, or the acting profile, for an administrator of its team.
 *
 * @throws `not_profile_owner`, `profile_not_found`
 */
export async function requireBuyer(participant: Participant, { profiles, myProfiles }: BuyerDeps): Promise<Buyer> {
  if ('did' in participant) return { party: participant, did: participant.did, profile: undefined }
  const profile = await myProfiles.acting(
    participant.activeProfileId ?? participant.caller.profileId,
    participant.caller,
  )
  await profiles.requirePermission(profile, participant.caller, 'gates.edit')
  return { party: { profileId: profile.id }, did: profiles.didOf(profile), profile }
}

/** Whether a caller is in the team of a profile, regardless of the scopes of an API key. */
export async function isTeamMember(
  profile: Pick<Profile, 'id' | 'ownerAccountId'>,
  participant: Participant,
  { members }: { readonly members?: Pick<MemberReader, 'getRole'> | undefined },
): Promise<boolean> {
  if ('did' in participant) return false
  const { id } = participant.caller.account
  return profile.ownerAccountId === id || (await members?.getRole(profile.id, id)) !== undefined
}

/** A negotiation, and the role of its reader. */
export interface NegotiationView {
  readonly negotiation: Negotiation
  readonly actor: Actor
}

export interface SideDeps {
  readonly read: Pick<Readers<'negotiations' | 'listings'>, 'profiles'>
  readonly profiles: Pick<ProfileService, 'roleOf'>
}

/** The fields that decide which party may move. */
export const stateDetailsOf = ({ state, offeredBy, dispute }: Negotiation): NegotiationStateDetails => ({
  state,
  offeredBy,
  disputedBy: dispute?.opened_by,
})

/** The profile on one side; undefined for an agent. */
export const partyProfileId = ({ sellerProfileId, buyerProfileId }: Negotiation, actor: Actor): number | undefined =>
  actor === 'seller' ? sellerProfileId : actor === 'buyer' ? (buyerProfileId ?? undefined) : undefined

/** Determines the roles of callers in negotiations. */
export function createActorLookup({ read, profiles }: SideDeps) {
  async function isSide(
    profileId: number | null,
    participant: Extract<Participant, { caller: object }>,
  ): Promise<boolean> {
    if (profileId === null || (participant.activeProfileId ?? profileId) !== profileId) return false
    const profile = await read.profiles.get(profileId)
    return profile !== undefined && may(await profiles.roleOf(profile, participant.caller), 'payments.read')
  }

  /**
   * The role of a caller in a negotiation. A caller on both sides acts as the one that may move; administrators have a role
   * in disputes only. Undefined for everyone else.
   */
  return async function actorOf(
    negotiation: Negotiation,
    participant: Participant,
    action?: NegotiationAction | undefined,
  ): Promise<Actor | undefined> {
    const { sellerProfileId, buyerProfileId, buyerDid } = negotiation
    if ('did' in participant) return buyerProfileId === null && buyerDid === participant.did ? 'buyer' : undefined
    const sides: Actor[] = []
    if (await isSide(sellerProfileId, participant)) sides.push('seller')
    if (await isSide(buyerProfileId, participant)) sides.push('buyer')
    if (sides.length === 0 && participant.caller.isAdmin && negotiation.state === 'disputed') sides.push('admin')
    const details = stateDetailsOf(negotiation)
    return sides.find((side) => action && mayMove(details, action, side)) ?? sides[0]
  }
}
