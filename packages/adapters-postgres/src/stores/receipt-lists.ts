import {
  ERASED_DID,
  type Page,
  type PageRequest,
  type PeriodSum,
  type Receipt,
  type ReceiptQuery,
  type ReceiptWithRefund,
  type Refund,
  type SaleRecord,
  type SalesQuery,
  type SalesSum,
} from '@eep/core/ports'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { paidRequestDb } from '../paid-request-tables.ts'
import { isOfProfiles, isUuid, toDate } from '../rows.ts'
import { customerId, customerKey, publicUsernames, toCustomer } from './customers.ts'

type Receipts = SelectQueryBuilder<Database, 'receipts', object>

/** The columns of the refund and the refund claim of a receipt. */
export const REFUND = [
  'refunds.reference as refund_reference',
  'refunds.reason as refund_reason',
  'refunds.refunded_at as refund_at',
  'refunds.refunded_by as refund_by',
  'refund_claims.reference as claim_reference',
  'refund_claims.reason as claim_reason',
  'refund_claims.claimed_at as claim_at',
  'refund_claims.claimed_by as claim_by',
] as const

/** A page of some receipts by (issued_at descending, receipt_id), each with its refund and refund claim. */
async function list(receipts: Receipts, request: PageRequest) {
  const counted = receipts.select((query) => query.fn.countAll<string>().as('count'))
  const query = receipts
    .leftJoin('refunds', 'refunds.receipt_id', 'receipts.receipt_id')
    .leftJoin('refund_claims', 'refund_claims.receipt_id', 'receipts.receipt_id')
    .selectAll('receipts')
    .select(REFUND)
    .select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('receipts.issued_at', 'moment'), asc('receipts.receipt_id', 'text')],
    item: toReceiptWithRefund,
    key: (receipt) => [receipt.issuedAt.getTime(), receipt.receiptId],
    counted,
  })
}

/**
 * Locks and returns receipts that an account paid, or was paid by, or those of profiles it has now unless their seller was erased. One
 * condition at a time, and without counting, because replacing them all reads this list again and again.
 */
async function listNaming(db: Db, accountId: string, { limit }: PageRequest): Promise<Page<ReceiptWithRefund>> {
  if (!isUuid(accountId)) return { items: [], total: 0 }
  const ofProfiles = db.selectFrom('profiles').select('profiles.id').where('owner_account_id', '=', accountId)
  for (const isNamed of [
    sql<boolean>`receipts.payer_account_id = ${accountId}`,
    sql<boolean>`receipts.seller_account_id = ${accountId}`,
    sql<boolean>`receipts.seller_did <> ${ERASED_DID} and receipts.profile_id in (${ofProfiles})`,
  ]) {
    const rows = await db
      .selectFrom('receipts')
      .leftJoin('refunds', 'refunds.receipt_id', 'receipts.receipt_id')
      .leftJoin('refund_claims', 'refund_claims.receipt_id', 'receipts.receipt_id')
      .selectAll('receipts')
      .select(REFUND)
      .where(isNamed)
      .limit(limit)
      .forNoKeyUpdate('receipts')
      .execute()
    if (rows.length > 0) return { items: rows.map(toReceiptWithRefund), total: rows.length }
  }
  return { items: [], total: 0 }
}

const receiptsFor = (db: Db, which: Exclude<ReceiptQuery, { naming: string }>): Receipts => {
  const all = db.selectFrom('receipts')
  if ('did' in which) return all.where('receipts.payer_did', '=', which.did)
  if ('network' in which) return all.where('receipts.settlement_network', '=', which.network)
  return all.where('receipts.payer_account_id', '=', which.accountId)
}

export const listReceipts = (db: Db, which: ReceiptQuery, request: PageRequest) =>
  'naming' in which ? listNaming(db, which.naming, request) : list(receiptsFor(db, which), request)

