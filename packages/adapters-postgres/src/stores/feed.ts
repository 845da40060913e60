import type { DeletedPost, FeedCounts, FeedStore, InsertedPost, NewFeedPost } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isUuid, keepAccount } from '../rows.ts'
import type { FeedDb, FeedTables } from './feed-lists.ts'
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
    insert: (post) => insert(db, post),

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
      const post = await db
        .selectFrom('feed_posts')
        .select(['profile_id', 'reply_to', 'hidden_at'])
        .where('id', '=', id)
        .forNoKeyUpdate()
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
      const row = await db
        .deleteFrom('feed_posts')
        .where('id', '=', id)
        .returning(['profile_id', 'hidden_at'])
        .executeTakeFirst()
      return row && { profileId: Number(row.profile_id), wasHidden: row.hidden_at !== null }
    },

    async like({ postId, accountId, at }) {
      // In this order, so that a purge, which holds the account and then takes counts, waits instead of deadlocking.
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

    async eraseAccount({ id }) {
      // The posts stay, so their counts follow.
      await db
        .selectFrom('feed_posts')
        .select('id')
        .where('id', 'in', (liked) => liked.selectFrom('feed_likes').select('post_id').where('account_id', '=', id))
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
      await db
        .with('gone', (cte) => cte.deleteFrom('feed_likes').where('account_id', '=', id).returning('post_id'))
        .updateTable('feed_posts')
        .from('gone')
        .set({ likes: sql<number>`likes - 1` })
        .whereRef('feed_posts.id', '=', 'gone.post_id')
        .execute()
    },
  }
}

/** Locks a post that is not hidden until the transaction ends; false when there is none. */
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

/** Changes how often a post that is locked was liked, and returns its counts. */
async function addLikes(db: FeedDb, id: number, by: -1 | 0 | 1 | number): Promise<FeedCounts> {
  const row = await db
    .updateTable('feed_posts')
    .set({ likes: sql<number>`likes + ${by}::integer` })
    .where('id', '=', id)
    .returning(['likes', 'replies'])
    .executeTakeFirstOrThrow()
  return { likes: Number(row.likes), replies: Number(row.replies) }
}

async function insert(db: FeedDb, post: NewFeedPost): Promise<InsertedPost> {
  const author = await db
    .selectFrom('profiles')
    .innerJoin('accounts', (join) => join.on('accounts.id', '=', isUuid(post.accountId) ? post.accountId : null))
    .select('profiles.id')
    .where('profiles.id', '=', post.profileId)
    .forKeyShare()
    .executeTakeFirst()
  if (!author) return { outcome: 'author_gone' }
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
  await insertMentions(db, postId, post.mentions)
  return { outcome: 'inserted', id: postId }
}

async function insertMentions(db: FeedDb, postId: number, mentions: NewFeedPost['mentions']): Promise<void> {
  if (mentions.length === 0) return
  const mentioned = mentions.map(({ profileId }) => profileId)
  const found = await db
    .selectFrom('profiles')
    .select('id')
    .where('id', 'in', mentioned)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const existing = new Set(found.map(({ id }) => Number(id)))
  const rows = mentions
    .filter(({ profileId }) => existing.has(profileId))
    .map(({ start, profileId }) => ({ post_id: postId, start, profile_id: profileId }))
  if (rows.length > 0) await db.insertInto('feed_mentions').values(rows).execute()
}
