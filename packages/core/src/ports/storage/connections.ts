import type { Page, PageRequest } from '../../kernel/page.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { Profile } from './profiles.ts'

/** A profile at the other end of a connection. */
export type ConnectedProfile = Pick<Profile, 'id' | 'type' | 'username' | 'fullName' | 'avatarUrl' | 'visibility'>

/** A connection as one of its two profiles sees it. */
export interface Connection {
  readonly createdAt: Date
  readonly profile: ConnectedProfile & {
    /** What may close its avatar to others; null without a gate, and where it has no avatar. */
    readonly gates: GateConfig | null
  }
}

/** A follower of a profile, or a profile that it follows. */
export type ConnectionSide = 'followers' | 'following'

/** How some profiles and one profile follow each other. */
export interface ProfileRelation {
  /** One of them follows the profile. */
  readonly follower: boolean
  /** The profile follows one of them. */
  readonly following: boolean
}

/** Which profile follows which, for reading. Withdrawn profiles are left out on both sides. */
export interface ConnectionReader {
  /** How the profiles of a visitor and a profile follow each other. */
  relationOf(visitorProfileIds: readonly number[], profileId: number): Promise<ProfileRelation>
  /** The ids of all profiles that a profile follows, hidden ones too, in any order. */
  listFolloweeIds(profileId: number): Promise<readonly number[]>
  /** The connections of a profile with profiles that are not private, by (created_at, profile id) descending. */
  list(profileId: number, side: ConnectionSide, page: PageRequest): Promise<Page<Connection>>
}

/** Which profile follows which. */
export interface ConnectionStore extends ConnectionReader {
  /**
   * Lets a profile follow another one. False when it does already, also by a transaction that commits first;
   * `undefined` when one of the two is gone.
   */
  follow(connection: {
    readonly followerProfileId: number
    readonly followeeProfileId: number
    readonly createdAt: Date
  }): Promise<boolean | undefined>
  /** Ends it. False when it did not exist; of concurrent calls exactly one returns true. */
  unfollow(followerProfileId: number, followeeProfileId: number): Promise<boolean>
}