/** A page of receipts by (time of the claim or refund descending, receipt_id). */
export function listRefunds(
  db: Db,
  state: 'claimed' | 'refunded',
  request: PageRequest,
): Promise<Page<ReceiptWithRefund>> {
  const isClaimed = state === 'claimed'
  const counted = isClaimed
    ? db.selectFrom('refund_claims').select(({ fn }) => fn.countAll<string>().as('count'))
    : db.selectFrom('refunds').select(({ fn }) => fn.countAll<string>().as('count'))
  const query = db
    .selectFrom('receipts')
    .leftJoin('refunds', 'refunds.receipt_id', 'receipts.receipt_id')
    .leftJoin('refund_claims', 'refund_claims.receipt_id', 'receipts.receipt_id')
    .where(isClaimed ? 'refund_claims.receipt_id' : 'refunds.receipt_id', 'is not', null)
    .selectAll('receipts')
    .select(REFUND)
    .select(counted.as('total'))
  return listPage(query, request, {
    order: [
      desc(isClaimed ? 'refund_claims.claimed_at' : 'refunds.refunded_at', 'moment'),
      asc('receipts.receipt_id', 'text'),
    ],
    item: toReceiptWithRefund,
    key: ({ receiptId, refund, refundClaim }) => [
      (refundClaim?.claimedAt ?? refund?.refundedAt ?? new Date(0)).getTime(),
      receiptId,
    ],
    counted,
  })
}

function salesOf(db: Db, { profileIds, from, to }: SalesQuery): Receipts {
  let sales = db.selectFrom('receipts').where(isOfProfiles(profileIds, 'receipts.profile_id'))
  if (from !== undefined) sales = sales.where('receipts.issued_at', '>=', from)
  if (to !== undefined) sales = sales.where('receipts.issued_at', '<', to)
  return sales
}

/** The titles of the sold resources, and the customers, of some receipts, by receipt id. */
async function namesOf(db: Db, receipts: readonly ReceiptWithRefund[]) {
  const compensated = paidRequestDb(db)
    .selectFrom('paid_requests')
    .select('payment_id')
    .where(sql<boolean>`payment_id = payments.id`)
    .where('taken_at', 'is not', null)
  const rows = await db
    .selectFrom('receipts')
    .leftJoin('payments', 'payments.receipt_id', 'receipts.receipt_id')
    .select([
      'receipts.receipt_id',
      'receipts.payer_did',
      'receipts.payer_wallet_address',
      'receipts.payer_network',
      'receipts.rail',
      sql<string | null>`payments.purchase #>> '{shown,description}'`.as('title'),
      'payments.told_email',
      customerKey.as('customer_key'),
      customerId.as('customer_id'),
      sql<boolean>`payments.delivered_at is null and exists (${compensated})`.as('undelivered'),
    ])
    .where(
      'receipts.receipt_id',
      'in',
      receipts.map(({ receiptId }) => receiptId),
    )
    .execute()
  const usernames = await publicUsernames(
    db,
    rows.map(({ customer_key }) => customer_key),
  )
  return new Map(
    rows.map(
      (row) =>
        [
          row.receipt_id,
          {
            title: row.title,
            toldEmail: row.told_email,
            customer: toCustomer(row, usernames),
            undelivered: row.undelivered === true,
          },
        ] as const,
    ),
  )
}

export async function listSales(db: Db, query: SalesQuery, request: PageRequest): Promise<Page<SaleRecord>> {
  const page = await list(salesOf(db, query), request)
  if (page.items.length === 0) return { ...page, items: [] }
  const names = await namesOf(db, page.items)
  const items = page.items.flatMap((receipt) => {
    const named = names.get(receipt.receiptId)
    return named ? [{ ...receipt, ...named }] : []
  })
  return { ...page, items }
}

const OF_ASSET = [
  'receipts.rail',
  'receipts.settlement_network',
  'receipts.amount_asset',
  'receipts.amount_currency',
] as const

/** The sums of sales by rail, network, asset and currency. */
function sums(db: Db, query: SalesQuery) {
  const atomic = sql`receipts.amount_atomic::numeric`
  const isRefunded = sql`refunds.receipt_id is not null`
  return salesOf(db, query)
    .leftJoin('refunds', 'refunds.receipt_id', 'receipts.receipt_id')
    .select([
      'receipts.rail',
      'receipts.settlement_network as network',
      'receipts.amount_asset as asset',
      'receipts.amount_currency as currency',
    ])
    .select([
      sql<string>`count(*)`.as('sales'),
      sql<string>`sum(${atomic})::text`.as('gross'),
      sql<string>`count(refunds.receipt_id)`.as('refunds'),
      sql<string>`coalesce(sum(${atomic}) filter (where ${isRefunded}), 0)::text`.as('refunded'),
      sql<string>`coalesce(sum(div(${atomic} * receipts.commission_bps, 10000)) filter (where not ${isRefunded}), 0)::text`.as(
        'commission',
      ),
    ])
}

