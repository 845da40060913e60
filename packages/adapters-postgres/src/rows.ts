import { invalidCursor } from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A value for a json column. It is sent as text, because drivers treat objects and arrays differently. */
export const json = <Value>(value: Value): RawBuilder<Value> => sql`${JSON.stringify(value)}::text::json`

/** The time of the database plus `ms`. */
export const fromNow = (ms: number): RawBuilder<Date> =>
  sql`statement_timestamp() + ${ms}::double precision * interval '1 millisecond'`

export const databaseNow = sql<Date>`statement_timestamp()`

/** Timestamps of columns are dates and those in JSON are text. A host may also have changed the parsers of `pg`. */
export const toDate = (value: Date | string): Date => new Date(value)
export const toDateOrNull = (value: Date | string | null): Date | null => (value === null ? null : new Date(value))
export const toNumberOrNull = (value: number | string | null): number | null => (value === null ? null : Number(value))

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A uuid column compared with any other text is an error, which would end the surrounding transaction. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** Text of PostgreSQL cannot contain the character 0, and a query with it is an error. */
export const isText = (...texts: readonly string[]): boolean => !texts.some((text) => text.includes('\0'))

/** Whether a column is one of many profile ids, which are passed as one parameter. */
export const isOfProfiles = (ids: readonly number[], column = 'profile_id'): RawBuilder<boolean> =>
  sql`${sql.ref(column)} = any(${`{${ids.join()}}`}::text::bigint[])`

/**
 * Locks profiles and their accounts against deletion until the transaction ends. Returns false when one does not exist. Waits for
 * a concurrent purge, so that no name is added after it.
 */
export async function holdProfiles(db: Db, ids: readonly (number | null)[]): Promise<boolean> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  return (await holdExisting(db, wanted)).length === wanted.length
}

/**
 * Locks the profiles that exist, and their accounts, against deletion until the transaction ends, and returns the ids
 * of these profiles. Locks are taken in the order of all transactions: accounts, profiles, then what belongs to them,
 * each by id. A purge locks its account first, so it and this exclude each other.
 */
export async function holdExisting(
  db: Db,
  profileIds: readonly number[],
  accountIds: readonly string[] = [],
): Promise<readonly number[]> {
  if (profileIds.length === 0 && accountIds.length === 0) return []
  const owners = db.selectFrom('profiles').select('owner_account_id').where(isOfProfiles(profileIds, 'profiles.id'))
  const others = sql<string>`unnest(${`{${accountIds.join()}}`}::text::uuid[])`
  const accounts = await db
    .selectFrom('accounts')
    .select('id')
    // With `or` instead of a union, PostgreSQL would read all accounts.
    .where('id', 'in', owners.unionAll(db.selectNoFrom(others.as('owner_account_id'))))
    .orderBy('id')
    .forKeyShare()
    .execute()
  const known = new Set(accounts.map(({ id }) => id))
  const held = await db
    .selectFrom('profiles')
    .select(['id', 'owner_account_id'])
    .where(isOfProfiles(profileIds, 'profiles.id'))
    .orderBy('id')
    .forKeyShare()
    .execute()
  // The owner changes only when the profile is transferred concurrently.
  for (const { owner_account_id: owner } of held) if (!known.has(owner)) await keepAccount(db, owner)
  return held.map(({ id }) => Number(id))
}

/** Locks an account against deletion until the transaction ends. Returns false when it does not exist. Waits for a concurrent deletion. */
export async function keepAccount(db: Db, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const account = db.selectFrom('accounts').select('id').where('id', '=', id).forKeyShare()
  return (await account.executeTakeFirst()) !== undefined
}

/** Locks a profile against deletion until the transaction ends. Returns false when it does not exist. Waits for a concurrent deletion. */
export async function keepProfile(db: Db, id: number): Promise<boolean> {
  const profile = db.selectFrom('profiles').select('id').where('id', '=', id).forKeyShare()
  return (await profile.executeTakeFirst()) !== undefined
}

/** Whether the ids are exactly those of the rows, each once. */
export function isOrderOf(rows: readonly { readonly id: number | string }[], ids: readonly number[]): boolean {
  const named = new Set(ids)
  return ids.length === rows.length && named.size === ids.length && rows.every(({ id }) => named.has(Number(id)))
}

/** Numbers rows from 0 in the order of the ids. */
export async function putInOrder(db: Db, table: 'pages' | 'categories', ids: readonly number[]): Promise<void> {
  await db
    .updateTable(table)
    .from(
      sql<{ id: number; place: number }>`unnest(${ids}::bigint[]) with ordinality`.as<'wanted'>(
        sql`wanted (id, place)`,
      ),
    )
    .set({ position: sql<number>`wanted.place - 1` })
    .whereRef(`${table}.id`, '=', 'wanted.id')
    .execute()
}

/** Returns the error code of a PostgreSQL error. */
export const sqlState = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/**
 * Runs a write that may violate a unique index that `on conflict` cannot reference. Returns `undefined` then, and the surrounding
 * transaction remains usable.
 */
export async function unlessTaken<Result>(db: Db, write: () => Promise<Result>): Promise<Result | undefined> {
  await sql`savepoint unless_taken`.execute(db)
  try {
    const result = await write()
    await sql`release savepoint unless_taken`.execute(db)
    return result
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    await sql`rollback to savepoint unless_taken`.execute(db)
    return undefined
  }
}

/** A part of a decoded cursor that must be a whole number. */
export function wholeNumber(part: string | number | undefined): number {
  if (!Number.isSafeInteger(part)) throw invalidCursor()
  return part as number
}

/** A part of a decoded cursor that must be a time in milliseconds. PostgreSQL supports fewer years than JavaScript. */
export function moment(part: string | number | undefined): Date {
  const date = new Date(wholeNumber(part))
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) throw invalidCursor()
  return date
}
