import type { Migration } from './index.ts'

export const m0076OwnPurchases: Migration = [
  // Receipts have EVM addresses as they were sent.
  'create index receipts_of_wallet on receipts (lower(payer_wallet_address), payer_network)',
  'create index payments_of_receipt on payments (receipt_id) where receipt_id is not null',
]
