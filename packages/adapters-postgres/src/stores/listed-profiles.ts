import { type Expression, sql } from 'kysely'
import type { Db } from '../database.ts'

/** Whether a profile is not withdrawn and its owner is not banned. Requires the tables `profiles` and `accounts` in the query. */
export const isActive = sql<boolean>`(profiles.withdrawn_at is null and accounts.banned_at is null)`

/** The rule `isVisible(profile, 'lists')`, and that the owner is not banned. Requires the tables as {@link isActive}. */
export const isListed = sql<boolean>`(profiles.visibility = 'public' and ${isActive})`

/**
 * The rule `isVisible(profile, 'address', role)` for an account: a private profile is visible to its team only. Requires the table
 * `profiles` in the query.
 */
export const isVisibleTo = (db: Pick<Db, 'selectFrom'>, accountId: Expression<string | null>) => sql<boolean>`(
  profiles.withdrawn_at is null and (
    profiles.visibility <> 'private' or profiles.owner_account_id = ${accountId} or exists (${db
      .selectFrom('members')
      .select('members.role')
      .where('members.profile_id', '=', sql<number>`profiles.id`)
      .where('members.account_id', '=', accountId)})
  )
)`
