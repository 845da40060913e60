import type { Customer, CustomerReader, CustomerRecord, Page, PageRequest } from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { isUuid, toDate } from '../rows.ts'

const ACCOUNT = 'account '

/** How many titles of purchases a customer has at most. */
const MAX_TITLES = 4

/** The key of the customer of a receipt, for queries that join its payment. EVM addresses are case-insensitive. */
export const customerKey: RawBuilder<string> = sql<string>`case
  when receipts.payer_erased then 'erased'
  when receipts.payer_account_id is not null then ${sql.lit(ACCOUNT)} || receipts.payer_account_id
  when payments.buyer is not null then 'buyer ' || payments.buyer
  when receipts.payer_did is not null then 'agent ' || receipts.payer_did
  else 'payer ' || receipts.payer_network || ' ' || case
    when receipts.payer_wallet_address ~* '^0x' then lower(receipts.payer_wallet_address)
    else receipts.payer_wallet_address end
  end`

/**
 * The id of a customer: it differs at each profile, so that sellers can neither read a key nor compare their customers. The key of a buyer
 * is a keyed hash already.
 */
export const customerId: RawBuilder<string> = sql<string>`encode(
  sha256(convert_to(receipts.profile_id || ' ' || ${customerKey}, 'UTF8')), 'hex')`

const KINDS: readonly Customer['kind'][] = ['account', 'buyer', 'agent', 'payer', 'erased']
const kindOf = (key: string): Customer['kind'] => KINDS.find((kind) => key.split(' ', 1)[0] === kind) ?? 'payer'

/** A customer as a query returns it, without its username. */
interface CustomerRow {
  readonly customer_id: string
  readonly customer_key: string
  readonly payer_did: string | null
  readonly payer_wallet_address: string
  readonly payer_network: string
  readonly rail: string
}

