import type { Caller } from '../../../model/caller.ts'
import type { SmartSection, SmartSections } from '../../../ports/storage/smart-sections.ts'

/** The methods of `app.eep.smartSections`. */
export interface SmartSectionsApi {
  /**
   * Replaces the sections of a profile. Without `ifMatch` the last of concurrent calls wins.
   *
   * @param ifMatch - ETags of which the stored sections must have one. Default: any.
   * @throws `sections_version_mismatch` when they have another, `not_profile_owner`, `profile_not_found`
   */
  replace(
    profileId: number,
    sections: readonly SmartSection[],
    caller: Caller,
    ifMatch?: string,
  ): Promise<SmartSections>
  /** Returns all sections of a profile, also those for its team, and their version: 0 when none were ever stored. */
  get(profileId: number): Promise<Pick<SmartSections, 'sections' | 'version'>>
}
