import { decodeCursor, type FeedQuery, MAX_COUNTED_POSTS, type PageRequest } from '@eep/core/ports'
import { type AliasedExpression, type ColumnType, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Bigint, BigintId, BigintOrNull } from '../columns.ts'
import type { Database } from '../database.ts'
import { moment, wholeNumber } from '../rows.ts'
import { isListed } from './listed-profiles.ts'

/** The tables of this group, and that of connections. */
export type FeedTables = {
  feed_posts: {
    id: BigintId
    profile_id: Bigint
    account_id: string | null
    body: string
    reply_to: BigintOrNull
    attachments: ColumnType<never, RawBuilder<number[]>, never>
    created_at: Date
    hidden_at: ColumnType<Date | null, never, Date | null>
    likes: ColumnType<number | string, never, number>
    replies: ColumnType<number | string, never, number>
  }
  feed_hashtags: { hashtag: string; created_at: Date; post_id: Bigint }
  feed_mentions: { post_id: Bigint; start: number; profile_id: Bigint }
  feed_likes: { post_id: Bigint; account_id: string; created_at: Date }
  feed_closed_accounts: { account_id: string; closed_at: Date }
  connections: { follower_profile_id: Bigint; followee_profile_id: Bigint; created_at: Date }
}

export type FeedDb = Kysely<Database & FeedTables>

/**
 * Finds the profile of a row if it is visible in listings. `limit` keeps the planner from joining all profiles: posts are read in the
 * order of an index until the page is full.
 */
const listedProfile = (db: FeedDb, profileId: RawBuilder<number>) =>
  db
    .selectFrom('profiles')
    .innerJoin('accounts', 'accounts.id', 'profiles.owner_account_id')
    .select('profiles.id as listed_id')
    .where('profiles.id', '=', profileId)
    .where(isListed)
    .limit(1)
    .as('listed')

const ofPost = sql<number>`feed_posts.profile_id`
const ofConnection = sql<number>`connections.followee_profile_id`

/** Whether a row comes after the one in the cursor. */
function isAfter({ cursor }: PageRequest, key: RawBuilder<unknown>): RawBuilder<boolean> {
  if (cursor === undefined) return sql`true`
  const [at, id] = decodeCursor(cursor, ['number', 'number'])
  return sql`${key} < (${moment(at)}::timestamptz, ${wholeNumber(id)}::bigint)`
}

const keyOfPost = sql`(feed_posts.created_at, feed_posts.id)`
const keyOfHashtag = sql`(feed_hashtags.created_at, feed_hashtags.post_id)`

const shownPosts = (db: FeedDb) => db.selectFrom('feed_posts').where('feed_posts.hidden_at', 'is', null)

const listedPosts = (db: FeedDb) =>
  shownPosts(db).innerJoinLateral(
    () => listedProfile(db, ofPost),
    (join) => join.onTrue(),
  )

