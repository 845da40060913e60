import type { Db } from '../database.ts'
import { isUuid } from '../rows.ts'

/** Removes an account with all that belongs to it. */
export async function purge(db: Db, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const account = await db.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!account) return false
  await db
    .updateTable('events')
    .set({ account_id: null, data: '{}' as never })
    .where('account_id', '=', id)
    .execute()
  await db.deleteFrom('profiles').where('owner_account_id', '=', id).execute()
  await db.deleteFrom('accounts').where('id', '=', id).execute()
  return true
}
