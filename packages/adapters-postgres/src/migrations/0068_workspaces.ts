import type { Migration } from './index.ts'

export const m0068Workspaces: Migration = [
  // Slugs are unique for a creator, so that a taken slug reveals no workspace of another account.
  `create table workspaces (
    id uuid primary key,
    name text not null,
    slug text not null,
    description text,
    created_by uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  'create unique index workspaces_by_slug on workspaces (created_by, slug) where created_by is not null',

  `create table workspace_members (
    workspace_id uuid not null references workspaces on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    role text not null check (role in ('owner', 'admin', 'editor', 'reader')),
    created_at timestamptz not null,
    primary key (workspace_id, account_id)
  )`,
  'create index workspace_members_of_account on workspace_members (account_id, workspace_id)',

  // For an account or an email address, with one invitation of each to a workspace.
  `create table workspace_invitations (
    id bigint generated always as identity primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    account_id uuid references accounts on delete cascade,
    email text,
    role text not null check (role in ('admin', 'editor', 'reader')),
    hash text not null unique,
    invited_by uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    check ((account_id is null) <> (email is null))
  )`,
  `create unique index workspace_invitations_for_account on workspace_invitations (account_id, workspace_id)
    where account_id is not null`,
  `create unique index workspace_invitations_for_email on workspace_invitations (lower(email), workspace_id)
    where email is not null`,
  'create index workspace_invitations_of_workspace on workspace_invitations (workspace_id, id)',
  'create index workspace_invitations_by_account on workspace_invitations (invited_by)',
  'create index workspace_invitations_by_end on workspace_invitations (expires_at)',

  // Without references to accounts: a row must not lock an account that is erased at the same time.
  `create table workspace_activity (
    id bigint generated always as identity primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    action text not null,
    account_id uuid,
    subject_account_id uuid,
    document_id uuid,
    data json not null,
    at timestamptz not null
  )`,
  'create index workspace_activity_of_workspace on workspace_activity (workspace_id, id)',
  'create index workspace_activity_of_account on workspace_activity (account_id) where account_id is not null',
  `create index workspace_activity_of_subject on workspace_activity (subject_account_id)
    where subject_account_id is not null`,
]
