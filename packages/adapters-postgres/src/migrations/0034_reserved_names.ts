import type { Migration } from './index.ts'

export const m0034ReservedNames: Migration = [
  // Names of deleted profiles as keyed hashes, because they outlive the account and must not identify anyone.
  `create table reserved_names (
    name_hash text primary key,
    type text not null,
    owner_account_id uuid references accounts on delete set null,
    was_readable boolean not null,
    reserved_at timestamptz not null
  )`,
  'create index reserved_names_of_owner on reserved_names (owner_account_id) where owner_account_id is not null',
  // The profiles of the DIDs in a configuration at the time they were added.
  `alter table gates add column bound_dids json not null default '{}'`,
]
