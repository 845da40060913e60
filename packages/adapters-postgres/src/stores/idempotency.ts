import type { AttemptOutcome, IdempotencyKey, IdempotencyStore, NewAttempt } from '@eep/core/ports'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { databaseNow, fromNow, isText, isUuid } from '../rows.ts'

const IN_FLIGHT = { outcome: 'in_flight' } as const

export function idempotency(db: Db): IdempotencyStore {
  const isName = ({ accountId, route, key }: IdempotencyKey) => isUuid(accountId) && isText(route, key)

  const isOf =
    ({ accountId, route, key }: IdempotencyKey) =>
    (where: ExpressionBuilder<Database, 'idempotency_keys'>) =>
      where.and({ account_id: accountId, route, key })

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
          .where('id', '=', accountId),
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
            facts: null,
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

  /**
   * Serializes what counts the keys and the bytes of an account. Waits for a concurrent deletion of the account, which then does not
   * exist.
   */
  const lockAccount = async (accountId: string) =>
    (await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst()) !==
    undefined

  /** When the first key expires of an account that has more than it may have. */
  async function freeAtOf(accountId: string, maxKeys: number): Promise<Date | undefined> {
    const open = db
      .selectFrom('idempotency_keys')
      .select('expires_at')
      .where('account_id', '=', accountId)
      .where('expires_at', '>', databaseNow)
    const { count } = await db
      .selectFrom(open.limit(maxKeys + 1).as('open'))
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) <= maxKeys) return undefined
    return (await open.orderBy('expires_at').limit(1).executeTakeFirstOrThrow()).expires_at
  }

  const stored = (accountId: string) =>
    db.selectFrom('idempotency_keys').where('account_id', '=', accountId).where('answer', 'is not', null)
  const bytes = sql<string>`octet_length(answer)`

  /** Removes the oldest responses of an account until the others have at most this many bytes. */
  async function shrink(accountId: string, maxBytes: number): Promise<void> {
    const { sum } = await stored(accountId)
      .select(sql<string>`coalesce(sum(${bytes}), 0)`.as('sum'))
      .executeTakeFirstOrThrow()
    const excess = Number(sum) - maxBytes
    if (excess <= 0) return
    await db
      .updateTable('idempotency_keys')
      .set({ answer: null })
      .where('account_id', '=', accountId)
      .where(({ refTuple, eb }) =>
        eb(refTuple('route', 'key'), 'in', (from) =>
          from
            .selectFrom(
              stored(accountId)
                .select(['route', 'key'])
                .select(sql<string>`sum(${bytes}) over (order by expires_at, route, key) - ${bytes}`.as('before'))
                .as('oldest'),
            )
            .select(['route', 'key'])
            .where('before', '<', String(excess))
            .$asTuple('route', 'key'),
        ),
      )
      .execute()
  }

  return {
    async begin(attempt, { leaseMs, maxKeys }): Promise<AttemptOutcome> {
      const { accountId } = attempt
      if (!isName(attempt) || !(await lockAccount(accountId))) return IN_FLIGHT
      if (await take(attempt, leaseMs)) {
        const freeAt = await freeAtOf(accountId, maxKeys)
        if (!freeAt) return { outcome: 'started' }
        await db.deleteFrom('idempotency_keys').where(isOf(attempt)).execute()
        return { outcome: 'too_many_keys', freeAt }
      }
      const row = await db
        .selectFrom('idempotency_keys')
        .select(['fingerprint', 'answered', 'answer', 'facts'])
        .where(isOf(attempt))
        .executeTakeFirst()
      // The key was released between the two statements, so it is tried again.
      if (!row) return IN_FLIGHT
      const { answered, answer, facts } = row
      if (row.fingerprint !== attempt.fingerprint) return { outcome: 'mismatch', facts: answered ? facts : null }
      return answered ? { outcome: 'answered', answer, facts } : { outcome: 'in_flight' }
    },

    async end(attempt, result) {
      const { accountId, holder } = attempt
      const held = (where: ExpressionBuilder<Database, 'idempotency_keys'>) =>
        where.and([isOf(attempt)(where), where.and({ holder, answered: false })])
      if (result === 'abandoned') {
        const { numDeletedRows } = await db.deleteFrom('idempotency_keys').where(held).executeTakeFirst()
        return numDeletedRows > 0n
      }
      await lockAccount(accountId)
      const { answer, facts, maxBytes } = result
      const { numUpdatedRows } = await db
        .updateTable('idempotency_keys')
        .set({ answered: true, answer, facts })
        .where(held)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      if (answer !== null) await shrink(accountId, maxBytes)
      return true
    },
  }
}
