import type { ReservedName } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'

export async function getReservedName(db: Db, nameHashes: readonly string[]): Promise<ReservedName | undefined> {
  if (nameHashes.length === 0) return undefined
  const row = await db
    .selectFrom('reserved_names')
    .selectAll()
    .where('name_hash', 'in', nameHashes)
    .orderBy('reserved_at', 'desc')
    .executeTakeFirst()
  return (
    row && {
      type: row.type,
      nameHash: row.name_hash,
      ownerAccountId: row.owner_account_id,
      wasReadable: row.was_readable,
      at: toDate(row.reserved_at),
    }
  )
}

export async function countReservedNames(db: Db, accountId: string, since: Date): Promise<number> {
  if (!isUuid(accountId)) return 0
  const { count } = await db
    .selectFrom('reserved_names')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('owner_account_id', '=', accountId)
    .where('reserved_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a name is reserved for any account but this one. */
export async function isReservedName(db: Db, nameHashes: readonly string[], accountId: string): Promise<boolean> {
  const reserved = await getReservedName(db, nameHashes)
  return reserved !== undefined && reserved.ownerAccountId !== accountId
}

export async function reserveNames(db: Db, names: readonly ReservedName[]): Promise<void> {
  if (names.length === 0) return
  const rows = names.map(({ nameHash, type, ownerAccountId, wasReadable, at }) => ({
    name_hash: nameHash,
    type,
    owner_account_id: ownerAccountId,
    was_readable: wasReadable,
    reserved_at: at,
  }))
  await db
    .insertInto('reserved_names')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('name_hash').doUpdateSet((row) => ({
        owner_account_id: row.ref('excluded.owner_account_id'),
        was_readable: row.ref('excluded.was_readable'),
        reserved_at: row.ref('excluded.reserved_at'),
      })),
    )
    .execute()
}
