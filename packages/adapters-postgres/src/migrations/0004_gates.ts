import type { Migration } from './index.ts'

export const m0004Gates: Migration = [
  `create table gates (
    profile_id bigint primary key references profiles on delete cascade,
    config json not null,
    version integer not null,
    updated_at timestamptz not null
  )`,

  `create table entitlements (
    id uuid primary key,
    profile_id bigint not null references profiles on delete cascade,
    resource_pattern text not null,
    payer_wallet_address text not null,
    payer_network text not null,
    tier text not null,
    receipt_id text,
    valid_until timestamptz,
    created_at timestamptz not null,
    unique (profile_id, payer_wallet_address, payer_network, resource_pattern)
  )`,
]