/** The usernames of the accounts among some customers whose person profile is public, by the key of the customer. */
export async function publicUsernames(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = keys.flatMap((key) => (kindOf(key) === 'account' ? [key.slice(ACCOUNT.length)] : [])).filter(isUuid)
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .innerJoin('profiles', (join) =>
      join
        .onRef('profiles.username', '=', 'accounts.username')
        .onRef('profiles.owner_account_id', '=', 'accounts.id')
        .on('profiles.type', '=', 'person')
        .on('profiles.visibility', '=', 'public')
        .on('profiles.withdrawn_at', 'is', null),
    )
    .select(['accounts.id', 'accounts.username'])
    .where('accounts.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, username }) => [`${ACCOUNT}${id}`, username]))
}

export const toCustomer = (row: CustomerRow, usernames: ReadonlyMap<string, string>): Customer => ({
  id: row.customer_id,
  kind: kindOf(row.customer_key),
  username: usernames.get(row.customer_key) ?? null,
  payerDid: row.payer_did,
  payerWalletAddress: row.payer_wallet_address,
  payerNetwork: row.payer_network,
  rail: row.rail,
})

/** The receipts of a profile with their payments. */
const receiptsOf = (db: Db, profileId: number) =>
  db
    .selectFrom('receipts')
    .leftJoin('payments', 'payments.receipt_id', 'receipts.receipt_id')
    .where('receipts.profile_id', '=', profileId)

/** The sums of some customers of a profile, by their keys. */
async function sumsOf(db: Db, profileId: number, keys: readonly string[]) {
  const atomic = sql`receipts.amount_atomic::numeric`
  const rows = await receiptsOf(db, profileId)
    .leftJoin('refunds', 'refunds.receipt_id', 'receipts.receipt_id')
    .where(customerKey, 'in', keys)
    .select([
      customerKey.as('customer_key'),
      'receipts.settlement_network as network',
      'receipts.amount_asset as asset',
      'receipts.amount_currency as currency',
      sql<string>`sum(${atomic})::text`.as('gross'),
      sql<string>`coalesce(sum(${atomic}) filter (where refunds.receipt_id is not null), 0)::text`.as('refunded'),
    ])
    .groupBy([
      sql.ref('customer_key'),
      'receipts.settlement_network',
      'receipts.amount_asset',
      'receipts.amount_currency',
    ])
    .orderBy('receipts.settlement_network')
    .orderBy('receipts.amount_asset')
    .orderBy('receipts.amount_currency')
    .execute()
  return Map.groupBy(rows, ({ customer_key }) => customer_key)
}

/** The titles of the latest purchases of some customers of a profile, by their keys. */
async function titlesOf(db: Db, profileId: number, keys: readonly string[]) {
  const sold = receiptsOf(db, profileId)
    .where(customerKey, 'in', keys)
    .select([
      customerKey.as('customer_key'),
      'receipts.issued_at',
      sql<string>`coalesce(nullif(payments.purchase #>> '{shown,description}', ''), receipts.resource)`.as('title'),
    ])
  const last = db
    .selectFrom(sold.as('sold'))
    .select(['customer_key', 'title', sql<Date>`max(issued_at)`.as('last_at')])
    .groupBy(['customer_key', 'title'])
  const numbered = db
    .selectFrom(last.as('last'))
    .select(['customer_key', 'title'])
    .select(sql<string>`row_number() over (partition by customer_key order by last_at desc, title)`.as('place'))
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where(sql<boolean>`place <= ${sql.lit(MAX_TITLES)}`)
    .orderBy('place')
    .execute()
  return Map.groupBy(rows, ({ customer_key }) => customer_key)
}

async function listCustomers(db: Db, profileId: number, request: PageRequest): Promise<Page<CustomerRecord>> {
  const latest = (column: string) =>
    sql<string>`(array_agg(${sql.ref(column)} order by receipts.issued_at desc, receipts.receipt_id))[1]`
  const customers = receiptsOf(db, profileId)
    .leftJoin('refunds', 'refunds.receipt_id', 'receipts.receipt_id')
    .select([
      customerKey.as('customer_key'),
      customerId.as('customer_id'),
      sql<string | null>`max(receipts.payer_did)`.as('payer_did'),
      latest('receipts.payer_wallet_address').as('payer_wallet_address'),
      latest('receipts.payer_network').as('payer_network'),
      latest('receipts.rail').as('rail'),
      sql<string>`count(*)`.as('purchases'),
      sql<string>`count(refunds.receipt_id)`.as('refunded_purchases'),
      sql<Date>`min(receipts.issued_at)`.as('first_at'),
      sql<Date>`max(receipts.issued_at)`.as('last_at'),
    ])
    .groupBy([sql.ref('customer_key'), 'receipts.profile_id'])
  const counted = receiptsOf(db, profileId).select(sql<string>`count(distinct ${customerKey})`.as('count'))
  const page = await listPage(
    db.selectFrom(customers.as('customers')).selectAll('customers').select(counted.as('total')),
    request,
    {
      order: [desc('customers.last_at', 'moment'), asc('customers.customer_id', 'text')],
      item: (row) => row,
      key: ({ last_at, customer_id }) => [toDate(last_at).getTime(), customer_id],
      counted,
    },
  )
  if (page.items.length === 0) return { ...page, items: [] }
  const keys = page.items.map(({ customer_key }) => customer_key)
  const [usernames, sums] = [await publicUsernames(db, keys), await sumsOf(db, profileId, keys)]
  const titles = await titlesOf(db, profileId, keys)
  const items = page.items.map((row) => ({
    ...toCustomer(row, usernames),
    purchases: Number(row.purchases),
    refunds: Number(row.refunded_purchases),
    firstAt: toDate(row.first_at),
    lastAt: toDate(row.last_at),
    titles: (titles.get(row.customer_key) ?? []).map(({ title }) => title),
    sums: (sums.get(row.customer_key) ?? []).map(({ customer_key: _, ...sum }) => sum),
  }))
  return { ...page, items }
}

/** Customers of profiles. */
export function customers(db: Db): CustomerReader {
  return { listOf: (profileId, request) => listCustomers(db, profileId, request) }
}
