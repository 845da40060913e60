import type { Migration } from '../index.ts'

export const media: Migration = [
  `create table transcripts (
    file_id bigint primary key references files on delete cascade,
    sha256 text not null,
    asked_language text,
    language text,
    duration_seconds double precision not null check (duration_seconds >= 0),
    body text not null,
    segments json not null,
    job_id uuid not null,
    created_at timestamptz not null
  )`,
  'create index transcripts_of_bytes on transcripts (sha256)',

  `create table transcription_minutes (
    account_id uuid references accounts on delete cascade,
    month text check (month ~ '^[0-9]{4}-[0-9]{2}$'),
    used bigint not null check (used >= 0),
    primary key (account_id, month)
  )`,

  // A reservation outlives its file, because a running transcription still costs its minutes. The minutes of one in use
  // are already counted as used, so that they remain used when it is deleted with its job.
  `create table transcription_reservations (
    job_id uuid primary key references jobs on delete cascade,
    file_id bigint unique references files on delete set null,
    account_id uuid not null references accounts on delete cascade,
    month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
    minutes bigint not null check (minutes > 0),
    begun boolean not null default false
  )`,
  'create index transcription_reservations_of_account on transcription_reservations (account_id, month)',
]
