import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ProfileType } from '../../model/profile-type.ts'

/** The readers of a profile: everyone and every list, clients with its URL, or its team. */
export type Visibility = 'public' | 'unlisted' | 'private'

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
  /** Shown to the owner only. */
  readonly email: string | null
  readonly skills: readonly string[]
  /** Name of the network to address: `{ github: 'https://github.com/ada' }`. */
  readonly socials: Readonly<Record<string, string>>
  readonly keywords: readonly string[]
  readonly agentInstructions: string | null
  readonly agentRules: string | null
  readonly capabilities: readonly string[]
  readonly customFields: JsonObject
  readonly typeData: JsonObject
  readonly visibility: Visibility
  /** Since its account is about to be deleted, it shows nowhere; null otherwise. */
  readonly withdrawnAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A profile that is to be added; the store gives it its id. */
export type NewProfile = Omit<Profile, 'id' | 'updatedAt' | 'withdrawnAt'>
/** Changes of a profile. Absent fields stay as they are. */
export type ProfileChanges = Partial<Omit<Profile, 'id' | 'type' | 'username' | 'createdAt' | 'withdrawnAt'>> & {
  readonly updatedAt: Date
}

/** What names a profile: its type and its username within the type. */
export interface ProfileName {
  readonly type: ProfileType
  readonly username: string
}

/** The next username of a profile, and how long the one before is kept for it. */
export interface ProfileRename {
  readonly username: string
  readonly at: Date
  readonly keptUntil: Date
  /** Keyed hashes of the next name, one for each key, to find out whether it is reserved. */
  readonly nameHashes?: readonly string[] | undefined
}

/**
 * The name of a deleted profile. It stays reserved, because others may still refer to the profile by its DID. Only a keyed
 * hash of it is stored.
 */
export interface ReservedName {
  readonly type: ProfileType
  readonly nameHash: string
  /** The account that owned the profile and may use the name again; null once that account is gone. */
  readonly ownerAccountId: string | null
  /** Whether the profile could be read by its address until it was deleted. */
  readonly wasReadable: boolean
  readonly at: Date
}

/** What a profile holds, in numbers. */
export interface ProfileNumbers {
  readonly pages: Readonly<Record<'draft' | 'published' | 'archived', number>>
  readonly categories: number
  /** To all of its pages together. */
  readonly reactions: Readonly<Record<'like' | 'bookmark', number>>
  /** How many receipts were written for what it sells. */
  readonly sales: number
}

/** How much an account owns. */
export interface AccountUse {
  readonly profiles: number
  /** Of any status, in all of its profiles. */
  readonly pages: number
  /** In all of its profiles. */
  readonly files: number
  /** Of the files, page versions and gate versions of all of its profiles. */
  readonly storageBytes: number
}

/** Profiles, for reading. */
export interface ProfileReader {
  /** The profile with this id, or with this type and username. */
  get(key: number | ProfileName): Promise<Profile | undefined>
  /**
   * The types under which this username is taken, or kept at this moment for a profile that had it, or reserved under one of
   * `nameHashes`.
   */
  listTypesOf(username: string, at: Date, nameHashes?: readonly string[]): Promise<readonly ProfileType[]>
  /** How much an account owns. */
  countOfAccount(accountId: string): Promise<AccountUse>
  /** The profiles an account owns, oldest first. */
  listOfAccount(accountId: string, page: PageRequest): Promise<Page<Profile>>
}

/** Profiles. */
export interface ProfileStore extends ProfileReader {
  /**
   * Adds a profile. `undefined` when its type has this username already, when the name is kept for another profile at
   * the moment this one is made, or when it is reserved under one of `nameHashes` for any account but the owner; also by a
   * transaction that commits first.
   */
  insert(profile: NewProfile, nameHashes?: readonly string[]): Promise<Profile | undefined>
  /** Reserves names of profiles that are deleted in the same transaction. The last reservation of a name counts. */
  reserveNames(names: readonly ReservedName[]): Promise<void>
  /**
   * Reads a profile; concurrent locks and saves wait until the transaction ends. Callers that change its tree or its
   * gates lock it first.
   */
  lock(id: number): Promise<Profile | undefined>
  /** Changes the named fields; `undefined` when the profile is gone. */
  save(id: number, changes: ProfileChanges): Promise<Profile | undefined>
  /** Withdraws every profile of an account (a date), or brings them back (null); the profiles as they are now. */
  withdrawOfAccount(accountId: string, at: Date | null): Promise<readonly Profile[]>
  /**
   * Removes a profile and everything that belongs to it: categories, pages and versions, gate configuration,
   * entitlements, keys made for it alone. Payments and receipts stay: they are the books. False when it was gone already.
   */
  delete(id: number): Promise<boolean>
}

/** Names that profiles had, and names of deleted ones, for reading. */
export interface ProfileNameReader {
  /** The reservation under one of these hashes. */
  getReserved(nameHashes: readonly string[]): Promise<ReservedName | undefined>
  /** How many names have been reserved for an account since a moment. */
  countReserved(accountId: string, since: Date): Promise<number>
  /** Which profiles have these names, or had them and are still found by them at this moment, by `{type}:{username}`. */
  listIdsOf(names: readonly ProfileName[], at: Date): Promise<ReadonlyMap<string, number>>
  /** The profile that had this username, while the name is kept for it at this moment. */
  getProfile(type: ProfileType, username: string, at: Date): Promise<Profile | undefined>
  /** The usernames that are kept for a profile at this moment, the last one first. */
  listFormer(id: number, at: Date): Promise<readonly string[]>
}

/** Names that profiles had. Without this group no profile is renamed; names of deleted profiles are reserved all the same. */
export interface ProfileNameStore extends ProfileNameReader {
  /**
   * Gives a profile another username and keeps the old one for it. `undefined` when the profile is gone, its type has
   * the username, the name is kept for another profile at this moment, or it is reserved for any account but the owner; also
   * by a transaction that commits first. A name that was kept for this profile is no longer reserved once it has it again.
   */
  rename(id: number, change: ProfileRename): Promise<Profile | undefined>
}

/** What profiles hold, in numbers. */
export interface ProfileNumberReader {
  /** What these profiles hold, in numbers; those that are gone are left out. */
  countOfProfiles(ids: readonly number[]): Promise<ReadonlyMap<number, ProfileNumbers>>
}
