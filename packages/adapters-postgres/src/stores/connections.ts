import {
  type Connection,
  type ConnectionSide,
  type ConnectionStore,
  decodeCursor,
  type PageRequest,
} from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { moment, toCountedPage, toDate, wholeNumber } from '../rows.ts'

export function connections(db: Db): ConnectionStore {
  return {
    async relationOf(visitorIds, profileId) {
      if (visitorIds.length === 0) return { follower: false, following: false }
      const visitors = sql<number[]>`${`{${visitorIds.join()}}`}::text::bigint[]`
      // Only what begins or ends at the profile: both halves are reads of the primary key.
      const rows = await shown(db)
        .select(sql<boolean>`connections.followee_profile_id = ${profileId}::bigint`.as('follows'))
        .where((where) =>
          where.or([
            where.and([
              where('connections.follower_profile_id', '=', sql<number>`any(${visitors})`),
              where('connections.followee_profile_id', '=', profileId),
            ]),
            where.and([
              where('connections.follower_profile_id', '=', profileId),
              where('connections.followee_profile_id', '=', sql<number>`any(${visitors})`),
            ]),
          ]),
        )
        .distinct()
        .execute()
      return { follower: rows.some((row) => row.follows), following: rows.some((row) => !row.follows) }
    },

    list: (profileId, side, request) => list(db, profileId, side, request),

    async follow({ followerProfileId, followeeProfileId, createdAt }) {
      // Whoever removes one of them at this moment waits for us, or is waited for and leaves nothing to follow.
      const ends = await db
        .selectFrom('profiles')
        .select('id')
        .where('id', 'in', [followerProfileId, followeeProfileId])
        .orderBy('id')
        .forKeyShare()
        .execute()
      if (ends.length < 2) return undefined
      const row = await db
        .insertInto('connections')
        .values({
          follower_profile_id: followerProfileId,
          followee_profile_id: followeeProfileId,
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('created_at')
        .executeTakeFirst()
      return row !== undefined
    },

    async unfollow(followerProfileId, followeeProfileId) {
      const { numDeletedRows } = await db
        .deleteFrom('connections')
        .where('follower_profile_id', '=', followerProfileId)
        .where('followee_profile_id', '=', followeeProfileId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

/** Connections of which neither end is withdrawn. */
const shown = (db: Db) =>
  db
    .selectFrom('connections')
    .innerJoin('profiles as follower', 'follower.id', 'connections.follower_profile_id')
    .innerJoin('profiles as followee', 'followee.id', 'connections.followee_profile_id')
    .where('follower.withdrawn_at', 'is', null)
    .where('followee.withdrawn_at', 'is', null)

async function list(db: Db, profileId: number, side: ConnectionSide, request: PageRequest) {
  const [own, other] =
    side === 'followers'
      ? (['followee_profile_id', 'follower_profile_id'] as const)
      : (['follower_profile_id', 'followee_profile_id'] as const)
  const theirs = db
    .selectFrom('connections')
    .innerJoin('profiles', 'profiles.id', `connections.${other}`)
    .where(`connections.${own}`, '=', profileId)
    .where('profiles.withdrawn_at', 'is', null)
    .where('profiles.visibility', '!=', 'private')
  const counted = theirs.select((query) => query.fn.countAll<string>().as('count'))
  let query = theirs
    .select(['connections.created_at', 'profiles.id', 'profiles.type', 'profiles.username'])
    .select(['profiles.full_name', 'profiles.avatar_url', 'profiles.visibility'])
    .select(counted.as('total'))
  if (request.cursor !== undefined) {
    const key = decodeCursor(request.cursor, ['number', 'number'])
    const [createdAt, id] = [moment(key[0]), wholeNumber(key[1])]
    query = query.where((where) =>
      where(where.refTuple('connections.created_at', `connections.${other}`), '<', where.tuple(createdAt, id)),
    )
  }
  const rows = await query
    .orderBy('connections.created_at', 'desc')
    .orderBy(`connections.${other}`, 'desc')
    .limit(request.limit + 1)
    .execute()
  return toCountedPage(rows, request, {
    item: (row): Connection => ({
      createdAt: toDate(row.created_at),
      profile: {
        id: Number(row.id),
        type: row.type,
        username: row.username,
        fullName: row.full_name,
        avatarUrl: row.avatar_url,
        visibility: row.visibility,
      },
    }),
    key: ({ createdAt, profile }) => [createdAt.getTime(), profile.id],
    count: async () => (await counted.executeTakeFirstOrThrow()).count,
  })
}
