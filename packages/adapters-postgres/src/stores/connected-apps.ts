import type { ConnectedAppStore } from '@eep/core/ports'
import { sql } from 'kysely'
import { type AppTokenTable, withAppTables } from '../app-tables.ts'
import type { Db, Row } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { isText, isUuid, json, keepProfile, toDate } from '../rows.ts'
import { holdAccount, toAccount } from './accounts.ts'
import { appCodes } from './app-codes.ts'
import { addToken, endConnections, idleEnd, isLive, toConnection } from './app-connections.ts'
import { appDevices } from './app-devices.ts'
import { deleteOldSpending, eraseSpending } from './app-spending.ts'

/** How long the token before the current one gets the same successor. */
const REPEAT_MS = 60_000
/** How often the use of a connection is stored. */
const TOUCH_MS = 60_000
/** How long codes and requests of devices are known after they expired. */
const KNOWN_MS = 10 * 60_000
const ENDED_MS = 30 * 86_400_000

export function connectedApps(database: Db, schema: string): ConnectedAppStore {
  const db = withAppTables(database)

  const get = async (id: string, accountId?: string) => {
    if (!isUuid(id) || (accountId !== undefined && !isUuid(accountId))) return undefined
    let found = db.selectFrom('app_connections').selectAll().where('id', '=', id)
    if (accountId !== undefined) found = found.where('account_id', '=', accountId)
    const row = await found.executeTakeFirst()
    return row && toConnection(row)
  }
  const withAccount = (id: string, now: Date) =>
    db
      .selectFrom('app_connections')
      .innerJoin('accounts', 'accounts.id', 'app_connections.account_id')
      .selectAll('app_connections')
      .select(sql<Row<'accounts'>>`row_to_json(accounts)`.as('account'))
      .where('app_connections.id', '=', id)
      .where(isLive(now))
  const lock = async (accountId: string, id: string, now: Date) => {
    if (!isUuid(accountId) || !isUuid(id)) return undefined
    const row = await db
      .selectFrom('app_connections')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where(isLive(now))
      .forUpdate()
      .executeTakeFirst()
    return row && toConnection(row)
  }

  return {
    ...appCodes(database),
    ...appDevices(database, schema),
    get,
    lock,

    async getByAccessHash(hash, now) {
      if (!isText(hash)) return undefined
      const row = await db
        .selectFrom('app_tokens')
        .innerJoin('app_connections', 'app_connections.id', 'app_tokens.connection_id')
        .innerJoin('accounts', 'accounts.id', 'app_connections.account_id')
        .selectAll('app_connections')
        .select(sql<Row<'accounts'>>`row_to_json(accounts)`.as('account'))
        .select(sql<AppTokenTable>`row_to_json(app_tokens)`.as('token'))
        .where('app_tokens.hash', '=', hash)
        .where('app_tokens.expires_at', '>', now)
        .where(isLive(now))
        .executeTakeFirst()
      if (!row) return undefined
      const { token } = row
      return {
        token: {
          hash: token.hash,
          connectionId: token.connection_id,
          scopes: token.scopes,
          resources: token.resources,
          createdAt: toDate(token.created_at),
          expiresAt: toDate(token.expires_at),
        },
        connection: toConnection(row),
        account: toAccount(row.account),
      }
    },

    async listOfAccount(accountId, { now, withEnded = false }, request) {
      const account = isUuid(accountId) ? accountId : null
      let all = db.selectFrom('app_connections').where('account_id', '=', account)
      if (!withEnded) all = all.where(isLive(now))
      const counted = all.select((query) => query.fn.countAll<string>().as('count'))
      return listPage(all.selectAll().select(counted.as('total')), request, {
        order: [desc('created_at', 'moment'), desc('id', 'uuid')],
        item: toConnection,
        key: (connection) => [connection.createdAt.getTime(), connection.id],
        counted,
      })
    },

    async rotate(id, { generation, now, check, token }) {
      const unknown = { outcome: 'unknown' } as const
      if (!isUuid(id)) return unknown
      // Concurrent uses of one token get one successor. Transactions that hold the connection are not waited for.
      const row = await withAccount(id, now).forNoKeyUpdate('app_connections').executeTakeFirst()
      if (!row) return unknown
      const connection = toConnection(row)
      if (!check(connection, toAccount(row.account))) return unknown
      const behind = connection.generation - generation
      if (behind > 1 || (behind === 1 && now.getTime() - connection.rotatedAt.getTime() > REPEAT_MS)) {
        const [ended] = await endConnections(db, 'refresh_token_reused', now, (where) => where('id', '=', id))
        return ended ? { outcome: 'reused', ended } : unknown
      }
      const used = db
        .updateTable('app_connections')
        .set({ last_used_at: sql<Date>`greatest(last_used_at, ${now}::timestamptz)`, idle_ends_at: idleEnd(now) })
        .where('id', '=', id)
        .returningAll()
      const updated = await (behind === 1
        ? used
        : used.set({ generation: generation + 1, rotated_at: now })
      ).executeTakeFirstOrThrow()
      await addToken(db, id, token)
      return {
        outcome: behind === 1 ? 'repeated' : 'rotated',
        connection: toConnection(updated),
        wasAhead: behind < 0,
      }
    },

    async hold(id, now) {
      if (!isUuid(id)) return undefined
      // The weakest lock that endings and changes wait for; refreshes and `touch` do not.
      const row = await withAccount(id, now).forKeyShare('app_connections').executeTakeFirst()
      return row && { connection: toConnection(row), account: toAccount(row.account) }
    },

    async update(accountId, id, { now, scopes, profileId, spending }) {
      if (profileId != null && !(await keepProfile(database, profileId))) return undefined
      if (!(await lock(accountId, id, now))) return undefined
      const row = await db
        .updateTable('app_connections')
        .set({
          // Keeps its value: without changes the statement would have nothing to set.
          id,
          ...(scopes !== undefined && { scopes }),
          ...(profileId !== undefined && { profile_id: profileId, reach: profileId === null ? 'all' : 'one' }),
          ...(spending !== undefined && { spending: spending && json(spending) }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toConnection(row)
    },

    async end(accountId, id, reason, now) {
      if (!isUuid(accountId) || !isUuid(id)) return undefined
      const [ended] = await endConnections(db, reason, now, (where) =>
        where.and([where('id', '=', id), where('account_id', '=', accountId)]),
      )
      return ended
    },

    async endAll(accountId, reason, now, { since } = {}) {
      if (!isUuid(accountId)) return []
      // A concurrent redemption either waits and finds no code, or its connection ends here.
      await holdAccount(database, accountId)
      await db.deleteFrom('app_codes').where('account_id', '=', accountId).where('redeemed_at', 'is', null).execute()
      await db
        .deleteFrom('app_device_requests')
        .where('account_id', '=', accountId)
        .where('redeemed_at', 'is', null)
        .execute()
      return endConnections(db, reason, now, (where) =>
        where.and([
          where('account_id', '=', accountId),
          ...(since === undefined ? [] : [where('created_at', '>=', since)]),
        ]),
      )
    },

    async endOfSessions(accountId, which, now) {
      if (!isUuid(accountId)) return []
      const [id, except] = 'id' in which ? [which.id, undefined] : [undefined, which.except]
      if (id !== undefined && !isUuid(id)) return []
      return endConnections(db, 'session_ended', now, (where) =>
        where.and([
          where('account_id', '=', accountId),
          id === undefined ? where('session_id', 'is not', null) : where('session_id', '=', id),
          ...(except !== undefined && isUuid(except) ? [where('session_id', '!=', except)] : []),
        ]),
      )
    },

    async endOfProfile(profileId, { now, accountId }) {
      if (accountId !== undefined && !isUuid(accountId)) return []
      return endConnections(db, 'profile_gone', now, (where) =>
        where.and([
          where('profile_id', '=', profileId),
          ...(accountId === undefined ? [] : [where('account_id', '=', accountId)]),
        ]),
      )
    },

    async deleteToken(hash) {
      if (!isText(hash)) return false
      const { numDeletedRows } = await db.deleteFrom('app_tokens').where('hash', '=', hash).executeTakeFirst()
      return numDeletedRows > 0n
    },

    async touch(id, at) {
      if (!isUuid(id)) return false
      const { numUpdatedRows } = await db
        .updateTable('app_connections')
        .set({ last_used_at: at, idle_ends_at: idleEnd(at) })
        .where('id', '=', id)
        .where(isLive(at))
        .where('last_used_at', '<=', new Date(at.getTime() - TOUCH_MS))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async deleteExpired(now, limit) {
      const before = (ms: number) => new Date(now.getTime() - ms)
      const expired = (table: string, key: string, column: string, until: Date) =>
        deleteSelected(database, table, [key], (rows) => rows.where(column, '<', until).orderBy(column).limit(limit))
      const { numUpdatedRows } = await db
        .with(
          (cte) => cte('selected').materialized(),
          (query) =>
            query
              .selectFrom('app_connections')
              .select('id')
              .where('ended_at', 'is', null)
              .where('idle_ends_at', '<=', now)
              .orderBy('idle_ends_at')
              .limit(limit)
              .forUpdate()
              .skipLocked(),
        )
        .updateTable('app_connections')
        .set((row) => ({ ended_at: row.ref('idle_ends_at'), end_reason: 'expired' }))
        .where('id', 'in', (query) => query.selectFrom('selected').select('selected.id'))
        .executeTakeFirst()
      return (
        Number(numUpdatedRows) +
        (await expired('app_tokens', 'hash', 'expires_at', now)) +
        (await expired('app_codes', 'request_id', 'expires_at', before(KNOWN_MS))) +
        (await expired('app_device_requests', 'device_hash', 'expires_at', before(KNOWN_MS))) +
        (await deleteSelected(database, 'app_connections', ['id'], (rows) =>
          rows.where('ended_at', '<', before(ENDED_MS)).orderBy('ended_at').limit(limit),
        )) +
        (await deleteOldSpending(database, now, limit))
      )
    },

    async eraseAccount({ id }) {
      await db.deleteFrom('app_codes').where('account_id', '=', id).execute()
      await db.deleteFrom('app_device_requests').where('account_id', '=', id).execute()
      await db.deleteFrom('app_connections').where('account_id', '=', id).execute()
      await eraseSpending(database, id)
    },
  }
}
