import type { Migration } from '../index.ts'

export const search: Migration = [
  // The generation that queries use, and the one that is being built.
  `create table search_state (
    is_only boolean primary key default true check (is_only),
    live integer not null,
    building integer,
    position text,
    embedder text,
    building_embedder text,
    -- The format of one generation, and that generation.
    format integer,
    format_of integer
  )`,
  'insert into search_state (live) values (1)',

  // Public documents are in separate partitions, so that queries of them read neither rows nor indexes of others. Partitioned tables of
  // PostgreSQL 15 and 16 have no identity columns.
  'create sequence search_documents_ids',
  `create table search_documents (
    id bigint not null default nextval('search_documents_ids'),
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
    partition text not null,
    trust real not null default 0
  ) partition by list (partition)`,

  // A query reads the date of each match, of which a frequent word has thousands. With the words and the body of long documents stored beside
  // the rows, a block holds about twenty of them instead of two. Only ranking, phrases and excluded words read more.
  `create table search_documents_public partition of search_documents (
    constraint search_documents_pkey primary key (id),
    constraint search_documents_generation_key_key unique (generation, key)
  ) for values in ('public') with (toast_tuple_target = 512)`,
  'create index search_documents_of_profile on search_documents_public (profile_id)',
  // Queries scan the pending list of the index sequentially, so it must be short.
  'create index search_documents_words on search_documents_public using gin (words) with (gin_pending_list_limit = 512)',
  'create index search_documents_title_words on search_documents_public using gin (title_words) with (gin_pending_list_limit = 512)',
  // Queries without words list the newest documents.
  'create index search_documents_newest on search_documents_public (generation, updated_at desc, id desc)',

  // Ranking reads the words of each match: those of documents up to a page of text are in its row. Half of a block is the limit.
  `create table search_documents_private partition of search_documents (
    primary key (id),
    unique (partition, generation, key)
  ) default with (toast_tuple_target = 4080)`,
  'create index search_documents_private_ids on search_documents_private (partition, id)',
  'create index search_documents_private_newest on search_documents_private (partition, generation, updated_at desc, id desc)',
  'create index search_documents_private_profile on search_documents_private (profile_id)',
  'create index search_documents_private_words on search_documents_private using gin (words) with (gin_pending_list_limit = 512)',

  // What a document is filtered by is repeated here: queries read the bits of all passages, and nothing else of them.
  'create sequence search_passages_ids',
  `create table search_passages (
    id bigint not null default nextval('search_passages_ids'),
    document_id bigint not null,
    generation integer not null,
    kind text not null,
    profile_id bigint not null,
    profile_type text not null,
    visibility text not null,
    keywords text[] not null,
    updated_at timestamptz not null,
    start integer not null,
    hash text not null,
    bits bit varying,
    partition text not null
  ) partition by list (partition)`,

  `create table search_passages_public partition of search_passages (
    constraint search_passages_pkey primary key (id),
    constraint search_passages_document_id_fkey foreign key (document_id) references search_documents_public (id) on delete cascade
  ) for values in ('public')`,
  'create index search_passages_of_document on search_passages_public (document_id)',
  'create index search_passages_hash on search_passages_public (hash)',

  `create table search_passages_private partition of search_passages (
    primary key (id),
    foreign key (document_id) references search_documents_private (id) on delete cascade
  ) default`,
  'create index search_passages_private_partition on search_passages_private (partition, generation)',
  'create index search_passages_private_document on search_passages_private (document_id)',
  'create index search_passages_private_hash on search_passages_private (hash)',

  // The words of documents, for corrections. Counts change often: with free space in each page, PostgreSQL updates them without the indexes.
  `create table search_words (
    generation integer not null,
    word text not null,
    documents integer not null,
    deletions text[] not null,
    partition text not null
  ) partition by list (partition)`,

  `create table search_words_public partition of search_words (
    constraint search_words_pkey primary key (generation, word)
  ) for values in ('public') with (fillfactor = 70)`,
  'create index search_words_deletions on search_words_public using gin (deletions) with (gin_pending_list_limit = 512)',

  `create table search_words_private partition of search_words (
    primary key (partition, generation, word)
  ) default with (fillfactor = 70)`,
  'create index search_words_private_deletions on search_words_private using gin (deletions) with (gin_pending_list_limit = 512)',

  `create table search_languages (
    generation integer not null,
    language text not null,
    partition text not null,
    primary key (generation, partition, language)
  )`,

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
