import type { Page, PageRequest } from '../../kernel/page.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { Profile, ProfileName } from './profiles.ts'

/** A profile at the other end of a connection. */
export type ConnectedProfile = Pick<Profile, 'id' | 'type' | 'username' | 'fullName' | 'avatarUrl' | 'visibility'>

/** A connection as one of its two profiles sees it. */
export interface Connection {
  readonly createdAt: Date
  readonly profile: ConnectedProfile & {
    /** The gates that may protect its avatar; null without a gate or an avatar. */
    readonly gates: GateConfig | null
    /** With the following fields, for its trust score. */
    readonly ownerAccountId: string
    readonly bio: string | null
    readonly skills: readonly string[]
    readonly socials: Readonly<Record<string, string>>
  }
}

/** A follower of a profile, or a profile that it follows. */
export type ConnectionSide = 'followers' | 'following'

/** The follow relation between some profiles and one profile. */
export interface ProfileRelation {
  /** One of them follows the profile. */
  readonly follower: boolean
  /** The profile follows one of them. */
  readonly following: boolean
}

/** Connections between profiles, for reading. Withdrawn profiles are left out on both sides. */
export interface ConnectionReader {
  /** The follow relation between the profiles of a visitor and a profile. */
  relationOf(visitorProfileIds: readonly number[], profileId: number): Promise<ProfileRelation>
  /** How many profiles the profiles of an account follow together. */
  countOfAccount(accountId: string): Promise<number>
  /**
   * The ids of those of these profiles that everyone may follow, by `{type}:{username}`: they are not private or withdrawn, and
   * their owner is not banned.
   */
  listFollowable(names: readonly ProfileName[]): Promise<ReadonlyMap<string, number>>
  /** The ids of all profiles that a profile follows, hidden ones too, in any order. */
  listFolloweeIds(profileId: number): Promise<readonly number[]>
  /** The connections of a profile with profiles that are not private, by (created_at, profile id) descending. */
  list(profileId: number, side: ConnectionSide, page: PageRequest): Promise<Page<Connection>>
}

/** Connections between profiles. */
export interface ConnectionStore extends ConnectionReader {
  /**
   * Makes a profile follow another one. False when it does already, also by a transaction that commits first; `undefined`
   * when one of the two does not exist.
   */
  follow(connection: {
    readonly followerProfileId: number
    readonly followeeProfileId: number
    readonly createdAt: Date
  }): Promise<boolean | undefined>
  /** Makes a profile follow others in one statement. Those that it follows already, and those that do not exist, are left out. */
  followAll(
    followerProfileId: number,
    follows: readonly { readonly followeeProfileId: number; readonly createdAt: Date }[],
  ): Promise<void>
  /** Unfollows a profile. False when it was not followed; exactly one of concurrent calls returns true. */
  unfollow(followerProfileId: number, followeeProfileId: number): Promise<boolean>
}
