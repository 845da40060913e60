import type { Connection, ConnectionSide, ConnectionStore, PageRequest } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { toDate } from '../rows.ts'

/** The table of this group. Only this file uses it, so it is declared here. */
type ConnectionTables = {
  connections: {
    follower_profile_id: Bigint
    followee_profile_id: Bigint
    created_at: Date
  }
}

type ConnectionDb = Kysely<Database & ConnectionTables>

export function connections(database: Db): ConnectionStore {
  const db: ConnectionDb = database.withTables<ConnectionTables>()
  return {
    async relationOf(visitorIds, profileId) {
      const visitors = sql`unnest(${`{${visitorIds.join()}}`}::text::bigint[]) as visitor (id)`
      // One primary key lookup per visitor, because a profile may have a million followers.
      const connected = (visitorEnd: End, profileEnd: End) =>
        sql<boolean>`exists (select from ${visitors}, lateral (${db
          .selectFrom('connections')
          .innerJoin('profiles', 'profiles.id', `connections.${visitorEnd}`)
          .select('connections.created_at')
          .where(`connections.${visitorEnd}`, '=', sql<number>`visitor.id`)
          .where(`connections.${profileEnd}`, '=', profileId)
          .where('profiles.withdrawn_at', 'is', null)
          .limit(1)}) as found)`
      const row = await db
        .selectFrom('profiles as profile')
        .select(connected('follower_profile_id', 'followee_profile_id').as('follower'))
        .select(connected('followee_profile_id', 'follower_profile_id').as('following'))
        .where('profile.id', '=', profileId)
        .where('profile.withdrawn_at', 'is', null)
        .executeTakeFirst()
      return { follower: row?.follower ?? false, following: row?.following ?? false }
    },

    list: (profileId, side, request) => list(db, profileId, side, request),

    async listFolloweeIds(profileId) {
      const rows = await db
        .selectFrom('connections')
        .select('followee_profile_id')
        .where('follower_profile_id', '=', profileId)
        .execute()
      return rows.map((row) => Number(row.followee_profile_id))
    },

    async follow({ followerProfileId, followeeProfileId, createdAt }) {
      // A concurrent deletion of a profile waits for this, or this waits for it and finds no profile.
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

type End = 'follower_profile_id' | 'followee_profile_id'

async function list(db: ConnectionDb, profileId: number, side: ConnectionSide, request: PageRequest) {
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
  const query = theirs
    .leftJoin('gates', (join) =>
      join.onRef('gates.profile_id', '=', 'profiles.id').on('profiles.avatar_url', 'is not', null),
    )
    .select('gates.config')
    .select(['connections.created_at', 'profiles.id', 'profiles.type', 'profiles.username'])
    .select(['profiles.owner_account_id', 'profiles.full_name', 'profiles.bio', 'profiles.avatar_url'])
    .select(['profiles.skills', 'profiles.socials', 'profiles.visibility'])
    .select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('connections.created_at', 'moment'), desc(`connections.${other}`, 'number')],
    item: (row): Connection => ({
      createdAt: toDate(row.created_at),
      profile: {
        id: Number(row.id),
        ownerAccountId: row.owner_account_id,
        type: row.type,
        username: row.username,
        fullName: row.full_name,
        bio: row.bio,
        avatarUrl: row.avatar_url,
        skills: row.skills,
        socials: row.socials,
        visibility: row.visibility,
        gates: row.config,
      },
    }),
    key: ({ createdAt, profile }) => [createdAt.getTime(), profile.id],
    counted,
  })
}
