import type { Migration } from './index.ts'

/**
 * Makes a table the part of a partitioned table that has the public documents, in place and with its indexes, and adds a part for all
 * other documents. So queries of public documents read neither rows nor indexes of others.
 */
const split = (table: string): Migration => [
  `alter table ${table} rename to ${table}_public`,
  `alter table ${table}_public add column partition text not null default 'public'`,
  `alter table ${table}_public alter column partition drop default`,
  `create table ${table} (like ${table}_public including defaults) partition by list (partition)`,
  `create table ${table}_private (like ${table}_public including defaults)`,
  `alter table ${table} attach partition ${table}_public for values in ('public')`,
  `alter table ${table} attach partition ${table}_private default`,
]

/** Partitioned tables of PostgreSQL 15 and 16 have no identity columns. */
const numbered = (table: string): Migration => [
  `alter table ${table} alter column id drop identity`,
  `create sequence ${table}_ids`,
  `select setval('${table}_ids', coalesce(max(id), 0) + 1, false) from ${table}`,
  `alter table ${table} alter column id set default nextval('${table}_ids')`,
]

/** Breaks processes of the release before: they index documents without a partition. */
export const m0069SearchPartitions: Migration = [
  ...numbered('search_documents'),
  ...numbered('search_passages'),
  ...split('search_documents'),
  ...split('search_passages'),
  ...split('search_words'),

  'alter table search_documents_private add primary key (id), add unique (partition, generation, key)',
  'alter table search_documents_private set (toast_tuple_target = 4080)',
  'create index search_documents_private_ids on search_documents_private (partition, id)',
  'create index search_documents_private_newest on search_documents_private (partition, generation, updated_at desc, id desc)',
  'create index search_documents_private_profile on search_documents_private (profile_id)',
  'create index search_documents_private_words on search_documents_private using gin (words) with (gin_pending_list_limit = 512)',

  `alter table search_passages_private add primary key (id),
    add foreign key (document_id) references search_documents_private (id) on delete cascade`,
  'create index search_passages_private_partition on search_passages_private (partition, generation)',
  'create index search_passages_private_document on search_passages_private (document_id)',
  'create index search_passages_private_hash on search_passages_private (hash)',

  'alter table search_words_private add primary key (partition, generation, word)',
  'alter table search_words_private set (fillfactor = 70)',
  'create index search_words_private_deletions on search_words_private using gin (deletions) with (gin_pending_list_limit = 512)',

  `alter table search_languages add column partition text not null default 'public'`,
  `alter table search_languages alter column partition drop default,
    drop constraint search_languages_pkey, add primary key (generation, partition, language)`,
]
