import type { DeletedPost, FeedCounts, FeedStore, ImportedPost, InsertedPost, NewFeedPost } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { holdExisting, isOfProfiles, isUuid, keepAccount, toDate, toNumberOrNull } from '../rows.ts'
import type { FeedDb, FeedTables } from './feed-lists.ts'
import { lockPosts, lockPostsOf } from './feed-locks.ts'
import { getPost, listPosts } from './feed-posts.ts'

export function feed(database: Db): FeedStore {
  const db: FeedDb = database.withTables<FeedTables>()
  return {
    get: (id) => getPost(db, id),
    async getAuthorId(id) {
      const post = await db.selectFrom('feed_posts').select('profile_id').where('id', '=', id).executeTakeFirst()
      return post && Number(post.profile_id)
    },
    list: (query, request) => listPosts(db, query, request),

    listLikes(accountId, request, postIds) {
      const own = db.selectFrom('feed_likes').where('account_id', '=', isUuid(accountId) ? accountId : null)
      const all = postIds ? own.where(sql<boolean>`post_id = any(${`{${postIds.join()}}`}::text::bigint[])`) : own
      const counted = all.select((query) => query.fn.countAll<string>().as('count'))
      return listPage(all.select(['post_id', 'created_at', counted.as('total')]), request, {
        order: [asc('post_id', 'number')],
        item: ({ post_id, created_at }) => ({ postId: Number(post_id), createdAt: toDate(created_at) }),
        key: ({ postId }) => [postId],
        counted,
      })
    },

    hold: (profileIds, accountId) => holdExisting(database, profileIds, isUuid(accountId) ? [accountId] : []),
    insert: (post) => insert(database, post),
    insertAll: (posts, author) => insertAll(database, posts, author),

    async countOfAccount(accountId) {
      if (!isUuid(accountId)) return 0
      const { count } = await db
        .selectFrom('feed_posts')
        .innerJoin('profiles', 'profiles.id', 'feed_posts.profile_id')
        .select((query) => query.fn.countAll<string>().as('count'))
        .where('profiles.owner_account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async isPostingClosed(accountId) {
      if (!isUuid(accountId)) return false
      const closed = db.selectFrom('feed_closed_accounts').select('closed_at').where('account_id', '=', accountId)
      return (await closed.executeTakeFirst()) !== undefined
    },

    async setPostingClosed(accountId, closedAt) {
      if (!(await keepAccount(database, accountId))) return undefined
      if (closedAt === null) {
        const opened = db.deleteFrom('feed_closed_accounts').where('account_id', '=', accountId)
        return (await opened.executeTakeFirst()).numDeletedRows > 0n
      }
      const closed = await db
        .insertInto('feed_closed_accounts')
        .values({ account_id: accountId, closed_at: closedAt })
        .onConflict((conflict) => conflict.doNothing())
        .returning('account_id')
        .executeTakeFirst()
      return closed !== undefined
    },

    async setHidden(id, hiddenAt) {
      await lockPosts(db, [id, await replyTargetOf(db, id)])
      const post = await db
        .selectFrom('feed_posts')
        .select(['profile_id', 'reply_to', 'hidden_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!post) return undefined
      const profileId = Number(post.profile_id)
      if ((post.hidden_at === null) === (hiddenAt === null)) return { profileId, isChanged: false }
      await db.updateTable('feed_posts').set({ hidden_at: hiddenAt }).where('id', '=', id).execute()
      if (post.reply_to !== null) {
        await db
          .updateTable('feed_posts')
          .set({ replies: sql<number>`replies + ${hiddenAt === null ? 1 : -1}::integer` })
          .where('id', '=', Number(post.reply_to))
          .execute()
      }
      return { profileId, isChanged: true }
    },

    async delete(id): Promise<DeletedPost | undefined> {
      await lockPosts(db, [id, await replyTargetOf(db, id)])
      const row = await db
        .deleteFrom('feed_posts')
        .where('id', '=', id)
        .returning(['profile_id', 'hidden_at'])
        .executeTakeFirst()
      return row && { profileId: Number(row.profile_id), wasHidden: row.hidden_at !== null }
    },

    async like({ postId, accountId, at }) {
      // In this order to avoid a deadlock with a purge, which locks the account before the counts.
      if (!(await keepAccount(database, accountId)) || !(await holdPost(db, postId))) return undefined
      const made = await db
        .insertInto('feed_likes')
        .values({ post_id: postId, account_id: accountId, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('post_id')
        .executeTakeFirst()
      return { ...(await addLikes(db, postId, made ? 1 : 0)), isNew: made !== undefined }
    },

    async unlike(postId, accountId) {
      if (!(await holdPost(db, postId))) return undefined
      if (!isUuid(accountId)) return addLikes(db, postId, 0)
      const { numDeletedRows } = await db
        .deleteFrom('feed_likes')
        .where('post_id', '=', postId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return addLikes(db, postId, -Number(numDeletedRows))
    },

    async eraseAccount({ id, profileIds }) {
      await lockPostsOf(database, profileIds, id)
      await leavePostsOfOthers(db, id, profileIds)
      // Hidden posts do not count as replies, so the trigger that counts them changes nothing when the profiles are deleted.
      await db
        .updateTable('feed_posts')
        .set({ hidden_at: sql<Date>`now()` })
        .where(isOfProfiles(profileIds))
        .where('hidden_at', 'is', null)
        .execute()
    },
  }
}

/**
 * Removes an account and its profiles from posts of others: their likes, their replies, and the account as the writer. It
 * changes each post once, because PostgreSQL locks what a row references when one transaction changes the row again, and
 * purges that lock the accounts of each other would deadlock.
 */
async function leavePostsOfOthers(db: FeedDb, accountId: string, profileIds: readonly number[]): Promise<void> {
  const isLost = sql`id in (select id from unliked) or id in (select id from unanswered) or account_id = ${accountId}::uuid`
  await db
    .with('unliked', (cte) =>
      cte.deleteFrom('feed_likes').where('account_id', '=', accountId).returning(sql<number>`post_id`.as('id')),
    )
    .with('unanswered', (cte) =>
      cte
        .selectFrom('feed_posts')
        .select([sql<number>`reply_to`.as('id'), sql<number>`count(*)`.as('count')])
        .where(isOfProfiles(profileIds))
        .where('hidden_at', 'is', null)
        .where('reply_to', 'is not', null)
        .groupBy('reply_to'),
    )
    .updateTable('feed_posts')
    .set({
      likes: sql<number>`likes - (select count(*) from unliked where unliked.id = feed_posts.id)`,
      replies: sql<number>`replies - coalesce((select count from unanswered where unanswered.id = feed_posts.id), 0)`,
      account_id: sql<string | null>`nullif(account_id, ${accountId}::uuid)`,
    })
    .where(sql<boolean>`(${isLost})`)
    .where(({ not }) => not(isOfProfiles(profileIds)))
    .execute()
}

/** Deletes at most `limit` likes of an account, and corrects the counts of the posts. Returns how many. */
export async function eraseLikes(database: Db, accountId: string, limit: number): Promise<number> {
  const db: FeedDb = database.withTables<FeedTables>()
  const liked = await db
    .selectFrom('feed_likes')
    .select('post_id')
    .where('account_id', '=', accountId)
    .limit(limit)
    .execute()
  if (liked.length === 0) return 0
  const ids = liked.map((like) => Number(like.post_id))
  await lockPosts(db, ids)
  await db
    .with('unliked', (cte) =>
      cte
        .deleteFrom('feed_likes')
        .where('account_id', '=', accountId)
        .where(isOfProfiles(ids, 'post_id'))
        .returning(sql<number>`post_id`.as('id')),
    )
    .updateTable('feed_posts')
    .set({ likes: sql<number>`likes - 1` })
    .where('id', 'in', (from) => from.selectFrom('unliked').select('unliked.id'))
    .execute()
  return liked.length
}

/** Returns the post that a post replies to, which never changes. */
async function replyTargetOf(db: FeedDb, id: number): Promise<number | null> {
  const post = await db.selectFrom('feed_posts').select('reply_to').where('id', '=', id).executeTakeFirst()
  return post ? toNumberOrNull(post.reply_to) : null
}

/** Locks a visible post until the transaction ends. Returns false when there is none. */
async function holdPost(db: FeedDb, id: number): Promise<boolean> {
  const post = await db
    .selectFrom('feed_posts')
    .select('id')
    .where('id', '=', id)
    .where('hidden_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return post !== undefined
}

/** Changes the number of likes of a locked post, and returns its counts. */
async function addLikes(db: FeedDb, id: number, by: -1 | 0 | 1 | number): Promise<FeedCounts> {
  const row = await db
    .updateTable('feed_posts')
    .set({ likes: sql<number>`likes + ${by}::integer` })
    .where('id', '=', id)
    .returning(['likes', 'replies'])
    .executeTakeFirstOrThrow()
  return { likes: Number(row.likes), replies: Number(row.replies) }
}

async function insert(database: Db, post: NewFeedPost): Promise<InsertedPost> {
  const db: FeedDb = database.withTables<FeedTables>()
  const { profileId, accountId } = post
  const mentioned = post.mentions.map((mention) => mention.profileId)
  const existing = new Set(
    await holdExisting(database, [profileId, ...mentioned], isUuid(accountId) ? [accountId] : []),
  )
  if (!existing.has(profileId) || !(await keepAccount(database, accountId))) return { outcome: 'author_gone' }
  if (post.replyTo !== null) {
    if (!(await holdPost(db, post.replyTo))) return { outcome: 'reply_target_gone' }
    await db
      .updateTable('feed_posts')
      .set({ replies: sql<number>`replies + 1` })
      .where('id', '=', post.replyTo)
      .execute()
  }
  const { id } = await db
    .insertInto('feed_posts')
    .values({
      profile_id: post.profileId,
      account_id: post.accountId,
      body: post.body,
      reply_to: post.replyTo,
      attachments: sql<number[]>`${`{${post.attachments.join()}}`}::text::bigint[]`,
      created_at: post.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const postId = Number(id)
  if (post.hashtags.length > 0) {
    await db
      .insertInto('feed_hashtags')
      .values(post.hashtags.map((hashtag) => ({ hashtag, created_at: post.createdAt, post_id: postId })))
      .execute()
  }
  const mentions = post.mentions
    .filter((mention) => existing.has(mention.profileId))
    .map((mention) => ({ post_id: postId, start: mention.start, profile_id: mention.profileId }))
  if (mentions.length > 0) await db.insertInto('feed_mentions').values(mentions).execute()
  return { outcome: 'inserted', id: postId }
}

async function insertAll(
  database: Db,
  posts: readonly ImportedPost[],
  { profileId, accountId }: { readonly profileId: number; readonly accountId: string },
): Promise<readonly number[] | undefined> {
  const db: FeedDb = database.withTables<FeedTables>()
  const existing = await holdExisting(database, [profileId], isUuid(accountId) ? [accountId] : [])
  if (existing.length === 0 || !(await keepAccount(database, accountId))) return undefined
  if (posts.length === 0) return []
  const rows = await db
    .insertInto('feed_posts')
    .values(
      posts.map((post) => ({
        profile_id: profileId,
        account_id: accountId,
        body: post.body,
        reply_to: post.replyTo !== null && 'id' in post.replyTo ? post.replyTo.id : null,
        attachments: sql<number[]>`${`{${post.attachments.join()}}`}::text::bigint[]`,
        created_at: post.createdAt,
      })),
    )
    .returning('id')
    .execute()
  // Ids are assigned in the order of the values.
  const ids = rows.map(({ id }) => Number(id)).sort((left, right) => left - right)
  const targetOf = ({ replyTo }: ImportedPost) =>
    replyTo && ('id' in replyTo ? replyTo.id : (ids[replyTo.index] ?? null))
  const within = posts.flatMap((post, index) =>
    post.replyTo !== null && 'index' in post.replyTo ? [{ id: ids[index], target: targetOf(post) }] : [],
  )
  if (within.length > 0) {
    const [replies, targets] = [within.map(({ id }) => id), within.map(({ target }) => target)]
    await db
      .updateTable('feed_posts')
      .from(
        sql<{
          reply: number
          target: number
        }>`unnest(${`{${replies.join()}}`}::text::bigint[], ${`{${targets.join()}}`}::text::bigint[])`.as<'answers'>(
          sql`answers (reply, target)`,
        ),
      )
      .set({ reply_to: sql<number>`answers.target` })
      .where(sql<boolean>`feed_posts.id = answers.reply`)
      .execute()
  }
  const answered = Map.groupBy(
    posts.map(targetOf).filter((id) => id !== null),
    (id) => id,
  )
  if (answered.size > 0) {
    const counts = [...answered].sort(([left], [right]) => left - right)
    await lockPosts(db, [...answered.keys()])
    await db
      .updateTable('feed_posts')
      .from(
        sql<{
          post: number
          count: number
        }>`unnest(${`{${counts.map(([id]) => id).join()}}`}::text::bigint[], ${`{${counts.map(([, all]) => all.length).join()}}`}::text::bigint[])`.as<'counts'>(
          sql`counts (post, count)`,
        ),
      )
      .set({ replies: sql<number>`replies + counts.count` })
      .where(sql<boolean>`feed_posts.id = counts.post`)
      .where('profile_id', '=', profileId)
      .execute()
  }
  const hashtags = posts.flatMap((post, index) =>
    post.hashtags.map((hashtag) => ({ hashtag, created_at: post.createdAt, post_id: ids[index] ?? 0 })),
  )
  for (let from = 0; from < hashtags.length; from += HASHTAGS_AT_ONCE) {
    await db
      .insertInto('feed_hashtags')
      .values(hashtags.slice(from, from + HASHTAGS_AT_ONCE))
      .execute()
  }
  return ids
}

/** A statement has at most 65,535 parameters. */
const HASHTAGS_AT_ONCE = 1_000
