import type { Actor, NegotiationAction, NegotiationStateDetails } from '../../../model/negotiation.ts'
import { mayMove } from '../../../model/negotiation.ts'
import { may } from '../../../model/permission.ts'
import type { Negotiation } from '../../../ports/storage/commerce.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { Participant } from './participant.ts'

/** A negotiation as one reader sees it. */
export interface Seen {
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
export const profileIdOf = ({ sellerProfileId, buyerProfileId }: Negotiation, actor: Actor): number | undefined =>
  actor === 'seller' ? sellerProfileId : actor === 'buyer' ? (buyerProfileId ?? undefined) : undefined

/** Determines the roles of callers in negotiations. */
export function createSides({ read, profiles }: SideDeps) {
  async function isSide(profileId: number | null, who: Extract<Participant, { caller: object }>): Promise<boolean> {
    if (profileId === null || (who.activeProfileId ?? profileId) !== profileId) return false
    const profile = await read.profiles.get(profileId)
    return profile !== undefined && may(await profiles.roleOf(profile, who.caller), 'payments.read')
  }

  /**
   * The role of a caller in a negotiation. A caller on both sides acts as the one that may move; administrators have a role
   * in disputes only. Undefined for everyone else.
   */
  return async function actorOf(
    negotiation: Negotiation,
    who: Participant,
    action?: NegotiationAction | undefined,
  ): Promise<Actor | undefined> {
    const { sellerProfileId, buyerProfileId, buyerDid } = negotiation
    if ('did' in who) return buyerProfileId === null && buyerDid === who.did ? 'buyer' : undefined
    const sides: Actor[] = []
    if (await isSide(sellerProfileId, who)) sides.push('seller')
    if (await isSide(buyerProfileId, who)) sides.push('buyer')
    if (sides.length === 0 && who.caller.isAdmin && negotiation.state === 'disputed') sides.push('admin')
    const details = stateDetailsOf(negotiation)
    return sides.find((side) => action && mayMove(details, action, side)) ?? sides[0]
  }
}
