import { OPTIONAL_GROUPS, type OptionalGroup, type Storage, type Stores } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { bindIn } from './money-kind.ts'

/** Numbers of deleted rows by table, without tables that lost none. */
export type DeletedRows = Readonly<Record<string, number>>

/** How long a rehearsal waits for a row that another transaction has locked. */
const LOCK_TIMEOUT = '5s'

/** Thrown to undo the transaction. */
const undone = new Error('a rehearsal is undone')

/** Runs work in one transaction, in which each `transaction` of the storage is a savepoint, and undoes all of it. */
export async function rehearse(
  db: Db,
  schema: string,
  storesOf: (trx: Db) => Stores<OptionalGroup>,
  work: (storage: Storage<OptionalGroup>) => Promise<void>,
): Promise<DeletedRows> {
  let deleted: DeletedRows | undefined
  const run = async (trx: Db) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(trx)
    await work(storageOf(trx, schema, storesOf(trx)))
    deleted = await deletedRows(trx, schema)
    throw undone
  }
  await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(run)
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return deleted ?? {}
}

function storageOf(trx: Db, schema: string, stores: Stores<OptionalGroup>): Storage<OptionalGroup> {
  let last: Promise<unknown> = Promise.resolve()

  async function inSavepoint<Result>(work: (tx: Stores<OptionalGroup>) => Promise<Result>): Promise<Result> {
    await sql`savepoint rehearsed`.execute(trx)
    try {
      const result = await work(stores)
      await sql`release savepoint rehearsed`.execute(trx)
      return result
    } catch (error) {
      await sql`rollback to savepoint rehearsed`.execute(trx)
      throw error
    }
  }

  return {
    groups: OPTIONAL_GROUPS,
    read: stores,
    transaction(work) {
      // Savepoints of one connection are nested, so concurrent ones would undo each other.
      const next = last.then(() => inSavepoint(work))
      last = next.catch(() => undefined)
      return next
    },
    bindMoneyKind: (decide) => bindIn(trx.withSchema(schema), decide),
    ping: async () => {},
    close: async () => {},
  }
}

/** PostgreSQL counts the rows that the running transaction deleted, by table. */
async function deletedRows(trx: Db, schema: string): Promise<DeletedRows> {
  const { rows } = await sql<{ relname: string; deleted: string }>`
    select relname::text, n_tup_del::text as deleted from pg_stat_xact_user_tables
    where schemaname = ${schema} and n_tup_del > 0 order by relname`.execute(trx)
  return Object.fromEntries(rows.map(({ relname, deleted }) => [relname, Number(deleted)]))
}
