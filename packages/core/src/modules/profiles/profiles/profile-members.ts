import { PROFILE_SECTIONS } from '../../../framework/module/profile-part.ts'
import { dashboardSchema } from './dashboard-schemas.ts'
import { profileRecord } from './schemas.ts'

/**
 * The members and sections that documents and dashboards of profiles have themselves. Parts of hosts' modules must have other keys, or
 * they would replace them.
 */
export const PROFILE_MEMBERS: readonly string[] = [
  ...Object.keys(profileRecord.shape),
  ...Object.keys(dashboardSchema.shape.profiles.element.shape),
  ...PROFILE_SECTIONS,
]