const withNumbers = <Counted extends { readonly sales: string; readonly refunds: string }>(row: Counted) => ({
  ...row,
  sales: Number(row.sales),
  refunds: Number(row.refunds),
})

export async function sumSales(db: Db, query: SalesQuery): Promise<readonly SalesSum[]> {
  let all = sums(db, query).groupBy(OF_ASSET)
  for (const column of OF_ASSET) all = all.orderBy(column)
  return (await all.execute()).map(withNumbers)
}

export async function sumSalesByPeriod(
  db: Db,
  query: SalesQuery,
  starts: readonly Date[],
): Promise<readonly PeriodSum[]> {
  if (starts.length === 0) return []
  const times = `{${starts.map((start) => start.toISOString()).join()}}`
  const period = sql<number>`width_bucket(receipts.issued_at, ${times}::text::timestamptz[])`
  let all = sums(db, query)
    .where('receipts.issued_at', '>=', starts[0] ?? new Date(0))
    .select(period.as('period'))
    .groupBy([sql.ref('period'), ...OF_ASSET])
    .orderBy(sql.ref('period'))
  for (const column of OF_ASSET) all = all.orderBy(column)
  return (await all.execute()).map((row) => ({ ...withNumbers(row), period: Number(row.period) - 1 }))
}

type WithRefund = Row<'receipts'> & {
  readonly refund_reference: string | null
  readonly refund_reason: string | null
  readonly refund_at: Date | string | null
  readonly refund_by: string | null
  readonly claim_reference: string | null
  readonly claim_reason: string | null
  readonly claim_at: Date | string | null
  readonly claim_by: string | null
}

export const toReceiptWithRefund = (row: WithRefund): ReceiptWithRefund => ({
  ...toReceipt(row),
  refund:
    row.refund_reference === null || row.refund_at === null
      ? null
      : {
          receiptId: row.receipt_id,
          reference: row.refund_reference,
          reason: row.refund_reason,
          refundedAt: toDate(row.refund_at),
          refundedBy: row.refund_by,
        },
  refundClaim:
    row.claim_reference === null || row.claim_at === null || row.refund_reference !== null
      ? null
      : {
          receiptId: row.receipt_id,
          reference: row.claim_reference,
          reason: row.claim_reason,
          claimedAt: toDate(row.claim_at),
          claimedBy: row.claim_by,
        },
})

export const toRefund = (row: Row<'refunds'>): Refund => ({
  receiptId: row.receipt_id,
  reference: row.reference,
  reason: row.reason,
  refundedAt: toDate(row.refunded_at),
  refundedBy: row.refunded_by,
})

export const toReceipt = (row: Row<'receipts'>): Receipt => ({
  receiptId: row.receipt_id,
  seller: { profileId: Number(row.profile_id), did: row.seller_did, accountId: row.seller_account_id },
  resource: row.resource,
  resourcePattern: row.resource_pattern,
  tier: row.tier,
  per: row.per,
  amount: {
    atomic: row.amount_atomic,
    decimal: row.amount_decimal,
    asset: row.amount_asset,
    currency: row.amount_currency,
  },
  commissionBps: row.commission_bps,
  rail: row.rail,
  settlement: {
    reference: row.settlement_reference,
    transaction: row.settlement_transaction,
    network: row.settlement_network,
  },
  payerDid: row.payer_did,
  payerAccountId: row.payer_account_id,
  payerWalletAddress: row.payer_wallet_address,
  payerNetwork: row.payer_network,
  timeline: {
    gateHitAt: toDate(row.gate_hit_at),
    challengeIssuedAt: toDate(row.challenge_issued_at),
    basis: row.timeline_basis,
    paidAt: toDate(row.paid_at),
    settledAt: toDate(row.settled_at),
  },
  issuedAt: toDate(row.issued_at),
  signature: row.signature,
})
