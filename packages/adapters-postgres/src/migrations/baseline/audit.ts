import type { Migration } from '../index.ts'

export const audit: Migration = [
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
    -- The app by which an account acted. The hash covers its digest.
    through json,
    through_salt text,
    through_digest text,
    through_account_id uuid,
    primary key (profile_id, position)
  )`,
  'create index audit_log_by_time on audit_log (at, profile_id, position)',
  'create index audit_log_of_profile_by_time on audit_log (profile_id, at, position)',
  'create index audit_log_of_account on audit_log (actor_account_id) where actor_account_id is not null',
  'create index audit_log_through on audit_log (through_account_id) where through_account_id is not null',
  'create index audit_log_of_actor on audit_log (actor_profile_id) where actor_profile_id is not null',

  `create table admin_audit (
    id bigint generated always as identity primary key,
    actor_account_id uuid references accounts on delete set null,
    action text not null,
    target text not null,
    before json not null,
    after json not null,
    at timestamptz not null
  )`,
  'create index admin_audit_of_target on admin_audit (target, id desc)',
  'create index admin_audit_of_actor on admin_audit (actor_account_id)',
  // What retention deletes is found by its age.
  'create index admin_audit_by_time on admin_audit (at)',

  // Profiles are named without a reference, so that reports about those of an account are found when it is erased, and then not named.
  `create table reports (
    id uuid primary key,
    subject_type text not null,
    subject_id text not null,
    status text not null default 'open',
    reason text,
    reporter_account_id uuid references accounts on delete set null,
    reporter_profile_id bigint,
    reported_profile_id bigint,
    note text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create unique index reports_open on reports (reporter_account_id, subject_type, subject_id) where status = 'open'`,
  'create index reports_by_time on reports (created_at desc, id desc)',
  'create index reports_by_status on reports (status, created_at desc, id desc)',
  'create index reports_of_reporter on reports (reporter_account_id) where reporter_account_id is not null',
  'create index reports_of_reporter_profile on reports (reporter_profile_id) where reporter_profile_id is not null',
  'create index reports_of_reported on reports (reported_profile_id) where reported_profile_id is not null',
  `create index reports_decided on reports (updated_at) where status <> 'open'`,

  // Apart from reports, so that the texts of a profile are deleted with it.
  `create table report_evidence (
    report_id uuid primary key references reports on delete cascade,
    author_profile_id bigint not null references profiles on delete cascade,
    body text not null
  )`,
  'create index report_evidence_of_author on report_evidence (author_profile_id)',
]
