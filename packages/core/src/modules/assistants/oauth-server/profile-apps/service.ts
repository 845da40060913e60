import type { Caller } from '../../../../model/caller.ts'
import type { ProfileApps } from '../../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { type ProfileService, profileNotFound } from '../../../profiles/profiles/index.ts'
import { profileAppsChanged } from '../events.ts'

export interface ProfileAppsDeps extends Pick<GuardedStorage, 'write'> {
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission' | 'lockWithPermission'>
}

/** Which connected apps reach profiles. */
export function createProfileApps({ write, profiles }: ProfileAppsDeps) {
  return {
    /**
     * Returns which apps reach a profile, to its team.
     *
     * @throws `not_profile_owner`, `profile_not_found`
     */
    async get(id: number, caller: Caller): Promise<ProfileApps> {
      const profile = await profiles.get(id, caller)
      await profiles.requirePermission(profile, caller, 'profile.read')
      return profile.apps
    },

    /**
     * Decides which apps reach a profile, from their next request on. For its owner.
     *
     * @throws `not_profile_owner`, `profile_not_found`
     */
    async set(id: number, apps: ProfileApps, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        const profile = await profiles.lockWithPermission(tx, id, caller, 'apps.limit')
        if (profile.apps === apps) return
        // The setting is not part of the public document, so the time of its last change stays.
        if (!(await tx.profiles.save(id, { apps, updatedAt: profile.updatedAt }))) throw profileNotFound()
        emit(profileAppsChanged, { apps }, { profileId: id, accountId: caller.account.id })
      })
    },
  }
}

export type ProfileAppsService = ReturnType<typeof createProfileApps>
