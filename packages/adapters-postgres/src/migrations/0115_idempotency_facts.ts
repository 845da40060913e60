import type { Migration } from './index.ts'

export const m0115IdempotencyFacts: Migration = [
  // What remains of a response without its body.
  'alter table idempotency_keys add column facts text',
  'create index idempotency_keys_of_account on idempotency_keys (account_id, expires_at)',
  // Every account may have many keys, and few with a body.
  'create index idempotency_keys_answers on idempotency_keys (account_id, expires_at) where answer is not null',
]
