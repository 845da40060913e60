import type { Connection, ConnectionSide, ConnectionStore, PageRequest } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { isOfProfiles, isText, isUuid, toDate } from '../rows.ts'
import { isActive } from './listed-profiles.ts'

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

    async countOfAccount(accountId) {
      if (!isUuid(accountId)) return 0
      const { count } = await db
        .selectFrom('connections')
        .innerJoin('profiles', 'profiles.id', 'connections.follower_profile_id')
        .select((query) => query.fn.countAll<string>().as('count'))
        .where('profiles.owner_account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async listFollowable(names) {
      const known = names.filter(({ username }) => isText(username))
      if (known.length === 0) return new Map()
      const types = known.map(({ type }) => type)
      const usernames = known.map(({ username }) => username)
      const rows = await db
        .selectFrom('profiles')
        .innerJoin('accounts', 'accounts.id', 'profiles.owner_account_id')
        .select(['profiles.id', 'profiles.type', 'profiles.username'])
        .where(
          sql<boolean>`(profiles.username, profiles.type) in (select * from unnest(${usernames}::text[], ${types}::text[]))`,
        )
        .where('profiles.visibility', '!=', 'private')
        .where(isActive)
        .execute()
      return new Map(rows.map(({ id, type, username }) => [`${type}:${username}`, Number(id)]))
    },

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

    async followAll(followerProfileId, follows) {
      if (follows.length === 0) return
      const wanted = follows.map(({ followeeProfileId }) => followeeProfileId)
      const existing = new Set(
        (
          await db
            .selectFrom('profiles')
            .select('id')
            .where(isOfProfiles([followerProfileId, ...wanted], 'profiles.id'))
            .orderBy('id')
            .forKeyShare()
            .execute()
        ).map(({ id }) => Number(id)),
      )
      const rows = follows
        .filter(({ followeeProfileId }) => existing.has(followeeProfileId))
        .map(({ followeeProfileId, createdAt }) => ({
          follower_profile_id: followerProfileId,
          followee_profile_id: followeeProfileId,
          created_at: createdAt,
        }))
      if (!existing.has(followerProfileId) || rows.length === 0) return
      await db
        .insertInto('connections')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
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
