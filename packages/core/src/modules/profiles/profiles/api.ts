import type { Caller } from '../../../model/caller.ts'
import type { Action, Role } from '../../../model/permission.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { Profile, ProfileName } from '../../../ports/storage/profiles.ts'
import type { ProfileDraft, ProfileUpdate } from './editing.ts'
import type { ProfileRecord } from './schemas.ts'

/** The methods of `app.eep.profiles`. */
export interface ProfilesApi {
  /**
   * Returns the profile of a type and username, from the cache when it is warm.
   *
   * @throws `profile_not_found` also for a private profile of which the caller is not a member; `profile_moved` for a
   * username that the profile had in the last 30 days
   */
  find(type: ProfileType, username: string, caller?: Caller): Promise<Profile>
  /**
   * Returns the role of a caller in a profile; undefined for anonymous callers and accounts that are not of its team. The
   * owner needs no query; roles of others are cached until the team changes.
   */
  roleOf(profile: Profile, caller: Caller | undefined): Role | undefined | Promise<Role | undefined>
  /**
   * Returns the role of a caller, when that role permits an action on a profile.
   *
   * @throws `not_profile_owner` when it does not, `profile_not_found` when the profile is hidden from the caller
   */
  requirePermission(profile: Profile, caller: Caller | undefined, action: Action): Promise<Role>
  /**
   * Returns the profile with an id, read from the storage. Ids can be enumerated, so unlisted profiles are only
   * returned to their team; use `find` for an address.
   *
   * @throws `profile_not_found`
   */
  get(id: number, caller?: Caller): Promise<Profile>
  /**
   * Deletes a profile and everything that belongs to it. Its names stay reserved for the account that owned it.
   *
   * @throws `profile_not_found`, `not_profile_owner`
   */
  delete(type: ProfileType, username: string, caller: Caller): Promise<void>
  /**
   * Returns the profile of a DID of this service.
   *
   * @throws `profile_not_found` also for DIDs of other services and private profiles; `profile_moved`
   */
  byDid(did: string, caller?: Caller): Promise<Profile>
  /** Returns the DID of a profile. */
  didOf(profile: Pick<Profile, 'type' | 'username'>): string
  /** Returns the type and username that a DID of this service names; undefined for any other DID. */
  nameOf(did: string): ProfileName | undefined
  /** Returns the canonical URL of a profile. */
  urlOf(profile: Pick<Profile, 'type' | 'username'>): string
  /**
   * Returns a serialized profile: complete for its team, without gated fields for anyone else. Only the owner
   * gets its email address.
   *
   * @throws `profile_not_found`, `profile_moved`
   */
  getRecord(type: ProfileType, username: string, caller?: Caller): Promise<ProfileRecord>
  /**
   * Returns whether a username is free for profiles of a type; without a type, for all types. The usernames of accounts
   * are reserved for their own person profiles. The result may be out of date by the time a profile is created.
   */
  checkUsername(username: string, type?: ProfileType): Promise<boolean>
  /**
   * Creates a profile that the caller owns. Of concurrent calls with the same name one succeeds.
   *
   * @throws `username_reserved`, `username_taken`
   */
  create(draft: ProfileDraft, caller: Caller): Promise<Profile>
  /**
   * Changes the given fields. Only the owner may change the username; the former one redirects to the profile for 30 days.
   * Concurrent updates are applied one after another.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `username_reserved`, `username_taken`, `too_many_names`
   */
  update(type: ProfileType, username: string, changes: ProfileUpdate, caller: Caller): Promise<Profile>
}
