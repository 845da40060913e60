import type { Migration } from './index.ts'

export const m0024Files: Migration = [
  `create table files (
    id bigint generated always as identity primary key,
    key text not null unique,
    state text not null check (state in ('pending', 'stored')),
    account_id uuid references accounts on delete set null,
    profile_id bigint references profiles on delete cascade,
    filename text,
    size bigint check (size >= 0),
    content_type text,
    sha256 text,
    created_at timestamptz not null,
    check (state = 'pending' or num_nulls(profile_id, filename, size, content_type, sha256) = 0)
  )`,
  'create index files_of_profile on files (profile_id, id desc)',
  'create index files_of_account on files (account_id)',
  `create index files_pending on files (created_at) where state = 'pending'`,

  // Rows are also deleted with their profile, so a trigger records the keys of blobs to delete.
  `create table dropped_blobs (
    id bigint generated always as identity,
    key text primary key
  )`,
  'create index dropped_blobs_in_order on dropped_blobs (id)',
  `create function drop_blobs() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into dropped_blobs (key) select key from went on conflict do nothing;
      return null;
    end $$`,
  `create trigger files_went after delete on files referencing old table as went
    for each statement execute function drop_blobs()`,
]
