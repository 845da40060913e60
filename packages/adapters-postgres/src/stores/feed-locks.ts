import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isOfProfiles, isUuid } from '../rows.ts'
import type { FeedDb, FeedTables } from './feed-lists.ts'

/** Locks posts by id, which is the order of all transactions that lock several. */
export async function lockPosts(db: FeedDb, ids: readonly (number | null)[]): Promise<void> {
  const wanted = ids.filter((id) => id !== null)
  await db.selectFrom('feed_posts').select('id').where('id', 'in', wanted).orderBy('id').forUpdate().execute()
}

/**
 * Locks all posts that the deletion of profiles, or of an account, deletes or changes: their own, those that these reply to,
 * those that mention the profiles, and those that the account wrote or likes.
 */
export async function lockPostsOf(
  database: Db,
  profileIds: readonly number[],
  accountId?: string | undefined,
): Promise<void> {
  const db: FeedDb = database.withTables<FeedTables>()
  const own = db.selectFrom('feed_posts').where(isOfProfiles(profileIds, 'feed_posts.profile_id'))
  const account = sql<string>`${accountId !== undefined && isUuid(accountId) ? accountId : null}::uuid`
  await db
    .selectFrom('feed_posts')
    .select('id')
    .where('id', 'in', () =>
      own
        .select(sql<number>`feed_posts.id`.as('id'))
        .union(own.select(sql<number>`feed_posts.reply_to`.as('id')).where('reply_to', 'is not', null))
        .union(
          db
            .selectFrom('feed_mentions')
            .select(sql<number>`feed_mentions.post_id`.as('id'))
            .where(isOfProfiles(profileIds, 'feed_mentions.profile_id')),
        )
        .union(
          db
            .selectFrom('feed_posts')
            .select(sql<number>`feed_posts.id`.as('id'))
            .where(sql<boolean>`feed_posts.account_id = ${account}`),
        )
        .union(
          db
            .selectFrom('feed_likes')
            .select(sql<number>`feed_likes.post_id`.as('id'))
            .where(sql<boolean>`feed_likes.account_id = ${account}`),
        ),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}
