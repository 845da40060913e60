import type { FeedAttachment, FeedMention, FeedPost, FeedQuery, Page, PageRequest, ProfileType } from '@eep/core/ports'
import { toPage } from '@eep/core/ports'
import { sql } from 'kysely'
import { toDate, toNumberOrNull } from '../rows.ts'
import { countOf, type FeedDb, keysOf } from './feed-lists.ts'
import { isListed } from './listed-profiles.ts'

/** A page of a list. Its keys, its posts and its length are read by one statement. */
export async function listPosts(db: FeedDb, query: FeedQuery, request: PageRequest): Promise<Page<FeedPost>> {
  const counted = countOf(db, query)
  // The CTE adds a table to the type of the connection, which `postRows` does not read.
  const rows = await postRows(db.with('chosen', () => keysOf(db, query, request)) as unknown as FeedDb)
    .innerJoin(sql<{ id: number }>`chosen`.as<'chosen'>(sql`chosen`), 'chosen.id', 'feed_posts.id')
    .select(counted.as('total'))
    .orderBy('feed_posts.created_at', 'desc')
    .orderBy('feed_posts.id', 'desc')
    .execute()
  const total = rows[0]?.total ?? (request.cursor === undefined ? 0 : (await counted.executeTakeFirstOrThrow()).count)
  return toPage(rows.map(toPost), request, Number(total), ({ createdAt, id }) => [createdAt.getTime(), id])
}

export async function getPost(db: FeedDb, id: number): Promise<FeedPost | undefined> {
  const row = await postRows(db).where('feed_posts.id', '=', id).executeTakeFirst()
  return row && toPost(row)
}

/** Selects the attached files of the author that still exist. */
const attachmentsOf = (db: FeedDb) =>
  db
    .selectFrom('files')
    .select(
      sql<FeedAttachment[]>`coalesce(json_agg(json_build_object(
        'id', files.id, 'filename', files.filename, 'contentType', files.content_type, 'size', files.size
      ) order by array_position(feed_posts.attachments, files.id)), '[]')`.as('attached'),
    )
    .where('files.id', '=', sql<number>`any (feed_posts.attachments)`)
    .where('files.profile_id', '=', sql<number>`feed_posts.profile_id`)
    .where('files.state', '=', 'stored')

/** Selects mentions of profiles that are visible in listings. */
const mentionsOf = (db: FeedDb) =>
  db
    .selectFrom('feed_mentions')
    .innerJoin('profiles', 'profiles.id', 'feed_mentions.profile_id')
    .innerJoin('accounts', 'accounts.id', 'profiles.owner_account_id')
    .select(
      sql<FeedMention[]>`coalesce(json_agg(json_build_object(
        'start', feed_mentions.start,
        'profile', json_build_object('id', profiles.id, 'type', profiles.type, 'username', profiles.username)
      ) order by feed_mentions.start), '[]')`.as('mentioned'),
    )
    .where('feed_mentions.post_id', '=', sql<number>`feed_posts.id`)
    .where(isListed)

const postRows = (db: FeedDb) =>
  db
    .selectFrom('feed_posts')
    .innerJoin('profiles', 'profiles.id', 'feed_posts.profile_id')
    .innerJoin('accounts', 'accounts.id', 'profiles.owner_account_id')
    .leftJoin('gates', (join) =>
      join
        .onRef('gates.profile_id', '=', 'profiles.id')
        .on(sql<boolean>`(profiles.avatar_url is not null or feed_posts.attachments <> '{}')`),
    )
    .select(['feed_posts.id', 'feed_posts.body', 'feed_posts.reply_to', 'feed_posts.created_at'])
    .select(['feed_posts.likes', 'feed_posts.replies', 'gates.config', isListed.as('is_listed')])
    .select(['profiles.id as profile_id', 'profiles.type', 'profiles.username', 'profiles.full_name'])
    .select(['profiles.avatar_url', 'profiles.visibility'])
    .select([attachmentsOf(db).as('attached'), mentionsOf(db).as('mentioned')])
    .where('feed_posts.hidden_at', 'is', null)

type PostRow = Awaited<ReturnType<ReturnType<typeof postRows>['executeTakeFirstOrThrow']>>

const toPost = (row: PostRow): FeedPost => ({
  id: Number(row.id),
  profile: {
    id: Number(row.profile_id),
    type: row.type as ProfileType,
    username: row.username,
    fullName: row.full_name,
    avatarUrl: row.avatar_url,
    visibility: row.visibility,
    gates: row.config,
  },
  body: row.body,
  replyTo: toNumberOrNull(row.reply_to),
  attachments: row.attached ?? [],
  mentions: row.mentioned ?? [],
  createdAt: toDate(row.created_at),
  counts: { likes: Number(row.likes), replies: Number(row.replies) },
  isListed: row.is_listed,
})
