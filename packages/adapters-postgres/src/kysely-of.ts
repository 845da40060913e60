import type { Stores } from '@eep/core/ports'
import type { Kysely } from 'kysely'

/** Under which the stores of a transaction carry its Kysely. A symbol, so that copies of the stores keep it. */
export const TRANSACTION = Symbol('the Kysely of the transaction')

/**
 * The Kysely of a running transaction, so that a host writes its own tables in it: they are stored together with what the
 * service stores, or not at all. Its tables are those of the search path of the connection, not of the schema of the
 * storage. `Tables` are the host's.
 *
 * The transaction may be run again after a conflict. Do not commit it or roll it back, and do not use it after it ends.
 *
 * @throws TypeError when the transaction is not one of this package
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * await write(async (tx, emit) => {
 *   await kyselyOf<MyTables>(tx).insertInto('my_orders').values({ id }).execute()
 *   emit(orderPlaced, { id })
 * })
 */
export function kyselyOf<Tables>(tx: Stores): Kysely<Tables> {
  const db = (tx as { readonly [TRANSACTION]?: Kysely<Tables> })[TRANSACTION]
  if (!db) throw new TypeError('These stores are not those of a transaction of @eep/adapters-postgres')
  return db
}
