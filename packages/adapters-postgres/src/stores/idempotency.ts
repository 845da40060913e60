import type { AttemptOutcome, IdempotencyKey, IdempotencyStore, NewAttempt } from '@eep/core/ports'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { databaseNow, fromNow, isText, isUuid } from '../rows.ts'

const IN_FLIGHT = { outcome: 'in_flight' } as const

export function idempotency(db: Db): IdempotencyStore {
  const isName = ({ accountId, route, key }: IdempotencyKey) => isUuid(accountId) && isText(route, key)

  /** Claims a free key. Undefined when another attempt has it. */
  const take = ({ accountId, route, key, fingerprint, holder, expiresAt }: NewAttempt, leaseMs: number) =>
    db
      .insertInto('idempotency_keys')
      .columns(['account_id', 'route', 'key', 'fingerprint', 'holder', 'lease_until', 'expires_at'])
      .expression((build) =>
        build
          .selectFrom('accounts')
          .select([
            'id',
            sql<string>`${route}::text`.as('route'),
            sql<string>`${key}::text`.as('key'),
            sql<string>`${fingerprint}::text`.as('fingerprint'),
            sql<string>`${holder}::uuid`.as('holder'),
            fromNow(leaseMs).as('lease_until'),
            sql<Date>`${expiresAt}::timestamptz`.as('expires_at'),
          ])
          .where('id', '=', accountId)
          // Waits for a concurrent deletion of the account, which then does not exist.
          .forKeyShare(),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'route', 'key'])
          .doUpdateSet((excluded) => ({
            fingerprint: excluded.ref('excluded.fingerprint'),
            holder: excluded.ref('excluded.holder'),
            lease_until: excluded.ref('excluded.lease_until'),
            expires_at: excluded.ref('excluded.expires_at'),
            answered: false,
            answer: null,
          }))
          .where((where) =>
            where.or([
              where('idempotency_keys.expires_at', '<=', databaseNow),
              where.and([
                where('idempotency_keys.answered', '=', false),
                where('idempotency_keys.lease_until', '<=', databaseNow),
                where('idempotency_keys.fingerprint', '=', fingerprint),
              ]),
            ]),
          ),
      )
      .returning('key')
      .executeTakeFirst()

  return {
    async begin(attempt, leaseMs): Promise<AttemptOutcome> {
      if (!isName(attempt)) return IN_FLIGHT
      if (await take(attempt, leaseMs)) return { outcome: 'started' }
      const row = await db
        .selectFrom('idempotency_keys')
        .select(['fingerprint', 'answered', 'answer'])
        .where('account_id', '=', attempt.accountId)
        .where('route', '=', attempt.route)
        .where('key', '=', attempt.key)
        .executeTakeFirst()
      // The key was released between the two statements, so it is tried again.
      if (!row) return IN_FLIGHT
      if (row.fingerprint !== attempt.fingerprint) return { outcome: 'mismatch' }
      return row.answered ? { outcome: 'answered', answer: row.answer } : { outcome: 'in_flight' }
    },

    async end({ accountId, route, key, holder }, result) {
      const held = (where: ExpressionBuilder<Database, 'idempotency_keys'>) =>
        where.and({ account_id: accountId, route, key, holder, answered: false })
      const ended =
        result === 'abandoned'
          ? db.deleteFrom('idempotency_keys').where(held).returning('key')
          : db
              .updateTable('idempotency_keys')
              .set({ answered: true, answer: result.answer })
              .where(held)
              .returning('key')
      return (await ended.executeTakeFirst()) !== undefined
    },
  }
}
