import type { ExpiredStore } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { databaseNow } from '../rows.ts'

/** The tables whose rows expire, with their keys. */
const KEYS = {
  sessions: ['id'],
  tokens: ['id'],
  invitations: ['id'],
  workspace_invitations: ['id'],
  nonces: ['scope', 'nonce'],
  page_preview_links: ['id'],
  idempotency_keys: ['account_id', 'route', 'key'],
  kept_answers: ['payment_id'],
  payer_strikes: ['id'],
}

export function expired(db: Db): ExpiredStore {
  return {
    async delete(limit) {
      let deleted = 0
      for (const [table, key] of Object.entries(KEYS)) {
        deleted += await deleteSelected(db, table, key, (rows) =>
          rows.where('expires_at', '<=', databaseNow).orderBy('expires_at').limit(limit),
        )
      }
      return deleted
    },
  }
}
