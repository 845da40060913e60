import type { Migration } from './index.ts'

export const m0082RefusedPayers: Migration = [
  // Finds earlier refusals of a wallet before its next payment is claimed.
  "create index payments_refused_by_payer on payments ((payer ->> 'wallet')) where state = 'refused'",
]
