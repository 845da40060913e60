import type { KyselyPlugin, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Throws before a statement that begins after a deadline, so that its transaction is rolled back. */
function deadline(limitMs: number): KyselyPlugin {
  const end = performance.now() + limitMs
  return {
    transformQuery({ node }) {
      if (performance.now() > end) throw new Error(`The transaction took longer than ${limitMs / 1_000} seconds`)
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/**
 * Limits the time of a transaction: of all its statements together, of each of them, and of pauses between them. While it is open,
 * the event log waits for it, so the streams, webhooks and notifications of everyone do.
 *
 * @param isServer - whether the database runs elsewhere, and can end a statement or a connection
 */
export async function limitTransaction(
  trx: Transaction<Database>,
  limitMs: number,
  isServer: boolean,
): Promise<Transaction<Database>> {
  if (limitMs === 0) return trx
  if (isServer) {
    await sql`select set_config('statement_timeout', ${`${limitMs}`}, true),
      set_config('idle_in_transaction_session_timeout', ${`${limitMs}`}, true)`.execute(trx)
  }
  return trx.withPlugin(deadline(limitMs))
}
