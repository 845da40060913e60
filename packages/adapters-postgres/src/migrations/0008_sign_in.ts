import type { Migration } from './index.ts'

export const m0008SignIn: Migration = [
  `create table identities (
    provider text not null,
    subject text not null,
    account_id uuid not null references accounts on delete cascade,
    email text,
    created_at timestamptz not null,
    primary key (provider, subject)
  )`,
  'create index identities_of_account on identities (account_id)',

  // A new verification changes the time, so the order of linking is a separate column.
  `create table wallets (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    address text not null,
    chain_id bigint not null,
    verified_at timestamptz not null,
    linked bigint generated always as identity,
    unique (account_id, address, chain_id)
  )`,

  `create table payouts (
    id bigint generated always as identity primary key,
    account_id uuid not null references accounts on delete cascade,
    wallet_id uuid not null references wallets on delete cascade,
    network text not null,
    asset text not null,
    enabled boolean not null,
    created_at timestamptz not null
  )`,
  'create unique index payouts_enabled on payouts (account_id, network) where enabled',
  'create index payouts_of_account on payouts (account_id, id)',
  'create index payouts_of_wallet on payouts (wallet_id)',
]
