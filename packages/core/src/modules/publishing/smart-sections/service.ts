import type { Clock } from '../../../kernel/clock.ts'
import { ifMatchHolds } from '../../../kernel/entity-tags.ts'
import type { Caller } from '../../../model/caller.ts'
import type { SmartSection, SmartSections } from '../../../ports/storage/smart-sections.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { staleSections } from './errors.ts'
import { sectionsReplaced } from './events.ts'

export interface SmartSectionDeps extends GuardedStorage<'smartSections'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission' | 'lockWithPermission'>
}

/** The ETag of the sections as the team edits them; version 0 before the first ones. */
export const sectionsTag = (version: number): string => `"s${version}"`

export function createSmartSectionService({ read, write, clock, profiles }: SmartSectionDeps) {
  return {
    async get(profileId: number): Promise<Pick<SmartSections, 'sections' | 'version'>> {
      return (await read.smartSections.get(profileId)) ?? { sections: [], version: 0 }
    },

    /** Returns the sections of profiles for lists, and their gates at the same moment. Profiles without sections are left out. */
    listOfProfiles: (profileIds: readonly number[]) => read.smartSections.listOfProfiles(profileIds),

    async replace(
      profileId: number,
      sections: readonly SmartSection[],
      caller: Caller,
      ifMatch?: string | undefined,
    ): Promise<SmartSections> {
      const profile = await profiles.get(profileId, caller)
      await profiles.requirePermission(profile, caller, 'profile.edit')
      return write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profileId, caller, 'profile.edit')
        const present = await tx.smartSections.get(profileId)
        if (!ifMatchHolds(ifMatch, sectionsTag(present?.version ?? 0))) throw staleSections()
        const stored = await tx.smartSections.put({ profileId, sections, updatedAt: clock() })
        if (!stored) throw profileNotFound()
        emit(sectionsReplaced, { version: stored.version }, { profileId, accountId: caller.account.id })
        return stored
      })
    },
  }
}

/** The sections of profiles for types of agents. */
export type SmartSectionService = ReturnType<typeof createSmartSectionService>
