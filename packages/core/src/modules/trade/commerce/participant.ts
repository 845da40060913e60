import type { Caller } from '../../../model/caller.ts'
import type { Party } from '../../../ports/storage/commerce.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
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
export async function buyerOf(who: Participant, { profiles, myProfiles }: BuyerDeps): Promise<Buyer> {
  if ('did' in who) return { party: who, did: who.did, profile: undefined }
  const profile = await myProfiles.acting(who.activeProfileId ?? who.caller.profileId, who.caller)
  await profiles.requirePermission(profile, who.caller, 'gates.edit')
  return { party: { profileId: profile.id }, did: profiles.didOf(profile), profile }
}

/** Whether a caller is in the team of a profile, regardless of the scopes of an API key. */
export async function isOfTeam(
  profile: Pick<Profile, 'id' | 'ownerAccountId'>,
  who: Participant,
  { members }: { readonly members?: Pick<MemberReader, 'getRole'> | undefined },
): Promise<boolean> {
  if ('did' in who) return false
  const { id } = who.caller.account
  return profile.ownerAccountId === id || (await members?.getRole(profile.id, id)) !== undefined
}
