import { createHash } from 'node:crypto'
import { type PostgresPoolClient, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { sqlState } from './rows.ts'

const MARK = '/* prepared */'

/**
 * Marks a frequent statement, which each connection then plans once: `query.modifyEnd(PREPARED)`. List its columns explicitly:
 * a prepared `select *` fails when a migration adds a column.
 */
export const PREPARED = sql.raw(MARK)

/** Returns a statement name that is unique for its text, even on connections with other prepared statements. */
const nameOf = (text: string) => `eep_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

/** Error codes of unknown and duplicate statement names, and of plans whose columns have changed. */
const UNPREPARED = new Set(['26000', '42P05', '0A000'])

/** Whether a prepared statement is missing or outdated on this connection, and was not run. */
export const isUnprepared = (error: unknown): boolean => UNPREPARED.has(sqlState(error) ?? '')

/** Prepares the statements marked with {@link PREPARED}, until one of them is missing. */
export function preparing(client: PostgresPoolClient): PostgresPoolClient {
  const names = new Map<string, string>()
  let prepares = true
  // The type has the signatures that Kysely calls, but `pg` also accepts an object with the name of the statement.
  const direct = client.query.bind(client) as unknown as (query: unknown, values?: unknown) => Promise<unknown>

  function runPrepared(text: string, values: unknown) {
    const name = names.get(text) ?? nameOf(text)
    names.set(text, name)
    return direct({ name, text, values }).catch((error: unknown) => {
      if (!isUnprepared(error)) throw error
      prepares = false
      // Within a transaction this fails too; the transaction is run again.
      return direct(text, values).catch(() => Promise.reject(error))
    })
  }

  const query = (text: unknown, values?: unknown) =>
    prepares && typeof text === 'string' && text.endsWith(MARK) ? runPrepared(text, values) : direct(text, values)
  return Object.assign(Object.create(client), {
    query,
    // The pool creates a new client object on each checkout of the connection.
    release: (destroy?: boolean) => client.release(destroy),
  })
}

/**
 * Makes each connection of a pool plan a statement once: in PGlite, planning takes longer than execution. For
 * direct connections only; with a transaction pooler, a prepared statement may be missing next time.
 *
 * @param maxStatements - how many statements each connection keeps. Default: 500
 */
export function keepStatements(pool: Pool, maxStatements = 500): Pool {
  return pool.on('connect', (client) => {
    const names = new Map<string, string>()
    const ownNameOf = (text: string) => {
      const known = names.get(text)
      if (known !== undefined || names.size >= maxStatements) return known
      const name = `eep_${names.size}`
      names.set(text, name)
      return name
    }
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? query({ name: ownNameOf(text), text, values }, ...rest)
        : query(text, values, ...rest)
    client.query = named as PoolClient['query']
  })
}
