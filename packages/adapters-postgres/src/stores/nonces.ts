import type { NonceStore } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { databaseNow, isText } from '../rows.ts'

export function nonces(db: Db): NonceStore {
  return {
    async claim({ scope, nonce, expiresAt }) {
      if (!isText(scope, nonce)) return false
      const row = await db
        .insertInto('nonces')
        .values({ scope, nonce, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict
            .columns(['scope', 'nonce'])
            .doUpdateSet((excluded) => ({ expires_at: excluded.ref('excluded.expires_at') }))
            .where('nonces.expires_at', '<=', databaseNow),
        )
        .returning('nonce')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
