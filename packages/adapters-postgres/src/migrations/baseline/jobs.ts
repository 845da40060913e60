import { QUEUE_TABLES } from '../../queue/install.ts'
import type { Migration } from '../index.ts'

export const jobs: Migration = [
  `create table jobs (
    seq bigint generated always as identity,
    id uuid primary key,
    kind text not null,
    account_id uuid not null references accounts on delete cascade,
    profile_id bigint references profiles on delete cascade,
    input json not null,
    status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    progress smallint not null check (progress between 0 and 100),
    result json check ((status = 'succeeded') = (result is not null)),
    error json check ((status = 'failed') = (error is not null)),
    run text check ((status = 'running') = (run is not null)),
    attempts integer not null,
    created_at timestamptz not null,
    finished_at timestamptz check ((status in ('queued', 'running')) = (finished_at is null)),
    origin json
  )`,
  'create index jobs_of_account on jobs (account_id, seq desc)',
  'create index jobs_of_profile on jobs (profile_id)',
  'create index jobs_open on jobs (account_id) where finished_at is null',
  'create index jobs_ended on jobs (finished_at) where finished_at is not null',

  QUEUE_TABLES,
]
