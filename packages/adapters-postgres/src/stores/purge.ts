import { accountHolder, ERASED_ACCOUNT_ID, ERASED_DID, emailHolder, type JsonObject } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isOfProfiles, isUuid, json } from '../rows.ts'
import { eraseFromCommerce } from './purge-commerce.ts'
import { eraseFromPayments } from './purge-payments.ts'

/** Removes an account with all that belongs to it, and its name from what stays. */
export async function purge(db: Db, schema: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  // The strong lock: concurrent additions to the account finish first, or fail.
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'email_verified'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!account) return false

  const profiles = await profilesOf(db, schema, id)
  await eraseFromPayments(db, id, profiles)
  await eraseFromReceipts(db, id, profiles)
  await eraseFromCommerce(db, id, profiles)
  await eraseFromEvents(db, id, profiles)
  await db.deleteFrom('profiles').where('owner_account_id', '=', id).execute()
  await db
    .deleteFrom('invitations')
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${account.email})`)
    .execute()
  await eraseEntitlements(db, id, account)
  await eraseReactions(db, id)
  await db.updateTable('page_versions').set({ created_by: ERASED_ACCOUNT_ID }).where('created_by', '=', id).execute()
  await db.updateTable('refunds').set({ refunded_by: null, reason: null }).where('refunded_by', '=', id).execute()
  await db.updateTable('refund_claims').set({ claimed_by: null, reason: null }).where('claimed_by', '=', id).execute()
  await db
    .updateTable('admin_audit')
    .set({ target: 'accounts/erased', before: json<JsonObject>({}), after: json<JsonObject>({}) })
    .where('target', '=', `accounts/${id}`)
    .execute()
  await db.updateTable('gate_versions').set({ changed_by: null }).where('changed_by', '=', id).execute()
  await db.deleteFrom('accounts').where('id', '=', id).execute()
  return true
}

/**
 * The profiles an account has, and those it had that are gone: payments and the log still refer to them. Transferred profiles
 * belong to their last owner.
 */
async function profilesOf(db: Db, schema: string, id: string): Promise<readonly number[]> {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const { rows } = await sql<{ id: number | string }>`
    select id from ${table('profiles')} where owner_account_id = ${id}
    union
    select profile_id from (
      select profile_id from ${table('receipts')} where seller_account_id = ${id}
      union
      select profile_id from ${table('events')}
      where account_id = ${id} and type in ('profiles.profile_created', 'profiles.profile_deleted')
    ) as known
    where profile_id is not null and not exists (select from ${table('profiles')} where id = known.profile_id)
      and coalesce((
        select account_id is not distinct from ${id}::text from ${table('events')} as handed
        where handed.profile_id = known.profile_id and handed.type = 'teams.profile_transferred'
        order by handed.era desc, handed.xid desc, handed.position desc limit 1
      ), true)`.execute(db)
  return rows.map((row) => Number(row.id))
}

/** A signature is over the names as well: a receipt that was not signed again without them has none. */
async function eraseFromReceipts(db: Db, id: string, profiles: readonly number[]) {
  await db
    .updateTable('receipts')
    .set({ payer_account_id: null, payer_did: null, signature: '' })
    .where('payer_account_id', '=', id)
    .execute()
  await db
    .updateTable('receipts')
    .set({ seller_did: ERASED_DID, signature: '' })
    .where((where) => where.or([where('seller_account_id', '=', id), isOfProfiles(profiles)]))
    .where('seller_did', '!=', ERASED_DID)
    .execute()
  await db.updateTable('receipts').set({ seller_account_id: null }).where('seller_account_id', '=', id).execute()
}

/** The entitlements of the account. Grants to an address that it never verified belong to the owner of the address. */
async function eraseEntitlements(
  db: Db,
  id: string,
  account: { readonly email: string; readonly email_verified: boolean },
) {
  const holders = [accountHolder(id), ...(account.email_verified ? [emailHolder(account.email)] : [])]
  for (const { payerWalletAddress, payerNetwork } of holders) {
    await db
      .deleteFrom('entitlements')
      .where('payer_wallet_address', '=', payerWalletAddress)
      .where('payer_network', '=', payerNetwork)
      .execute()
  }
}

/** The pages stay, so what they count has to follow. */
async function eraseReactions(db: Db, id: string) {
  await db
    .with('gone', (cte) => cte.deleteFrom('reactions').where('account_id', '=', id).returning(['page_id', 'kind']))
    .updateTable('reaction_counts')
    .from('gone')
    .set({ count: sql<number>`count - 1` })
    .whereRef('reaction_counts.page_id', '=', 'gone.page_id')
    .whereRef('reaction_counts.kind', '=', 'gone.kind')
    .execute()
}

async function eraseFromEvents(db: Db, id: string, profiles: readonly number[]) {
  await db
    .updateTable('events')
    .set({ data: sql<never>`'{}'` })
    .where((where) =>
      where.or([
        isOfProfiles(profiles),
        where.and([where('account_id', '=', id), where('profile_id', 'is', null)]),
        where('about_account_id', '=', id),
      ]),
    )
    .execute()
  await db.updateTable('events').set({ about_account_id: null }).where('about_account_id', '=', id).execute()
  await db.updateTable('events').set({ account_id: null }).where('account_id', '=', id).execute()
}
