import type { Migration } from './index.ts'

export const m0067AuditLog: Migration = [
  `create table audit_chains (
    profile_id bigint primary key references profiles on delete cascade,
    first_position bigint not null,
    base_hash text not null,
    position bigint not null,
    hash text not null
  )`,
  `create table audit_log (
    profile_id bigint not null references audit_chains on delete cascade,
    position bigint not null,
    entry_id uuid not null,
    event_type text not null,
    actor_did text not null,
    actor_salt text,
    actor_digest text not null,
    actor_account_id uuid,
    actor_profile_id bigint,
    publisher_did text not null,
    at timestamptz not null,
    outcome text not null,
    details json not null,
    previous_hash text not null,
    hash text not null,
    hash_signature text not null,
    signature text not null,
    redacted_signature text not null,
    primary key (profile_id, position)
  )`,
  'create index audit_log_by_time on audit_log (at, profile_id, position)',
  'create index audit_log_of_profile_by_time on audit_log (profile_id, at, position)',
  'create index audit_log_of_account on audit_log (actor_account_id) where actor_account_id is not null',
  'create index audit_log_of_actor on audit_log (actor_profile_id) where actor_profile_id is not null',
]
