import type { Migration } from './index.ts'

export const m0018Nonces: Migration = [
  `create table nonces (
    scope text not null,
    nonce text not null,
    expires_at timestamptz not null,
    primary key (scope, nonce)
  )`,
  'create index nonces_expiry on nonces (expires_at)',
]
