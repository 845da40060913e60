import type {
  AppConnection,
  AppEndReason,
  AppGrant,
  MadeConnection,
  NewAppConnection,
  NewAppToken,
} from '@eep/core/ports'
import { type Expression, type ExpressionBuilder, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import {
  type AppConnectionTable,
  type AppDatabase,
  type AppDb,
  type StoredGrant,
  withAppTables,
} from '../app-tables.ts'
import type { Db } from '../database.ts'
import { isUuid, json, keepProfile, toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'

/** The most access tokens of a connection. */
const MAX_TOKENS = 20

type Where = ExpressionBuilder<AppDatabase, 'app_connections'>

/** Whether a connection has neither ended nor expired, and its profile exists. */
export const isLive = (now: Date) => (where: Where) =>
  where.and([
    where('app_connections.ended_at', 'is', null),
    where('app_connections.idle_ends_at', '>', now),
    where.or([where('app_connections.reach', '=', 'all'), where('app_connections.profile_id', 'is not', null)]),
  ])

/** When a connection ends unless it is used after `at`. */
export const idleEnd = (at: Date): RawBuilder<Date> =>
  sql`least(expires_at, ${at}::timestamptz + idle_seconds * interval '1 second')`

/** Adds an access token to a connection that is locked, and drops its oldest ones. */
export async function addToken(db: AppDb, connectionId: string, token: NewAppToken): Promise<void> {
  await db
    .insertInto('app_tokens')
    .values({
      hash: token.hash,
      connection_id: connectionId,
      scopes: token.scopes,
      resources: token.resources,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute()
  await db
    .deleteFrom('app_tokens')
    .where('connection_id', '=', connectionId)
    .where('position', 'in', (of) =>
      of
        .selectFrom('app_tokens')
        .select('position')
        .where('connection_id', '=', connectionId)
        .orderBy('position', 'desc')
        .offset(MAX_TOKENS),
    )
    .execute()
}

/** Ends the live connections that a condition selects, and deletes their tokens. Waits for transactions that hold one. */
export async function endConnections(
  db: AppDb,
  reason: AppEndReason,
  now: Date,
  which: (where: Where) => Expression<SqlBool>,
): Promise<readonly AppConnection[]> {
  // The update alone would not wait for transactions that hold one. After waiting, the condition is evaluated again.
  const locked = await db
    .selectFrom('app_connections')
    .select('id')
    .where(isLive(now))
    .where(which)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (locked.length === 0) return []
  const ids = locked.map(({ id }) => id)
  await db.deleteFrom('app_tokens').where('connection_id', 'in', ids).execute()
  const rows = await db
    .updateTable('app_connections')
    .set({ ended_at: now, end_reason: reason })
    .where('id', 'in', ids)
    .returningAll()
    .execute()
  return rows.map(toConnection).sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime())
}

/** Whether the session of a grant still exists. It cannot end until the transaction ends. */
export async function holdSession(db: AppDb, { sessionId, accountId }: AppGrant): Promise<boolean> {
  if (sessionId === null) return true
  if (!isUuid(sessionId)) return false
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst()
  return session !== undefined
}

/**
 * Makes a connection with its first access token, and ends the least recently used ones above the limits. `undefined` when its profile no
 * longer exists. The account must be locked.
 */
export async function makeConnection(
  database: Db,
  grant: AppGrant,
  { id, seed, token, limits }: NewAppConnection,
  now: Date,
): Promise<MadeConnection | undefined> {
  if (grant.profileId !== null && !(await keepProfile(database, grant.profileId))) return undefined
  const db = withAppTables(database)
  const live = await db
    .selectFrom('app_connections')
    .select(['id', 'client_id'])
    .where('account_id', '=', grant.accountId)
    .where(isLive(now))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
  const same = live.filter(({ client_id }) => client_id === grant.app.clientId)
  const surplus = new Set(same.slice(Math.max(0, limits.app - 1)).map((row) => row.id))
  const kept = live.filter((row) => !surplus.has(row.id))
  for (const row of kept.slice(Math.max(0, limits.account - 1))) surplus.add(row.id)
  const ended =
    surplus.size === 0 ? [] : await endConnections(db, 'replaced', now, (where) => where('id', 'in', [...surplus]))

  const idleEndsAt = new Date(Math.min(grant.expiresAt.getTime(), now.getTime() + grant.idleSeconds * 1_000))
  const row = await db
    .insertInto('app_connections')
    .values({
      id,
      account_id: grant.accountId,
      session_id: grant.sessionId,
      app_kind: grant.app.kind,
      client_id: grant.app.clientId,
      app_name: grant.app.name,
      app_host: grant.app.host,
      app_verified: grant.app.verified,
      redirect_host: grant.app.redirectHost,
      scopes: grant.scopes,
      reach: grant.reach,
      profile_id: grant.profileId,
      may_spend: grant.maySpend,
      spender: grant.spender,
      spending: grant.spending && json(grant.spending),
      resources: grant.resources,
      seed,
      generation: 1,
      rotated_at: now,
      created_at: now,
      last_used_at: now,
      idle_seconds: grant.idleSeconds,
      idle_ends_at: idleEndsAt,
      expires_at: grant.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addToken(db, id, token)
  return { connection: toConnection(row), ended }
}

export const toConnection = (row: Selectable<AppConnectionTable>): AppConnection => ({
  id: row.id,
  accountId: row.account_id,
  sessionId: row.session_id,
  app: {
    kind: row.app_kind,
    clientId: row.client_id,
    name: row.app_name,
    host: row.app_host,
    verified: row.app_verified,
    redirectHost: row.redirect_host,
  },
  scopes: row.scopes,
  reach: row.reach,
  profileId: toNumberOrNull(row.profile_id),
  maySpend: row.may_spend,
  spender: row.spender,
  spending: row.spending,
  resources: row.resources,
  seed: row.seed,
  generation: row.generation,
  rotatedAt: toDate(row.rotated_at),
  createdAt: toDate(row.created_at),
  lastUsedAt: toDate(row.last_used_at),
  idleSeconds: row.idle_seconds,
  idleEndsAt: toDate(row.idle_ends_at),
  expiresAt: toDate(row.expires_at),
  endedAt: toDateOrNull(row.ended_at),
  endReason: row.end_reason,
})

/** A grant for a json column. */
export const storeGrant = (grant: AppGrant): RawBuilder<StoredGrant> =>
  json({ ...grant, expiresAt: grant.expiresAt.toISOString() })

export const readGrant = (stored: StoredGrant): AppGrant => ({ ...stored, expiresAt: toDate(stored.expiresAt) })
