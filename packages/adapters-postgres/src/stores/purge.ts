import { ERASED_ACCOUNT_ID, ERASED_DID } from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { isUuid } from '../rows.ts'
import { OPEN } from './payment-claim.ts'

/** Removes an account with all that belongs to it, and its name from what stays. */
export async function purge(db: Db, schema: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  // The strong lock: whoever adds something to the account at this moment is waited for, or comes too late.
  const account = await db.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!account) return false

  const profiles = await profilesOf(db, schema, id)
  await eraseFromPayments(db, id, profiles)
  await eraseFromReceipts(db, id, profiles)
  await eraseFromEvents(db, id, profiles)
  await db.deleteFrom('profiles').where('owner_account_id', '=', id).execute()
  await db.updateTable('page_versions').set({ created_by: ERASED_ACCOUNT_ID }).where('created_by', '=', id).execute()
  await db.deleteFrom('accounts').where('id', '=', id).execute()
  return true
}

type Ids = RawBuilder<number[]>

/** The profiles an account has, and those it had that are gone: the books and the log still tell of them. */
async function profilesOf(db: Db, schema: string, id: string): Promise<Ids> {
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
    where profile_id is not null and not exists (select from ${table('profiles')} where id = profile_id)`.execute(db)
  return sql`${`{${rows.map((row) => row.id).join()}}`}::text::bigint[]`
}

const isOneOf = (profiles: Ids) => sql<boolean>`profile_id = any(${profiles})`
const isOpen = sql<boolean>`state in (${sql.join(OPEN)})`

/** A JSON object with some of its members made anew; the others stay as they were written. */
const withMembers = (object: RawBuilder<unknown>, members: Readonly<Record<string, RawBuilder<unknown>>>) => {
  const cases = Object.entries(members).map(([key, value]) => sql`when ${sql.lit(key)} then ${value}`)
  return sql<never>`(select json_object_agg(key, case key ${sql.join(cases, sql` `)} else value end) from json_each(${object}))`
}

const withoutDid = (object: RawBuilder<unknown>) =>
  sql<never>`(select coalesce(json_object_agg(key, value) filter (where key <> 'did'), '{}') from json_each(${object}))`

/** What a rail needs to find out about an open payment stays; the seller in it gets the name that the purchase has. */
const unlessOpen = (column: 'proof' | 'checkpoint') => {
  const renamed = sql`replace(${sql.ref(column)}::text, (purchase -> 'sellerDid')::text, to_json(${ERASED_DID}::text)::text)`
  return sql<never>`case when ${isOpen} then ${renamed}::json else 'null' end`
}

async function eraseFromPayments(db: Db, id: string, profiles: Ids) {
  await db
    .updateTable('payments')
    .set({
      purchase: withMembers(sql.ref('purchase'), {
        sellerDid: sql`to_json(${ERASED_DID}::text)`,
        shown: withMembers(sql`value`, { url: sql`to_json(''::text)`, description: sql`to_json(''::text)` }),
        payTo: sql`case when ${isOpen} then value else '{}' end`,
      }),
      proof: unlessOpen('proof'),
      checkpoint: unlessOpen('checkpoint'),
    })
    .where(isOneOf(profiles))
    .execute()
  await db
    .updateTable('payments')
    .set({
      payer_account_id: null,
      payer_did: null,
      payer: withoutDid(sql.ref('payer')),
      settlement: withMembers(sql.ref('settlement'), { payer: withoutDid(sql`value`) }),
    })
    .where('payer_account_id', '=', id)
    .execute()
}

/** A signature is over the names as well: a receipt that was not signed anew without them has none. */
async function eraseFromReceipts(db: Db, id: string, profiles: Ids) {
  await db
    .updateTable('receipts')
    .set({ payer_account_id: null, payer_did: null, signature: '' })
    .where('payer_account_id', '=', id)
    .execute()
  await db
    .updateTable('receipts')
    .set({ seller_did: ERASED_DID, signature: '' })
    .where((where) => where.or([where('seller_account_id', '=', id), isOneOf(profiles)]))
    .where('seller_did', '!=', ERASED_DID)
    .execute()
  await db.updateTable('receipts').set({ seller_account_id: null }).where('seller_account_id', '=', id).execute()
}

async function eraseFromEvents(db: Db, id: string, profiles: Ids) {
  await db
    .updateTable('events')
    .set({ data: sql<never>`'{}'` })
    .where((where) =>
      where.or([
        isOneOf(profiles),
        where.and([where('account_id', '=', id), where('profile_id', 'is', null)]),
        sql<boolean>`data ->> 'accountId' = ${id}`,
      ]),
    )
    .execute()
  await db.updateTable('events').set({ account_id: null }).where('account_id', '=', id).execute()
}
