import type { Caller } from '../../../model/caller.ts'
import type { Action, May, Role } from '../../../model/permission.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import { requireCaller } from '../../../runtime/storage/lock-caller.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { notProfileOwner, profileNotFound } from './errors.ts'
import { isReachedBy } from './team.ts'

export interface AccessDeps {
  readonly read: Pick<Readers, 'members'>
  readonly cache: ReadCache
  readonly may: May
}

type RoleRule = (profile: Profile, caller: Caller | undefined) => Role | undefined | Promise<Role | undefined>

/** Access to profiles: visibility and permissions. */
export function createAccess({ read, cache, may }: AccessDeps) {
  /**
   * The role of a caller, from the profile if that is enough; calls `ask` when the caller may be a member of the team.
   */
  function roleBy(
    profile: Profile,
    caller: Caller | undefined,
    ask: (accountId: string) => Role | undefined | Promise<Role | undefined>,
  ) {
    if (!caller) return undefined
    // A key of one profile has no role in the other profiles of its account.
    if (caller.profileId !== undefined && caller.profileId !== profile.id) return undefined
    const { id } = caller.account
    if (id === profile.ownerAccountId) return 'owner'
    return isReachedBy(caller, profile) ? ask(id) : undefined
  }

  /** The role of a caller in a profile; undefined without one. Membership is read only for signed-in accounts that are not the owner. */
  const roleOf: RoleRule = (profile, caller) =>
    roleBy(profile, caller, (accountId) =>
      cache.get(`role:${profile.id}:${accountId}`, async () => ({
        value: await read.members?.getRole(profile.id, accountId),
        profileId: profile.id,
      })),
    )

  async function assertVisible<Found extends Profile>(
    profile: Found | undefined,
    caller: Caller | undefined,
    roleFor: RoleRule = roleOf,
  ): Promise<Found> {
    // For public profiles the team is not read.
    if (profile && isVisible(profile, 'address')) return profile
    if (!profile || !isVisible(profile, 'address', await roleFor(profile, caller))) throw profileNotFound()
    return profile
  }

  async function requireRole(
    profile: Profile,
    caller: Caller | undefined,
    action: Action,
    roleFor: RoleRule = roleOf,
  ): Promise<Role> {
    const role = await roleFor(await assertVisible(profile, caller, roleFor), caller)
    if (role === undefined || !may(role, action)) throw notProfileOwner()
    return role
  }

  /** Returns the profile if the role of the caller, read in the transaction, permits an action. */
  async function requireWithin(tx: Stores, found: Profile | undefined, caller: Caller, action: Action) {
    const roleFor: RoleRule = (profile) =>
      roleBy(profile, caller, (accountId) => tx.members?.getRole(profile.id, accountId))
    const profile = await assertVisible(found, caller, roleFor)
    await requireRole(profile, caller, action, roleFor)
    // A takeover locks the profiles of the account: requests that were authenticated before it are refused after it.
    await requireCaller(tx, caller)
    return profile
  }

  return {
    roleOf,

    /** The profile, if the caller may see it. */
    assertVisible: <Found extends Profile>(profile: Found | undefined, caller: Caller | undefined): Promise<Found> =>
      assertVisible(profile, caller),

    requirePermission: (profile: Profile, caller: Caller | undefined, action: Action): Promise<Role> =>
      requireRole(profile, caller, action),

    /**
     * Locks a profile until the transaction ends, and returns it if the caller has the permission at this moment:
     * a caller who lost the role before the lock can no longer write.
     *
     * @throws `not_profile_owner`, `profile_not_found`; `unauthenticated` or `invalid_api_key` when the session or API key of the
     *   caller ended meanwhile
     */
    lockWithPermission: async (tx: Stores, id: number, caller: Caller, action: Action): Promise<Profile> =>
      requireWithin(tx, await tx.profiles.lock(id), caller, action),

    /**
     * Returns a profile that the transaction has already locked, if the caller has the permission at this moment.
     *
     * @throws `not_profile_owner`, `profile_not_found`; `unauthenticated` or `invalid_api_key` when the session or API key of the
     *   caller ended meanwhile
     */
    requirePermissionIn: async (tx: Stores, id: number, caller: Caller, action: Action): Promise<Profile> =>
      requireWithin(tx, await tx.profiles.get(id), caller, action),
  }
}

export type ProfileAccess = ReturnType<typeof createAccess>
