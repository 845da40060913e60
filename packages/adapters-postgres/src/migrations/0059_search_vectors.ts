import type { Migration } from './index.ts'

export const m0059SearchVectors: Migration = [
  'alter table search_state add column embedder text, add column building_embedder text',

  // What a document is filtered by is repeated here: queries read the bits of all passages, and nothing else of them.
  `create table search_passages (
    id bigint generated always as identity primary key,
    document_id bigint not null references search_documents (id) on delete cascade,
    generation integer not null,
    kind text not null,
    profile_id bigint not null,
    profile_type text not null,
    visibility text not null,
    keywords text[] not null,
    updated_at timestamptz not null,
    start integer not null,
    hash text not null,
    bits bit varying
  )`,
  'create index search_passages_of_document on search_passages (document_id)',
  'create index search_passages_hash on search_passages (hash)',

  // A text is here until it has its vector.
  `create table search_vectors (
    embedder text not null,
    hash text not null,
    text text,
    vector real[],
    bits bit varying,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    primary key (embedder, hash)
  )`,
  'create index search_vectors_pending on search_vectors (embedder, due_at) where text is not null',
  'create index search_vectors_hash on search_vectors (hash)',
]
