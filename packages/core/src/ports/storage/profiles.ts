import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ProfileType } from '../../model/profile-type.ts'
import type { AccountProofs } from '../../model/trust-score.ts'

export type { AccountProofs } from '../../model/trust-score.ts'

/** The readers of a profile: everyone and every list, clients with its URL, or its team. */
export type Visibility = 'public' | 'unlisted' | 'private'

/** Which connected apps reach a profile: those of everyone in its team, or only those of its owner. */
export type ProfileApps = 'allowed' | 'owner_only'

/** A profile as it is now. */
export interface Profile {
  readonly id: number
  readonly ownerAccountId: string
  readonly type: ProfileType
  /** Unique within its type; `[a-z0-9-]`. */
  readonly username: string
  readonly fullName: string | null
  readonly bio: string | null
  readonly avatarUrl: string | null
  readonly coverUrl: string | null
  /** The color of its pages, as `#rrggbb` in lower case. */
  readonly accent: string | null
  /** Shown to the owner only. */
  readonly email: string | null
  readonly skills: readonly string[]
  /** URLs by network: `{ github: 'https://github.com/ada' }`. */
  readonly socials: Readonly<Record<string, string>>
  readonly keywords: readonly string[]
  readonly agentInstructions: string | null
  readonly agentRules: string | null
  readonly capabilities: readonly string[]
  readonly customFields: JsonObject
  readonly typeData: JsonObject
  readonly visibility: Visibility
  /**
   * The visibility that it gets when its owner verifies the email address of the account. Until then it is private. Null when it
   * does not wait for that.
   */
  readonly visibilityOnceVerified: Exclude<Visibility, 'private'> | null
  readonly apps: ProfileApps
  /** When it was withdrawn because its account is about to be deleted; null otherwise. A withdrawn profile is shown nowhere. */
  readonly withdrawnAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A profile to insert. The store assigns its id. */
export type NewProfile = Omit<Profile, 'id' | 'updatedAt' | 'withdrawnAt'>
/** Changes of a profile. Absent fields stay as they are. */
export type ProfileChanges = Partial<Omit<Profile, 'id' | 'type' | 'username' | 'createdAt' | 'withdrawnAt'>> & {
  readonly updatedAt: Date
}

/** The name of a profile: its type, and its username within the type. */
export interface ProfileName {
  readonly type: ProfileType
  readonly username: string
}

/** The new username of a profile, and how long the old one is kept for it. */
export interface ProfileRename {
  readonly username: string
  readonly at: Date
  readonly keptUntil: Date
  /** Keyed hashes of the new name, one for each key, to check whether it is reserved. */
  readonly nameHashes?: readonly string[] | undefined
}

/**
 * The name of a deleted profile. It remains reserved, because others may still refer to the profile by its DID. Only a
 * keyed hash is stored.
 */
export interface ReservedName {
  readonly type: ProfileType
  readonly nameHash: string
  /** The account that owned the profile and may use the name again; null once that account is erased. */
  readonly ownerAccountId: string | null
  /** Whether the profile was readable at its URL before it was deleted. */
  readonly wasReadable: boolean
  readonly at: Date
}

/** Statistics of a profile. */
export interface ProfileNumbers {
  readonly pages: Readonly<Record<'draft' | 'published' | 'archived', number>>
  readonly categories: number
  /** The reactions to all of its pages. */
  readonly reactions: Readonly<Record<'like' | 'bookmark', number>>
  /** The number of receipts of its sales. */
  readonly sales: number
}

/** The usage of an account. */
export interface AccountUse {
  readonly profiles: number
  /** Pages of any status in all of its profiles. */
  readonly pages: number
  /** Files in all of its profiles. */
  readonly files: number
  /** The size of files, page versions and gate versions in all of its profiles. */
  readonly storageBytes: number
}

/** Profiles, for reading. */
export interface ProfileReader {
  /** The profile with this id, or with this type and username. */
  get(key: number | ProfileName): Promise<Profile | undefined>
  /**
   * The types in which this username is taken, kept at this time for a profile that had it, or reserved under one of
   * `nameHashes`.
   */
  listTypesOf(username: string, at: Date, nameHashes?: readonly string[]): Promise<readonly ProfileType[]>
  /** The usage of an account. */
  countOfAccount(accountId: string): Promise<AccountUse>
  /** The profiles an account owns, oldest first. */
  listOfAccount(accountId: string, page: PageRequest): Promise<Page<Profile>>
}

/** Profiles. */
export interface ProfileStore extends ProfileReader {
  /**
   * Adds a profile. `undefined` when its type has this username already, when the name is kept for another profile at its
   * creation time, or when it is reserved under one of `nameHashes` for an account other than the owner; also by a
   * transaction that commits first.
   */
  insert(profile: NewProfile, nameHashes?: readonly string[]): Promise<Profile | undefined>
  /** Reserves names of profiles that are deleted in the same transaction. The last reservation of a name counts. */
  reserveNames(names: readonly ReservedName[]): Promise<void>
  /**
   * Reads a profile. Concurrent locks and saves wait until the transaction ends. Lock a profile before changing its content
   * tree or gates.
   */
  lock(id: number): Promise<Profile | undefined>
  /** Changes the given fields; `undefined` when the profile does not exist. */
  save(id: number, changes: ProfileChanges): Promise<Profile | undefined>
  /** Withdraws every profile of an account (a date), or restores them (null). Returns the updated profiles. */
  withdrawOfAccount(accountId: string, at: Date | null): Promise<readonly Profile[]>
  /**
   * Deletes a profile and everything that belongs to it: categories, pages and versions, gate configuration, entitlements,
   * API keys of this profile. Payments and receipts are kept. False when it does not exist.
   */
  delete(id: number): Promise<boolean>
}

/** Former names of profiles, and names of deleted ones, for reading. */
export interface ProfileNameReader {
  /** The reservation under one of these hashes. */
  getReserved(nameHashes: readonly string[]): Promise<ReservedName | undefined>
  /** The number of names reserved for an account since this time. */
  countReserved(accountId: string, since: Date): Promise<number>
  /** The ids of profiles by `{type}:{username}`: those that have these names, or had them and keep them at this time. */
  listIdsOf(names: readonly ProfileName[], at: Date): Promise<ReadonlyMap<string, number>>
  /** The profile that had this username, if the name is still kept for it at this time. */
  getProfile(type: ProfileType, username: string, at: Date): Promise<Profile | undefined>
  /** The former usernames that are kept for a profile at this time, the latest first. */
  listFormer(id: number, at: Date): Promise<readonly string[]>
}

/**
 * Former names of profiles. Without this group profiles cannot be renamed, but names of deleted profiles are still
 * reserved.
 */
export interface ProfileNameStore extends ProfileNameReader {
  /**
   * Renames a profile and keeps the old username for it. `undefined` when the profile does not exist, its type has the
   * username, the name is kept for another profile at this time, or it is reserved for an account other than the owner;
   * also by a transaction that commits first. A profile that takes back a name that was kept for it ends that reservation.
   */
  rename(id: number, change: ProfileRename): Promise<Profile | undefined>
}

/** Statistics of profiles. */
export interface ProfileNumberReader {
  /** The statistics of these profiles. Profiles that do not exist are left out. */
  countOfProfiles(ids: readonly number[]): Promise<ReadonlyMap<number, ProfileNumbers>>
  /**
   * What the records of these accounts prove, in one query; accounts that do not exist are left out. Identities of the provider
   * `host` do not count. Of payments the last 20 count, without refunded ones and those to the account itself.
   */
  listProofs(accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountProofs>>
}
