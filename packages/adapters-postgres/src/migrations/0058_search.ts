import type { Migration } from './index.ts'

export const m0058Search: Migration = [
  // The generation that queries use, and the one that is being built.
  `create table search_state (
    is_only boolean primary key default true check (is_only),
    live integer not null,
    building integer,
    position text
  )`,
  'insert into search_state (live) values (1)',

  `create table search_documents (
    id bigint generated always as identity primary key,
    generation integer not null,
    key text not null,
    kind text not null,
    profile_id bigint not null,
    profile_type text not null,
    visibility text not null,
    revision text not null,
    language text not null,
    title text not null,
    headings text not null,
    keywords text[] not null,
    excerpt text not null,
    body text not null,
    updated_at timestamptz not null,
    words tsvector not null,
    title_words tsvector not null,
    unique (generation, key)
  )`,
  'create index search_documents_of_profile on search_documents (profile_id)',
  // Queries scan the pending list of the index sequentially, so it must be short.
  'create index search_documents_words on search_documents using gin (words) with (gin_pending_list_limit = 512)',
  'create index search_documents_title_words on search_documents using gin (title_words) with (gin_pending_list_limit = 512)',

  // The words of public documents, for corrections.
  `create table search_words (
    generation integer not null,
    word text not null,
    documents integer not null,
    deletions text[] not null,
    primary key (generation, word)
  )`,
  'create index search_words_deletions on search_words using gin (deletions) with (gin_pending_list_limit = 512)',

  `create table search_languages (
    generation integer not null,
    language text not null,
    primary key (generation, language)
  )`,
]
