import type { Migration } from './index.ts'

export const m0070WorkspaceDocuments: Migration = [
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
