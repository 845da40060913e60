import type { ExpiredStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { databaseNow } from '../rows.ts'
import type { UntypedDb } from '../untyped-db.ts'

/** The tables whose rows expire, with their keys. */
const KEYS = {
  sessions: ['id'],
  tokens: ['id'],
  invitations: ['id'],
  workspace_invitations: ['id'],
  nonces: ['scope', 'nonce'],
  idempotency_keys: ['account_id', 'route', 'key'],
}

export function expired(db: Db): ExpiredStore {
  const tables: UntypedDb = db

  return {
    async delete(limit) {
      let deleted = 0
      for (const [table, key] of Object.entries(KEYS)) {
        const rows = tables
          .selectFrom(table)
          .select(key)
          .where('expires_at', '<=', databaseNow)
          .orderBy('expires_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
        const { numDeletedRows } = await tables
          .deleteFrom(table)
          .where(sql<boolean>`(${sql.join(key.map((column) => sql.ref(column)))}) in ${rows}`)
          .executeTakeFirst()
        deleted += Number(numDeletedRows)
      }
      return deleted
    },
  }
}
