import type { Profile, ProfileName, ProfileRename } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isText, unlessTaken } from '../rows.ts'
import { toProfile } from './profile-row.ts'
import { isReservedName } from './reserved-names.ts'

/** Serializes transactions that assign the same name until they commit, so that the next one sees its owner. */
export async function holdName(db: Db, { type, username }: ProfileName): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`profile_names:${type}:${username}`}, 0))`.execute(db)
}

const keptNames = (db: Db, { type, username }: ProfileName, at: Date) =>
  db
    .selectFrom('profile_names')
    .where('profile_names.username', '=', username)
    .where('profile_names.type', '=', type)
    .where('profile_names.kept_until', '>', at)

/** Whether a name is kept for another profile than this one. */
export async function isKeptName(db: Db, name: ProfileName, at: Date, profileId?: number): Promise<boolean> {
  let query = keptNames(db, name, at).select('profile_id')
  if (profileId !== undefined) query = query.where('profile_id', '!=', profileId)
  return (await query.executeTakeFirst()) !== undefined
}

export async function getByFormerName(db: Db, name: ProfileName, at: Date): Promise<Profile | undefined> {
  if (!isText(name.username)) return undefined
  const row = await keptNames(db, name, at)
    .innerJoin('profiles', 'profiles.id', 'profile_names.profile_id')
    .selectAll('profiles')
    .executeTakeFirst()
  return row && toProfile(row)
}

export async function listIdsOf(db: Db, names: readonly ProfileName[], at: Date): Promise<ReadonlyMap<string, number>> {
  const keys = names.filter(({ username }) => isText(username)).map(({ type, username }) => `${type}:${username}`)
  if (keys.length === 0) return new Map()
  const key = sql<string>`type || ':' || username`
  const usernames = names.map(({ username }) => username).filter((username) => isText(username))
  const isWanted = sql<boolean>`username = any(${usernames}::text[])`
  const named = await db
    .selectFrom('profiles')
    .select(['id', key.as('key')])
    .where(isWanted)
    .execute()
  const kept = await db
    .selectFrom('profile_names')
    .select(['profile_id as id', key.as('key')])
    .where(isWanted)
    .where('kept_until', '>', at)
    .execute()
  const wanted = new Set(keys)
  // A profile that has a name now comes before one that had it.
  return new Map([...kept, ...named].filter((row) => wanted.has(row.key)).map((row) => [row.key, Number(row.id)]))
}

export async function listFormerNames(db: Db, id: number, at: Date): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('profile_names')
    .select('username')
    .where('profile_id', '=', id)
    .where('kept_until', '>', at)
    .orderBy('kept_until', 'desc')
    .orderBy('username')
    .execute()
  return rows.map(({ username }) => username)
}

export async function rename(db: Db, id: number, { username, at, keptUntil, nameHashes = [] }: ProfileRename) {
  const before = await db.selectFrom('profiles').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!before) return undefined
  const { type, username: former } = before
  if (former === username) return toProfile(before)
  // In a fixed order, so that two profiles that swap names do not deadlock.
  for (const name of [former, username].sort()) await holdName(db, { type, username: name })
  if (await isKeptName(db, { type, username }, at, id)) return undefined
  const row = await unlessTaken(db, () =>
    db
      .updateTable('profiles')
      .set({ username, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  if (!row) return undefined
  // Checked last, as for a new profile.
  if (await isReservedName(db, nameHashes, before.owner_account_id)) {
    const { updated_at } = before
    await db.updateTable('profiles').set({ username: former, updated_at }).where('id', '=', id).execute()
    return undefined
  }
  await db
    .deleteFrom('profile_names')
    .where((where) =>
      where.or([
        where.and([where('username', '=', username), where('type', '=', type)]),
        where.and([where('profile_id', '=', id), where('kept_until', '<=', at)]),
      ]),
    )
    .execute()
  const kept = { profile_id: id, kept_until: keptUntil }
  await db
    .insertInto('profile_names')
    .values({ username: former, type, ...kept })
    .onConflict((conflict) => conflict.columns(['username', 'type']).doUpdateSet(kept))
    .execute()
  return toProfile(row)
}
