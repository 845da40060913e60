import type { OpenPurchaseReader, OwnPurchase, Page, PageRequest, PurchaseOwner } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { isText, isUuid, toDateOrNull } from '../rows.ts'
import { isLive } from './live-grants.ts'
import { REFUND, toReceiptWithRefund } from './receipt-lists.ts'

/** The receipts of an owner. Each way to own one has its index, so they are united and not joined by `or`. */
function receiptIdsOf(db: Db, { accountId, payer, buyers = [] }: PurchaseOwner) {
  const receipts = db.selectFrom('receipts').select('receipts.receipt_id as id')
  const none = receipts.where(sql.lit(false))
  const ofAccount =
    accountId !== undefined && isUuid(accountId) ? receipts.where('receipts.payer_account_id', '=', accountId) : none
  const ofBuyers =
    buyers.length > 0 && isText(...buyers)
      ? db
          .selectFrom('payments')
          .select(sql<string>`payments.receipt_id`.as('id'))
          .where('payments.buyer', 'in', buyers)
          .where('payments.receipt_id', 'is not', null)
      : none
  return ofAccount.union(ofPayer()).union(ofBuyers)

  function ofPayer() {
    if (payer === undefined || !isText(payer.payerWalletAddress, payer.payerNetwork)) return none
    const { payerWalletAddress: wallet, payerNetwork } = payer
    const ofWallet = receipts
      .where(sql<string>`lower(receipts.payer_wallet_address)`, '=', sql<string>`lower(${wallet}::text)`)
      .where('receipts.payer_network', '=', payerNetwork)
    // Receipts have EVM addresses as they were sent; other addresses distinguish case.
    return /^0x/i.test(wallet) ? ofWallet : ofWallet.where('receipts.payer_wallet_address', '=', wallet)
  }
}

function purchasesOf(db: Db, owner: PurchaseOwner) {
  const receipts = db.selectFrom('receipts').where('receipts.receipt_id', 'in', receiptIdsOf(db, owner))
  const counted = receipts.select((query) => query.fn.countAll<string>().as('count'))
  const query = receipts
    .innerJoin('payments', 'payments.receipt_id', 'receipts.receipt_id')
    .leftJoin('refunds', 'refunds.receipt_id', 'receipts.receipt_id')
    .leftJoin('refund_claims', 'refund_claims.receipt_id', 'receipts.receipt_id')
    .leftJoinLateral(
      (each) =>
        each
          .selectFrom('grants')
          .select(['grants.ends_at', sql<boolean>`true`.as('is_open')])
          .whereRef('grants.receipt_id', '=', 'receipts.receipt_id')
          .where(isLive)
          .orderBy('grants.ends_at', (order) => order.desc().nullsFirst())
          .limit(1)
          .as('longest'),
      (join) => join.onTrue(),
    )
    .selectAll('receipts')
    .select(REFUND)
    .select(['payments.purchase', 'longest.ends_at as open_until', 'longest.is_open'])
    .select(counted.as('total'))
  return { query, counted }
}

type PurchaseRow = Awaited<ReturnType<ReturnType<typeof purchasesOf>['query']['execute']>>[number]

const toOwnPurchase = (row: PurchaseRow): OwnPurchase => ({
  receipt: toReceiptWithRefund(row),
  purchase: row.purchase,
  access: row.is_open ? { validUntil: toDateOrNull(row.open_until) } : null,
})

/** A page of the purchases of an owner, by (issued_at descending, receipt_id). */
function listOwnPurchases(db: Db, owner: PurchaseOwner, request: PageRequest): Promise<Page<OwnPurchase>> {
  const { query, counted } = purchasesOf(db, owner)
  return listPage(query, request, {
    order: [desc('receipts.issued_at', 'moment'), asc('receipts.receipt_id', 'text')],
    item: toOwnPurchase,
    key: ({ receipt }) => [receipt.issuedAt.getTime(), receipt.receiptId],
    counted,
  })
}

async function getOwnPurchase(db: Db, owner: PurchaseOwner, receiptId: string) {
  if (!isText(receiptId)) return undefined
  const row = await purchasesOf(db, owner).query.where('receipts.receipt_id', '=', receiptId).executeTakeFirst()
  return row && toOwnPurchase(row)
}

/** Purchases of buyers. */
export function openPurchases(db: Db): OpenPurchaseReader {
  return {
    listOf: (owner, request) => listOwnPurchases(db, owner, request),

    getOf: (owner, receiptId) => getOwnPurchase(db, owner, receiptId),

    async list(buyers, limit) {
      if (buyers.length === 0 || !isText(...buyers)) return []
      const rows = await db
        .selectFrom('payments')
        .innerJoinLateral(
          (query) =>
            query
              .selectFrom('grants')
              .select(['grants.receipt_id', 'grants.ends_at'])
              .whereRef('grants.receipt_id', '=', 'payments.receipt_id')
              .where(isLive)
              .orderBy('grants.ends_at', (order) => order.desc().nullsFirst())
              .limit(1)
              .as('longest'),
          (join) => join.onTrue(),
        )
        .select(['longest.receipt_id', 'longest.ends_at', 'payments.purchase'])
        .where('payments.buyer', 'in', buyers)
        .orderBy('payments.created_at', 'desc')
        .orderBy('payments.id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        receiptId: String(row.receipt_id),
        purchase: row.purchase,
        validUntil: toDateOrNull(row.ends_at),
      }))
    },
  }
}
