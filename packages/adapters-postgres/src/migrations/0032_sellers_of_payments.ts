import type { Migration } from './index.ts'

export const m0032SellersOfPayments: Migration = [
  // Who owned the profile when a payment was claimed. Null for those from before, and for what the service itself sold.
  'alter table payments add column seller_account_id text',
  'create index payments_of_seller on payments (seller_account_id) where seller_account_id is not null',
]
