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

  // What gated reads query: one row for each holder, pattern and audience, computed from the grants.
  `create table entitlements (
    id bigint generated always as identity primary key,
    profile_id bigint not null references profiles on delete cascade,
    resource_pattern text not null,
    payer_wallet_address text not null,
    payer_network text not null,
    -- A requirement as JSON; empty for everyone.
    audience text not null default '',
    -- Its digest: a requirement may be longer than an entry of an index.
    audience_key text not null default '',
    is_open boolean not null,
    -- The end that is reached without a gap, if it is open; null without an end.
    valid_until timestamptz,
    unique (profile_id, payer_wallet_address, payer_network, resource_pattern, audience_key)
  )`,
  // What an account holds, and what is given to an email address, is found without its profile when the account is purged.
  `create index entitlements_of_account on entitlements (payer_wallet_address)
    where payer_network in ('account', 'email')`,

  // One row for each receipt, manual grant, trial and period of grace, never merged.
  `create table grants (
    id uuid primary key,
    profile_id bigint not null references profiles on delete cascade,
    resource_pattern text not null,
    payer_wallet_address text not null,
    payer_network text not null,
    audience text not null default '',
    audience_key text not null default '',
    tier text not null,
    receipt_id text,
    reason text not null,
    starts_at timestamptz not null,
    ends_at timestamptz,
    suspended_at timestamptz,
    ended_at timestamptz,
    -- It begins later than it was stored, and was not counted since.
    is_due boolean not null default false,
    created_at timestamptz not null
  )`,
  `create index grants_of_holder on grants
    (profile_id, payer_wallet_address, payer_network, resource_pattern, audience_key)`,
  'create index grants_of_profile on grants (profile_id, created_at desc, id)',
  'create index grants_of_receipt on grants (receipt_id) where receipt_id is not null',
  `create index grants_of_account on grants (payer_wallet_address)
    where payer_network in ('account', 'email')`,
  'create index grants_due on grants (starts_at) where is_due',
]
