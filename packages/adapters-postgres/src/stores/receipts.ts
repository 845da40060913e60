import {
  decodeCursor,
  ERASED_DID,
  invalidCursor,
  type PageRequest,
  type Receipt,
  type ReceiptPayer,
  type ReceiptStore,
} from '@eep/core/ports'
import type { ExpressionBuilder } from 'kysely'
import type { Database, Db, NewRow, Row } from '../database.ts'
import { isText, isUuid, moment, toCountedPage, toDate, toDateOrNull } from '../rows.ts'

export function receipts(db: Db): ReceiptStore {
  return {
    async get(receiptId) {
      if (!isText(receiptId)) return undefined
      const row = await db.selectFrom('receipts').selectAll().where('receipt_id', '=', receiptId).executeTakeFirst()
      return row && toReceipt(row)
    },

    list: (payer, request) => list(db, payer, request),

    async insert(receipt) {
      const row = await db
        .insertInto('receipts')
        .values(toRow(receipt))
        .onConflict((conflict) => conflict.column('receipt_id').doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toReceipt(row)
    },

    async listOfAccount(accountId, limit) {
      if (!isUuid(accountId)) return []
      const rows = await db.selectFrom('receipts').selectAll().where(namesAccount(accountId)).limit(limit).execute()
      return rows.map(toReceipt)
    },

    async replace(receipt) {
      const { receipt_id, ...changes } = toRow(receipt)
      const row = await db
        .updateTable('receipts')
        .set(changes)
        .where('receipt_id', '=', receipt_id)
        .returningAll()
        .executeTakeFirst()
      return row && toReceipt(row)
    },
  }
}

/** Receipts that an account paid or was paid by, and those for profiles it has now unless their seller was erased. */
const namesAccount = (accountId: string) => (where: ExpressionBuilder<Database, 'receipts'>) =>
  where.or([
    where('payer_account_id', '=', accountId),
    where('seller_account_id', '=', accountId),
    where.and([
      where('seller_did', '!=', ERASED_DID),
      where('profile_id', 'in', (query) =>
        query.selectFrom('profiles').select('profiles.id').where('owner_account_id', '=', accountId),
      ),
    ]),
  ])

async function list(db: Db, payer: ReceiptPayer, request: PageRequest) {
  const all = db.selectFrom('receipts')
  const paid =
    'accountId' in payer ? all.where('payer_account_id', '=', payer.accountId) : all.where('payer_did', '=', payer.did)
  const counted = paid.select((query) => query.fn.countAll<string>().as('count'))
  let query = paid.selectAll().select(counted.as('total'))
  if (request.cursor !== undefined) {
    const [issued, id] = decodeCursor(request.cursor, ['number', 'string'])
    const issuedAt = moment(issued)
    if (typeof id !== 'string' || !isText(id)) throw invalidCursor()
    query = query
      .where('issued_at', '<=', issuedAt)
      .where((where) => where.or([where('issued_at', '<', issuedAt), where('receipt_id', '>', id)]))
  }
  const rows = await query
    .orderBy('issued_at', 'desc')
    .orderBy('receipt_id')
    .limit(request.limit + 1)
    .execute()
  return toCountedPage(rows, request, {
    item: toReceipt,
    key: (receipt) => [receipt.issuedAt.getTime(), receipt.receiptId],
    count: async () => (await counted.executeTakeFirstOrThrow()).count,
  })
}

const toRow = (receipt: Receipt): NewRow<'receipts'> => ({
  receipt_id: receipt.receiptId,
  profile_id: receipt.seller.profileId,
  seller_did: receipt.seller.did,
  seller_account_id: receipt.seller.accountId,
  resource: receipt.resource,
  resource_pattern: receipt.resourcePattern,
  tier: receipt.tier,
  per: receipt.per,
  amount_atomic: receipt.amount.atomic,
  amount_decimal: receipt.amount.decimal,
  amount_asset: receipt.amount.asset,
  amount_currency: receipt.amount.currency,
  commission_bps: receipt.commissionBps,
  rail: receipt.rail,
  settlement_reference: receipt.settlement.reference,
  settlement_transaction: receipt.settlement.transaction,
  settlement_network: receipt.settlement.network,
  payer_did: receipt.payerDid,
  payer_account_id: receipt.payerAccountId,
  payer_wallet_address: receipt.payerWalletAddress,
  payer_network: receipt.payerNetwork,
  gate_hit_at: receipt.timeline.gateHitAt,
  challenge_issued_at: receipt.timeline.challengeIssuedAt,
  paid_at: receipt.timeline.paidAt,
  settled_at: receipt.timeline.settledAt,
  issued_at: receipt.issuedAt,
  signature: receipt.signature,
})

const toReceipt = (row: Row<'receipts'>): Receipt => ({
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
    gateHitAt: toDateOrNull(row.gate_hit_at),
    challengeIssuedAt: toDateOrNull(row.challenge_issued_at),
    paidAt: toDate(row.paid_at),
    settledAt: toDate(row.settled_at),
  },
  issuedAt: toDate(row.issued_at),
  signature: row.signature,
})
