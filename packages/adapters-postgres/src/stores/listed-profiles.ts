import { sql } from 'kysely'

/** Whether a profile is not withdrawn and its owner is not banned. Requires the tables `profiles` and `accounts` in the query. */
export const isActive = sql<boolean>`(profiles.withdrawn_at is null and accounts.banned_at is null)`

/** The rule `isVisible(profile, 'lists')`, and that the owner is not banned. Requires the tables as {@link isActive}. */
export const isListed = sql<boolean>`(profiles.visibility = 'public' and ${isActive})`
