import type { Migration } from '../index.ts'

export const commerce: Migration = [
  `create table services (
    id text primary key,
    profile_id bigint not null references profiles on delete cascade,
    details json not null,
    score_sum integer not null default 0,
    score_count integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  'create index services_of_profile on services (profile_id, created_at, id)',

  // Financial records of both sides, which outlive accounts and profiles.
  `create table negotiations (
    id text primary key,
    seller_profile_id bigint not null,
    seller_did text not null,
    buyer_profile_id bigint,
    buyer_did text not null,
    service text not null,
    pricing_mode text not null,
    metadata json not null,
    state text not null,
    version integer not null,
    offered_by text not null,
    pricing json not null,
    terms json not null,
    expires_at timestamptz not null,
    invoice json,
    receipt json,
    dispute json,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  'create index negotiations_of_seller on negotiations (seller_profile_id, created_at desc, id desc)',
  `create index negotiations_of_buyer on negotiations (buyer_profile_id, created_at desc, id desc)
    where buyer_profile_id is not null`,
  `create index negotiations_of_agent on negotiations (buyer_did, created_at desc, id desc)
    where buyer_profile_id is null`,
  `create index negotiations_due on negotiations (expires_at, id) where state in ('open', 'countered')`,

  `create table negotiation_moves (
    negotiation_id text not null references negotiations,
    version integer not null,
    action text not null,
    state text not null,
    by text not null,
    account_id uuid,
    data json not null,
    at timestamptz not null,
    primary key (negotiation_id, version)
  )`,
  'create index negotiation_moves_of_account on negotiation_moves (account_id) where account_id is not null',

  `create table negotiation_payments (
    payment text primary key,
    negotiation_id text not null references negotiations
  )`,

  `create table reviews (
    id uuid primary key,
    service_id text not null references services on delete cascade,
    profile_id bigint not null,
    negotiation_id text not null unique references negotiations,
    reviewer_profile_id bigint,
    reviewer_did text not null,
    score integer not null check (score between 1 and 5),
    comment text,
    created_at timestamptz not null
  )`,
  'create index reviews_of_profile on reviews (profile_id, created_at desc, id desc)',
  'create index reviews_of_service on reviews (service_id, created_at desc, id desc)',
  'create index reviews_of_reviewer on reviews (reviewer_profile_id) where reviewer_profile_id is not null',
]
