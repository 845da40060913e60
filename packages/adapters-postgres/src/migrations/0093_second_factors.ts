import type { Migration } from './index.ts'

export const m0093SecondFactors: Migration = [
  `create table second_factors (
    account_id uuid primary key references accounts on delete cascade,
    sealed_key text not null,
    confirmed boolean not null,
    last_step bigint not null,
    recovery_hashes text[] not null,
    created_at timestamptz not null
  )`,
]
