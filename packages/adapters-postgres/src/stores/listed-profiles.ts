import { type Expression, type Kysely, sql } from 'kysely'
import type { Bigint, BigintId } from '../columns.ts'
import type { Database, Db } from '../database.ts'

/** What this file reads of posts. */
type PostTables = { feed_posts: { id: BigintId; profile_id: Bigint; hidden_at: Date | null } }

/** Whether a profile is not withdrawn and its owner is not banned. Requires the tables `profiles` and `accounts` in the query. */
export const isActive = sql<boolean>`(profiles.withdrawn_at is null and accounts.banned_at is null)`

/** The rule `isVisible(profile, 'lists')`, and that the owner is not banned. Requires the tables as {@link isActive}. */
export const isListed = sql<boolean>`(profiles.visibility = 'public' and ${isActive})`

/**
 * Whether a profile has a bio, a published page or a post, so that lists of profiles hold it. Requires the table `profiles`. With `exists`
 * instead of `limit 1`, the planner may hash all pages and posts for a list of a few profiles.
 */
export const hasContent = (db: Pick<Db, 'selectFrom'>) => sql<boolean>`(
  coalesce(profiles.bio, '') ~ '\\S'
  or (${db
    .selectFrom('pages')
    .select('pages.id')
    .where('pages.profile_id', '=', sql<number>`profiles.id`)
    .where('pages.status', '=', 'published')
    .limit(1)}) is not null
  or (${(db as Pick<Kysely<Database & PostTables>, 'selectFrom'>)
    .selectFrom('feed_posts')
    .select('feed_posts.id')
    .where('feed_posts.profile_id', '=', sql<number>`profiles.id`)
    .where('feed_posts.hidden_at', 'is', null)
    .limit(1)}) is not null
)`

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
