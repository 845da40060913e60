import type { Migration } from './index.ts'

export const m0054Reports: Migration = [
  // Profiles are named without a reference, so that reports about those of an account are found when it is erased.
  `create table reports (
    id uuid primary key,
    subject_type text not null,
    subject_id text not null,
    status text not null default 'open',
    reason text,
    reporter_account_id uuid references accounts on delete set null,
    reporter_profile_id bigint,
    reported_profile_id bigint not null,
    note text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create unique index reports_open on reports (reporter_account_id, subject_type, subject_id) where status = 'open'`,
  'create index reports_by_time on reports (created_at desc, id desc)',
  'create index reports_by_status on reports (status, created_at desc, id desc)',
  'create index reports_of_reporter on reports (reporter_account_id) where reporter_account_id is not null',
  'create index reports_of_reported on reports (reported_profile_id)',

  // Apart from reports, so that the texts of a profile are deleted with it.
  `create table report_evidence (
    report_id uuid primary key references reports on delete cascade,
    author_profile_id bigint not null references profiles on delete cascade,
    body text not null
  )`,
  'create index report_evidence_of_author on report_evidence (author_profile_id)',
]
