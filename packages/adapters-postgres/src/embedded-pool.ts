import { setImmediate } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool } from 'pg'

/** How many statements the connection keeps. */
const MAX_STATEMENTS = 500

/**
 * The pool of an embedded database, as Kysely uses it. Each statement waits for a turn of the event loop: the database does no
 * asynchronous I/O, so a whole transaction would run in one turn and block all other requests. A statement is planned once,
 * because in PGlite planning takes longer than execution. A connection is never destroyed, because the next one would continue its
 * session: a transaction whose rollback failed is rolled back before other work starts.
 */
export function embeddedPool(pool: Pool): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_STATEMENTS) return known
    const name = `eep_${names.size}`
    names.set(text, name)
    return name
  }

  let needsRollback = false
  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect()
    try {
      if (needsRollback) await client.query('rollback')
      needsRollback = false
    } catch (error) {
      client.release()
      throw error
    }
    async function query(text: string, values: readonly unknown[]) {
      await setImmediate()
      // Statements without parameters may be several in one text, which cannot be prepared.
      return client.query({ text, values: [...values], ...(values.length > 0 && { name: nameOf(text) }) })
    }
    function release(destroy = false): void {
      needsRollback = destroy
      client.release()
    }
    // Its type also takes a cursor, which no statement of the adapter uses.
    return { query: query as unknown as PostgresPoolClient['query'], release }
  }
  return { connect, end: () => pool.end(), options: pool.options }
}
