import type { AppCode, ConnectedAppStore } from '@eep/core/ports'
import type { Selectable } from 'kysely'
import { type AppCodeTable, withAppTables } from '../app-tables.ts'
import type { Db } from '../database.ts'
import { isText, isUuid, toDate, toDateOrNull } from '../rows.ts'
import { toAccount } from './accounts.ts'
import { endConnections, holdSession, makeConnection, readGrant, storeGrant } from './app-connections.ts'

/** The part of the store that decides on requests and redeems their codes. */
export function appCodes(database: Db): Pick<ConnectedAppStore, 'getCode' | 'getDecision' | 'decide' | 'redeem'> {
  const db = withAppTables(database)

  const getDecision = async (requestId: string, accountId: string) => {
    if (!isText(requestId) || !isUuid(accountId)) return undefined
    const row = await db
      .selectFrom('app_codes')
      .select('hash')
      .where('request_id', '=', requestId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return row && (row.hash === null ? 'denied' : 'approved')
  }

  return {
    getDecision,

    async getCode(hash) {
      if (!isText(hash)) return undefined
      const row = await db.selectFrom('app_codes').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row && toCode(row)
    },

    async decide({ requestId, accountId, decidedAt, code }) {
      const row = await db
        .insertInto('app_codes')
        .values({
          request_id: requestId,
          account_id: accountId,
          decided_at: decidedAt,
          hash: code?.hash ?? null,
          redirect_uri: code?.redirectUri ?? null,
          challenge: code?.challenge ?? null,
          granted: code && storeGrant(code.grant),
          expires_at: code?.expiresAt ?? decidedAt,
        })
        .onConflict((conflict) => conflict.column('request_id').doNothing())
        .returning('request_id')
        .executeTakeFirst()
      if (row) return { isFirst: true, decision: code ? 'approved' : 'denied' }
      const decision = await getDecision(requestId, accountId)
      return decision && { isFirst: false, decision }
    },

    async redeem(hash, { now, check, connection }) {
      const unknown = { outcome: 'unknown' } as const
      if (!isText(hash)) return unknown
      const named = await db.selectFrom('app_codes').select('account_id').where('hash', '=', hash).executeTakeFirst()
      if (!named) return unknown
      // In the order of all transactions: the account, its session, then what belongs to it.
      const account = await database
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', named.account_id)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!account) return unknown
      const found = await db.selectFrom('app_codes').selectAll().where('hash', '=', hash).executeTakeFirst()
      const code = found && toCode(found)
      if (!code || !check(code, toAccount(account))) return unknown

      if (code.redeemedAt !== null) {
        const { connection_id: id } = found
        const ended = id === null ? [] : await endConnections(db, 'code_replayed', now, (where) => where('id', '=', id))
        return { outcome: 'replayed', ended: ended[0] }
      }
      if (code.expiresAt <= now || !(await holdSession(db, code.grant))) return unknown
      const made = await makeConnection(database, code.grant, connection, now)
      if (!made) return unknown
      await db
        .updateTable('app_codes')
        .set({ redeemed_at: now, connection_id: connection.id })
        .where('hash', '=', hash)
        .execute()
      return { outcome: 'redeemed', ...made }
    },
  }
}

/** A code; undefined for a denial. */
function toCode(row: Selectable<AppCodeTable>): AppCode | undefined {
  const { hash, redirect_uri: redirectUri, challenge, granted } = row
  if (hash === null || redirectUri === null || challenge === null || granted === null) return undefined
  const [expiresAt, redeemedAt] = [toDate(row.expires_at), toDateOrNull(row.redeemed_at)]
  return { hash, redirectUri, challenge, grant: readGrant(granted), expiresAt, redeemedAt }
}
