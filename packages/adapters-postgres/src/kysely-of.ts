import type { Stores } from '@eep/core/ports'
import type { Kysely } from 'kysely'

/** The key of the Kysely instance in the stores of a transaction. A symbol, so that copies of the stores keep it. */
export const TRANSACTION = Symbol('the Kysely of the transaction')

/**
 * Returns the Kysely instance of a running transaction, so that a host can write its own tables atomically with the changes of the
 * service. Tables are resolved by the search path of the connection, not in the schema of the
 * storage. `Tables` are the tables of the host.
 *
 * The transaction may run again after a conflict. Do not commit it, roll it back, or use it after it ends.
 *
 * @throws TypeError when the transaction does not belong to a storage of this package
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
  if (!db) throw new TypeError('These stores do not belong to a transaction of @eep/adapters-postgres')
  return db
}