const listedHashtags = (db: FeedDb, hashtag: string) =>
  db
    .selectFrom('feed_hashtags')
    .innerJoinLateral(
      () =>
        shownPosts(db)
          .select('feed_posts.profile_id')
          .where('feed_posts.id', '=', sql<number>`feed_hashtags.post_id`)
          .limit(1)
          .as('post'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      () => listedProfile(db, sql<number>`post.profile_id`),
      (join) => join.onTrue(),
    )
    .where('feed_hashtags.hashtag', '=', hashtag)

/** The number of newest posts of everyone to search for those of followed profiles. */
const RECENT = 1_000

/**
 * The newest posts of the profiles that one follows, in one statement that does the first of these that fills the page:
 *
 * 1. Look through the newest posts of everyone. This is enough for followers of the profiles that post most.
 * 2. Find the latest post of each followed profile. Only the profiles whose latest posts are the newest can have a post on
 * the page, so the number of profiles whose posts are read is at most the size of the page. A profile costs one index
 * lookup, however many posts it has.
 */
function followedPosts(db: FeedDb, profileId: number, request: PageRequest) {
  const limit = request.limit + 1
  const found = sql<number>`(select count(*) from recent)`
  return db
    .with(
      (name) => name('recent').materialized(),
      () => recentOfFollowed(db, profileId, request),
    )
    .selectFrom('recent')
    .select(['recent.id', 'recent.created_at'])
    .where(sql<boolean>`${found} >= ${limit}`)
    .unionAll(
      db
        .selectFrom(latestOfFollowed(db, profileId, request).as('latest'))
        .select(['latest.id', 'latest.created_at'])
        .where(sql<boolean>`${found} < ${limit}`),
    )
}

function recentOfFollowed(db: FeedDb, profileId: number, request: PageRequest) {
  const newest = shownPosts(db)
    .select(['feed_posts.id', 'feed_posts.created_at', 'feed_posts.profile_id'])
    .where(isAfter(request, keyOfPost))
    .orderBy('feed_posts.created_at', 'desc')
    .orderBy('feed_posts.id', 'desc')
    .limit(RECENT)
  return db
    .selectFrom(newest.as('newest'))
    .innerJoin('connections', 'connections.followee_profile_id', 'newest.profile_id')
    .innerJoinLateral(
      () => listedProfile(db, sql<number>`newest.profile_id`),
      (join) => join.onTrue(),
    )
    .select(['newest.id', 'newest.created_at'])
    .where('connections.follower_profile_id', '=', profileId)
    .orderBy('newest.created_at', 'desc')
    .orderBy('newest.id', 'desc')
    .limit(request.limit + 1)
}

function latestOfFollowed(db: FeedDb, profileId: number, request: PageRequest) {
  const limit = request.limit + 1
  const newest = (ofProfile: RawBuilder<number>, count: number) =>
    shownPosts(db)
      .select(['feed_posts.id', 'feed_posts.created_at'])
      .where('feed_posts.profile_id', '=', ofProfile)
      .where(isAfter(request, keyOfPost))
      .orderBy('feed_posts.created_at', 'desc')
      .orderBy('feed_posts.id', 'desc')
      .limit(count)
  const latest = db
    .selectFrom('connections')
    .innerJoinLateral(
      () => newest(ofConnection, 1).as('post'),
      (join) => join.onTrue(),
    )
    .select(['connections.followee_profile_id as profile_id', 'post.id', 'post.created_at'])
    .where('connections.follower_profile_id', '=', profileId)
    .orderBy('post.created_at', 'desc')
    .orderBy('post.id', 'desc')
  const foremost = db
    .selectFrom(latest.as('latest'))
    .innerJoinLateral(
      () => listedProfile(db, sql<number>`latest.profile_id`),
      (join) => join.onTrue(),
    )
    .select('latest.profile_id')
    .orderBy('latest.created_at', 'desc')
    .orderBy('latest.id', 'desc')
    .limit(limit)
  return db
    .selectFrom(foremost.as('foremost'))
    .innerJoinLateral(
      () => newest(sql<number>`foremost.profile_id`, limit).as('post'),
      (join) => join.onTrue(),
    )
    .select(['post.id', 'post.created_at'])
    .orderBy('post.created_at', 'desc')
    .orderBy('post.id', 'desc')
    .limit(limit)
}

/** Selects the keys of the posts of a page, and of one more. */
export function keysOf(db: FeedDb, query: FeedQuery, request: PageRequest) {
  const limit = request.limit + 1
  if (query.of === 'following') return followedPosts(db, query.profileId, request)
  if (query.of === 'hashtag') {
    return listedHashtags(db, query.hashtag)
      .select(['feed_hashtags.post_id as id', 'feed_hashtags.created_at'])
      .where(isAfter(request, keyOfHashtag))
      .orderBy('feed_hashtags.created_at', 'desc')
      .orderBy('feed_hashtags.post_id', 'desc')
      .limit(limit)
  }
  return postsOf(db, query)
    .select(['feed_posts.id', 'feed_posts.created_at'])
    .where(isAfter(request, keyOfPost))
    .orderBy('feed_posts.created_at', 'desc')
    .orderBy('feed_posts.id', 'desc')
    .limit(limit)
}

type PostQuery = Exclude<FeedQuery, { readonly of: 'following' | 'hashtag' }>

function postsOf(db: FeedDb, query: PostQuery) {
  switch (query.of) {
    case 'everyone':
      return listedPosts(db)
    case 'profile':
      return (query.listed ? listedPosts(db) : shownPosts(db)).where('feed_posts.profile_id', '=', query.profileId)
    case 'replies':
      return listedPosts(db).where('feed_posts.reply_to', '=', query.postId)
  }
}

/** Counts the posts of a list, up to {@link MAX_COUNTED_POSTS}. */
export const countOf = (db: FeedDb, query: FeedQuery) =>
  db.selectFrom(firstPosts(db, query)).select((post) => post.fn.countAll<string>().as('count'))

/** Selects at most as many rows as are counted. */
function firstPosts(db: FeedDb, query: FeedQuery): AliasedExpression<{ readonly one: number }, 'counted'> {
  const one = sql<number>`1`.as('one')
  switch (query.of) {
    case 'following':
      return db
        .selectFrom('connections')
        .innerJoinLateral(
          () => listedProfile(db, ofConnection),
          (join) => join.onTrue(),
        )
        .innerJoinLateral(
          () =>
            shownPosts(db)
              .select(one)
              .where('feed_posts.profile_id', '=', ofConnection)
              .limit(MAX_COUNTED_POSTS)
              .as('post'),
          (join) => join.onTrue(),
        )
        .select(one)
        .where('connections.follower_profile_id', '=', query.profileId)
        .limit(MAX_COUNTED_POSTS)
        .as('counted')
    case 'hashtag':
      return listedHashtags(db, query.hashtag).select(one).limit(MAX_COUNTED_POSTS).as('counted')
    default:
      return postsOf(db, query).select(one).limit(MAX_COUNTED_POSTS).as('counted')
  }
}
