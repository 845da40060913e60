import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { Connection, ConnectionSide, ProfileRelation } from '../../../ports/storage/connections.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { type MyProfiles, type ProfileScores, type ProfileService, profileNotFound } from '../profiles/index.ts'
import { cannotFollowItself, followLimitReached } from './errors.ts'
import { profileFollowed, profileUnfollowed } from './events.ts'

export interface ConnectionDeps extends GuardedStorage<'connections'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'find' | 'requirePermission' | 'requirePermissionIn' | 'lockWithPermission'>
  readonly myProfiles: Pick<MyProfiles, 'acting'>
  readonly scoresOf: ProfileScores['scoresOf']
  readonly planLimits: PlanTable
}

/** The acting profile: the one that the request names, or the default of the caller. */
export interface Acting {
  readonly caller: Caller
  readonly activeProfileId?: number | undefined
}

/** A connection, with the trust score of the profile at its other end. */
export interface ScoredConnection extends Connection {
  /** 0 to 100. */
  readonly trustScore: number
}

/** How the acting profile of a caller and another profile are connected. */
export interface FollowState {
  readonly following: boolean
  /** Whether the caller has a profile that may follow it. */
  readonly mayFollow: boolean
}

/** The address of the profile to follow. */
export interface Followed {
  readonly type: ProfileType
  readonly username: string
}

export function createConnectionService(deps: ConnectionDeps) {
  const { read, write, clock, profiles, myProfiles, scoresOf, planLimits } = deps
  const acting = ({ caller, activeProfileId }: Acting): Promise<Profile> =>
    myProfiles.acting(activeProfileId ?? caller.profileId, caller)

  /** Both profiles of a connection, for callers that may change it. */
  async function ends({ type, username }: Followed, actor: Acting) {
    const followee = await profiles.find(type, username, actor.caller)
    const follower = await acting(actor)
    await profiles.requirePermission(follower, actor.caller, 'profile.edit')
    if (follower.id === followee.id) throw cannotFollowItself()
    return { follower, followee, data: { followerProfileId: follower.id, followeeProfileId: followee.id } }
  }

  /** @throws `follow_limit_reached` when the account follows more profiles than its plan allows */
  async function requireRoom(tx: Stores<'connections'>, { ownerAccountId }: Profile): Promise<void> {
    const owner = await tx.accounts.get(ownerAccountId)
    const { maxFollows } = planLimits(owner?.tier ?? 'community')
    if ((await tx.connections.countOfAccount(ownerAccountId)) > maxFollows) {
      throw followLimitReached({ details: { max_follows: maxFollows } })
    }
  }

  return {
    async follow(followed: Followed, actor: Acting): Promise<{ follower: Profile; followee: Profile; isNew: boolean }> {
      const { follower, followee, data } = await ends(followed, actor)
      const isNew = await write(async (tx, emit) => {
        const made = await tx.connections.follow({ ...data, createdAt: clock() })
        if (made === undefined) throw profileNotFound()
        if (made) await requireRoom(tx, follower)
        // The caller may have left the team since the role was read; both profiles are locked now.
        await profiles.requirePermissionIn(tx, follower.id, actor.caller, 'profile.edit')
        const origin = { profileId: follower.id, accountId: actor.caller.account.id }
        if (made) emit(profileFollowed, data, origin)
        return made
      })
      return { follower, followee, isNew }
    },

    async unfollow(followed: Followed, actor: Acting): Promise<{ followee: Profile }> {
      const { follower, followee, data } = await ends(followed, actor)
      await write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, follower.id, actor.caller, 'profile.edit')
        if (!(await tx.connections.unfollow(follower.id, followee.id))) return
        const origin = { profileId: follower.id, accountId: actor.caller.account.id }
        emit(profileUnfollowed, data, origin)
      })
      return { followee }
    },

    /** Returns whether the acting profile follows a profile. A caller without a profile follows none. */
    async stateOf({ id }: Pick<Profile, 'id'>, actor: Acting): Promise<FollowState> {
      const follower = await acting(actor).catch((error: unknown) => {
        if (isEepError(error) && error.code === profileNotFound.code) return undefined
        throw error
      })
      if (!follower || follower.id === id) return { following: false, mayFollow: false }
      const { follower: following } = await read.connections.relationOf([follower.id], id)
      return { following, mayFollow: true }
    },

    async list(side: ConnectionSide, request: PageRequest, actor: Acting): Promise<Page<ScoredConnection>> {
      const page = await read.connections.list((await acting(actor)).id, side, request)
      const scores = await scoresOf(page.items.map(({ profile }) => profile))
      return { ...page, items: page.items.map((item, index) => ({ ...item, trustScore: scores[index] ?? 0 })) }
    },

    /** The trust scores of some profiles, 0 to 100. */
    scoresOf,

    /** The ids of all profiles that a profile follows, hidden ones too. */
    followeeIdsOf: (profileId: number): Promise<readonly number[]> => read.connections.listFolloweeIds(profileId),

    /** Returns how some profiles and one profile follow each other. */
    relationOf: (visitorProfileIds: readonly number[], profileId: number): Promise<ProfileRelation> =>
      read.connections.relationOf(visitorProfileIds, profileId),
  }
}

/** Connections between profiles. */
export type ConnectionService = ReturnType<typeof createConnectionService>
