import type { AppDeviceRequest, ConnectedAppStore } from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import { type AppDeviceRequestTable, withAppTables } from '../app-tables.ts'
import type { Db } from '../database.ts'
import { isText, json, toDate } from '../rows.ts'
import { holdAccount } from './accounts.ts'
import { holdSession, makeConnection, readGrant, storeGrant } from './app-connections.ts'

/** Added to the interval of a device that polls too early (RFC 8628 3.5). */
const SLOWER_SECONDS = 5

/** The part of the store that answers devices. */
export function appDevices(
  database: Db,
  schema: string,
): Pick<ConnectedAppStore, 'getDeviceRequest' | 'getDevice' | 'openDevice' | 'decideDevice' | 'pollDevice'> {
  const db = withAppTables(database)

  return {
    async getDeviceRequest(userCodeHash, now) {
      if (!isText(userCodeHash)) return undefined
      const row = await db
        .selectFrom('app_device_requests')
        .selectAll()
        .where('user_code_hash', '=', userCodeHash)
        .where('decided_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row && toRequest(row)
    },

    async getDevice(deviceHash) {
      if (!isText(deviceHash)) return undefined
      const row = await db
        .selectFrom('app_device_requests')
        .selectAll()
        .where('device_hash', '=', deviceHash)
        .executeTakeFirst()
      return row && toRequest(row)
    },

    async openDevice(request, limits) {
      // Concurrent requests would not count each other. They are few.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`${schema}.app_device_requests`}, 0))`.execute(db)
      const { all, address } = await db
        .selectFrom('app_device_requests')
        .select((from) => [
          from.fn.countAll<string>().as('all'),
          from.fn.countAll<string>().filterWhere('address_hash', '=', request.addressHash).as('address'),
        ])
        .where('decided_at', 'is', null)
        .where('expires_at', '>', request.createdAt)
        .executeTakeFirstOrThrow()
      if (Number(all) >= limits.all || Number(address) >= limits.address) return 'full'
      await db
        .deleteFrom('app_device_requests')
        .where('user_code_hash', '=', request.userCodeHash)
        .where('expires_at', '<=', request.createdAt)
        .execute()
      const row = await db
        .insertInto('app_device_requests')
        .values({
          device_hash: request.deviceHash,
          user_code_hash: request.userCodeHash,
          app: json(request.app),
          scopes: request.scopes,
          resources: request.resources,
          address_hash: request.addressHash,
          interval_seconds: request.intervalSeconds,
          created_at: request.createdAt,
          expires_at: request.expiresAt,
        })
        .onConflict((conflict) => conflict.column('user_code_hash').doNothing())
        .returning('device_hash')
        .executeTakeFirst()
      return row ? 'opened' : 'taken'
    },

    async decideDevice(userCodeHash, grant, now) {
      if (!isText(userCodeHash)) return false
      if (grant) await holdAccount(database, grant.accountId)
      const { numUpdatedRows } = await db
        .updateTable('app_device_requests')
        .set({ decided_at: now, account_id: grant?.accountId ?? null, granted: grant && storeGrant(grant) })
        .where('user_code_hash', '=', userCodeHash)
        .where('decided_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async pollDevice(deviceHash, { now, check, connection }) {
      const unknown = { outcome: 'unknown' } as const
      if (!isText(deviceHash)) return unknown
      const found = db.selectFrom('app_device_requests').selectAll().where('device_hash', '=', deviceHash)
      // In the order of all transactions: the account, then what belongs to it.
      const before = await found.executeTakeFirst()
      if (before?.account_id != null) await holdAccount(database, before.account_id)
      const row = await found.forNoKeyUpdate().executeTakeFirst()
      if (!before || !row || !check(toRequest(row)) || row.redeemed_at !== null) return unknown
      if (toDate(row.expires_at) <= now) return { outcome: 'expired' }
      if (row.decided_at !== null && row.granted === null) return { outcome: 'denied' }
      // A grant of this very moment is for the next poll, because its account is not locked.
      if (row.granted !== null && row.account_id === before.account_id) {
        const grant = readGrant(row.granted)
        if (!(await holdSession(db, grant))) return unknown
        const made = await makeConnection(database, grant, connection, now)
        if (!made) return unknown
        await db
          .updateTable('app_device_requests')
          .set({ redeemed_at: now })
          .where('device_hash', '=', deviceHash)
          .execute()
        return { outcome: 'redeemed', ...made }
      }
      const isEarly =
        row.last_polled_at !== null &&
        now.getTime() - toDate(row.last_polled_at).getTime() < row.interval_seconds * 1_000
      await db
        .updateTable('app_device_requests')
        .set({ last_polled_at: now, interval_seconds: row.interval_seconds + (isEarly ? SLOWER_SECONDS : 0) })
        .where('device_hash', '=', deviceHash)
        .execute()
      return { outcome: isEarly ? 'slow_down' : 'pending' }
    },
  }
}

const toRequest = (row: Selectable<AppDeviceRequestTable>): AppDeviceRequest => ({
  deviceHash: row.device_hash,
  userCodeHash: row.user_code_hash,
  app: row.app,
  scopes: row.scopes,
  resources: row.resources,
  addressHash: row.address_hash,
  intervalSeconds: row.interval_seconds,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
})
