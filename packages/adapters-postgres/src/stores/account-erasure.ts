import {
  accountHolder,
  ERASED_ACCOUNT_ID,
  ERASED_DID,
  type ErasedAccount,
  emailHolder,
  type OwnershipEvents,
} from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isOfProfiles, isUuid } from '../rows.ts'
import { eraseFromPayments } from './payment-erasure.ts'

const PAYMENTS_AT_ONCE = 500

/** Locks an account for erasure, and waits for transactions that reference it. */
export const lockForErasure = async (db: Db, id: string): Promise<Row<'accounts'> | undefined> =>
  isUuid(id)
    ? await db.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    : undefined

/**
 * Returns the profiles of an account, including deleted ones, because financial records and the log still name them. A profile that was
 * transferred belongs to its last owner.
 */
export async function listErasedProfiles(
  db: Db,
  schema: string,
  id: string,
  { owner, newOwner }: OwnershipEvents,
): Promise<readonly number[]> {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const { rows } = await sql<{ id: number | string }>`
    select id from ${table('profiles')} where owner_account_id = ${id}
    union
    select profile_id from (
      select profile_id from ${table('receipts')} where seller_account_id = ${id}
      union
      select profile_id from ${table('events')}
      where account_id = ${id} and type = any(${owner}::text[])
    ) as known
    where profile_id is not null and not exists (select from ${table('profiles')} where id = known.profile_id)
      and coalesce((
        select account_id is not distinct from ${id}::text from ${table('events')} as handed
        where handed.profile_id = known.profile_id and handed.type = any(${newOwner}::text[])
        order by handed.era desc, handed.xid desc, handed.position desc limit 1
      ), true)`.execute(db)
  return rows.map((row) => Number(row.id))
}

/** Erases a locked account from the tables of the required group. The order is that of the locks of payments. */
export async function eraseAccount(db: Db, account: ErasedAccount, keptEvents: readonly string[]): Promise<void> {
  const { id } = account
  while ((await eraseFromPayments(db, account, PAYMENTS_AT_ONCE)) > 0);
  await eraseFromReceipts(db, account)
  await eraseFromEvents(db, account, keptEvents)
  await db.deleteFrom('profiles').where('owner_account_id', '=', id).execute()
  await eraseEntitlements(db, account)
  await db
    .updateTable('page_versions')
    .set({ created_by: ERASED_ACCOUNT_ID, through: null })
    .where('created_by', '=', id)
    .execute()
  await db.updateTable('page_drafts').set({ updated_by: null }).where('updated_by', '=', id).execute()
  await db.updateTable('scheduled_publications').set({ scheduled_by: null }).where('scheduled_by', '=', id).execute()
  await db.updateTable('gate_versions').set({ changed_by: null }).where('changed_by', '=', id).execute()
  await db.deleteFrom('accounts').where('id', '=', id).execute()
}

/** Signatures cover the names, too, so a receipt that was not signed again without them loses its signature. */
async function eraseFromReceipts(db: Db, { id, profileIds }: ErasedAccount) {
  await db
    .updateTable('receipts')
    .set({ payer_account_id: null, payer_did: null, signature: '' })
    .where('payer_account_id', '=', id)
    .execute()
  await db
    .updateTable('receipts')
    .set({ seller_did: ERASED_DID, signature: '' })
    .where((where) => where.or([where('seller_account_id', '=', id), isOfProfiles(profileIds)]))
    .where('seller_did', '!=', ERASED_DID)
    .execute()
  await db.updateTable('receipts').set({ seller_account_id: null }).where('seller_account_id', '=', id).execute()
}

/** Deletes the entitlements of the account and their grants. Grants to an address that it does not own belong to the owner of the address. */
async function eraseEntitlements(db: Db, { id, email, emailOwned }: ErasedAccount) {
  const holders = [accountHolder(id), ...(emailOwned ? [emailHolder(email)] : [])]
  for (const { payerWalletAddress, payerNetwork } of holders) {
    // Entitlements are locked before their grants, as everywhere.
    for (const table of ['entitlements', 'grants'] as const) {
      await db
        .deleteFrom(table)
        .where('payer_wallet_address', '=', payerWalletAddress)
        .where('payer_network', '=', payerNetwork)
        .execute()
    }
  }
}

/**
 * Events stay without data when they are about the account or its profiles, or when the account caused them and their type is not
 * kept, and without the account in any case.
 */
async function eraseFromEvents(db: Db, { id, profileIds }: ErasedAccount, kept: readonly string[]) {
  await db
    .updateTable('events')
    .set({ data: sql<never>`'{}'` })
    // Parts of the erasure may have emptied many.
    .where(sql<boolean>`data::text <> '{}'`)
    .where((where) =>
      where.or([
        isOfProfiles(profileIds),
        where.and([
          where('account_id', '=', id),
          where('profile_id', 'is', null),
          sql<boolean>`type <> all(${kept}::text[])`,
        ]),
        where('about_account_id', '=', id),
      ]),
    )
    .execute()
  await db.updateTable('events').set({ about_account_id: null }).where('about_account_id', '=', id).execute()
  await db.updateTable('events').set({ account_id: null, through: null }).where('account_id', '=', id).execute()
}
