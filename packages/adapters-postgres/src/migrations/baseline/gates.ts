import type { Migration } from '../index.ts'

export const gates: Migration = [
  `create table gates (
    profile_id bigint primary key references profiles on delete cascade,
    config json not null,
    version integer not null,
    updated_at timestamptz not null,
    -- The profiles of the DIDs in a configuration at the time they were added.
    bound_dids json not null default '{}'
  )`,

  `create table gate_versions (
    profile_id bigint not null references profiles on delete cascade,
    version integer not null,
    config json not null,
    changed_by uuid,
    changed_at timestamptz not null,
    -- Sizes are listed and summed without reading the configurations.
    bytes integer not null,
    primary key (profile_id, version)
  )`,
  'create index gate_versions_of_author on gate_versions (changed_by) where changed_by is not null',

  // The documents of gates that people accepted with a button. Agents show a signature with each request instead.
  `create table agreements (
    account_id uuid not null references accounts on delete cascade,
    profile_id bigint not null references profiles on delete cascade,
    document_hash text not null,
    document_url text not null,
    accepted_at timestamptz not null,
    primary key (account_id, profile_id, document_hash)
  )`,
  'create index agreements_of_profile on agreements (profile_id)',

  // Sessions are signed tokens and not stored. A row ends those of an agent at a gate that began until its time.
  `create table gate_session_revocations (
    profile_id bigint not null references profiles on delete cascade,
    agent_did text not null,
    revoked_at timestamptz not null,
    primary key (profile_id, agent_did)
  )`,
  'create index gate_session_revocations_revoked_at on gate_session_revocations (revoked_at)',

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
    revoked_at timestamptz,
    -- Grants by hand, next to paid access. The row has the later end of both.
    given_tier text,
    given_until timestamptz,
    unique (profile_id, payer_wallet_address, payer_network, resource_pattern)
  )`,
  'create index entitlements_of_profile on entitlements (profile_id, created_at desc, id)',
  'create index entitlements_of_receipt on entitlements (receipt_id) where receipt_id is not null',
  // What an account holds, and what is given to an email address, is found without its profile when the account is purged.
  `create index entitlements_of_account on entitlements (payer_wallet_address)
    where payer_network in ('account', 'email')`,
]
