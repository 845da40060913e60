import { csvOf } from '../../../kernel/csv.ts'
import { nameOfCustomer } from './customer.ts'
import type { Sale } from './sale.ts'

const COLUMNS = [
  'receipt_id',
  'issued_at',
  'resource',
  'title',
  'tier',
  'per',
  'amount',
  'currency',
  'amount_atomic',
  'asset',
  'rail',
  'network',
  'transaction',
  'commission_bps',
  'payer_wallet_address',
  'payer_network',
  'payer_did',
  'customer_id',
  'customer_name',
  'buyer_email',
  'refunded_at',
  'refund_reference',
] as const

type Line = Readonly<Record<(typeof COLUMNS)[number], string | number>>

const lineOf = ({ amount, settlement, refund, customer, ...receipt }: Sale): Line => ({
  receipt_id: receipt.receiptId,
  issued_at: receipt.issuedAt.toISOString(),
  resource: receipt.resource,
  title: receipt.title ?? '',
  tier: receipt.tier,
  per: receipt.per,
  amount: amount.decimal,
  currency: amount.currency,
  amount_atomic: amount.atomic,
  asset: amount.asset,
  rail: receipt.rail,
  network: settlement.network,
  transaction: settlement.transaction ?? settlement.reference,
  commission_bps: receipt.commissionBps,
  payer_wallet_address: receipt.payerWalletAddress,
  payer_network: receipt.payerNetwork,
  payer_did: receipt.payerDid ?? '',
  customer_id: customer.id,
  customer_name: nameOfCustomer(customer) ?? '',
  buyer_email: receipt.toldEmail ?? '',
  refunded_at: refund?.refundedAt.toISOString() ?? '',
  refund_reference: refund?.reference ?? '',
})

/** Sales as CSV (RFC 4180); text that a spreadsheet would run as a formula is marked as text. */
export const salesCsv = (receipts: readonly Sale[], { header }: { readonly header: boolean }): string =>
  csvOf([...(header ? [COLUMNS] : []), ...receipts.map(lineOf).map((line) => COLUMNS.map((column) => line[column]))])
