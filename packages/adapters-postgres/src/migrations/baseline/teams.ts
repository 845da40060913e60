import type { Migration } from '../index.ts'

export const teams: Migration = [
  // The owner is stored in the profile and not as a member.
  `create table members (
    profile_id bigint not null references profiles on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    role text not null check (role in ('admin', 'editor', 'viewer')),
    created_at timestamptz not null,
    primary key (profile_id, account_id)
  )`,
  'create index members_of_account on members (account_id, profile_id)',

  // For an account or an email address, with one invitation of each to a profile.
  `create table invitations (
    id bigint generated always as identity primary key,
    profile_id bigint not null references profiles on delete cascade,
    account_id uuid references accounts on delete cascade,
    email text,
    role text not null check (role in ('admin', 'editor', 'viewer')),
    hash text not null unique,
    invited_by uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    check ((account_id is null) <> (email is null))
  )`,
  'create unique index invitations_for_account on invitations (account_id, profile_id) where account_id is not null',
  'create unique index invitations_for_email on invitations (lower(email), profile_id) where email is not null',
  'create index invitations_of_profile on invitations (profile_id, id)',
  'create index invitations_by_account on invitations (invited_by)',
  'create index invitations_by_end on invitations (expires_at)',

  // A pending transfer after its end has expired, without a write.
  `create table transfers (
    id bigint generated always as identity primary key,
    profile_id bigint not null references profiles on delete cascade,
    from_account_id uuid not null references accounts on delete cascade,
    to_account_id uuid not null references accounts on delete cascade,
    state text not null default 'pending'
      check (state in ('pending', 'accepted', 'rejected', 'cancelled', 'expired')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    resolved_at timestamptz
  )`,
  `create unique index transfers_pending on transfers (profile_id) where state = 'pending'`,
  'create index transfers_of_profile on transfers (profile_id)',
  'create index transfers_from on transfers (from_account_id, id)',
  'create index transfers_to on transfers (to_account_id, id)',
]
