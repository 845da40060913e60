import type { Migration } from './index.ts'

export const m0042Buyers: Migration = [
  // Finds the purchases of an email address that was entered at the rail. It contains a keyed hash, never the address.
  'alter table payments add column buyer text',
  'create index payments_of_buyer on payments (buyer, created_at desc) where buyer is not null',
]
