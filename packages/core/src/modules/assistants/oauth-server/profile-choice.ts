import type { ProfileOfAccount } from '../../../ports/storage/teams.ts'

/** The choice of all profiles of the account, in forms. */
export const ALL_PROFILES = 'all'

/** The profiles of an account that its apps reach. */
export const withinReach = (profiles: readonly ProfileOfAccount[]): readonly ProfileOfAccount[] =>
  profiles.filter(({ profile, role }) => role === 'owner' || profile.apps === 'allowed')
