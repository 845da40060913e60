import type { Migration } from '../index.ts'

export const workspaces: Migration = [
  // Slugs are unique for a creator, so that a taken slug reveals no workspace of another account.
  `create table workspaces (
    id uuid primary key,
    name text not null,
    slug text not null,
    description text,
    created_by uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    -- A workspace may have many documents and versions, which are deleted in several transactions.
    deleted_at timestamptz
  )`,
  'create unique index workspaces_by_slug on workspaces (created_by, slug) where created_by is not null',
  'create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null',

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

  // A parent is in the same workspace, and is deleted with everything below it.
  `create table workspace_documents (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    parent_id uuid,
    title text not null,
    body text not null,
    version integer not null,
    position bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (workspace_id, id),
    foreign key (workspace_id, parent_id) references workspace_documents (workspace_id, id) on delete cascade
  )`,
  `create index workspace_documents_in_order on workspace_documents
    (workspace_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), position, id)`,
  'create index workspace_documents_of_parent on workspace_documents (parent_id) where parent_id is not null',

  // The workspace is repeated, so that the size of a workspace is read from one index.
  `create table workspace_document_versions (
    document_id uuid not null references workspace_documents on delete cascade,
    version integer not null,
    workspace_id uuid not null,
    title text not null,
    body text not null,
    created_at timestamptz not null,
    created_by uuid not null,
    replaceable_until timestamptz,
    bytes bigint generated always as (octet_length(title) + octet_length(body)) stored,
    primary key (document_id, version)
  )`,
  'create index workspace_document_versions_sizes on workspace_document_versions (workspace_id) include (bytes)',
  'create index workspace_document_versions_by_account on workspace_document_versions (created_by)',

  `create table workspace_comments (
    id bigint generated always as identity primary key,
    document_id uuid not null references workspace_documents on delete cascade,
    workspace_id uuid not null,
    account_id uuid,
    body text not null,
    created_at timestamptz not null,
    bytes bigint generated always as (octet_length(body)) stored
  )`,
  'create index workspace_comments_of_document on workspace_comments (document_id, id)',
  'create index workspace_comments_sizes on workspace_comments (workspace_id) include (bytes)',
  'create index workspace_comments_by_account on workspace_comments (account_id) where account_id is not null',

  `create table workspace_publications (
    document_id uuid not null references workspace_documents on delete cascade,
    profile_id bigint not null references profiles on delete cascade,
    page_id bigint not null references pages on delete cascade,
    version integer,
    published_at timestamptz,
    primary key (document_id, profile_id)
  )`,
  'create index workspace_publications_of_page on workspace_publications (page_id)',
  'create index workspace_publications_of_profile on workspace_publications (profile_id)',
]
