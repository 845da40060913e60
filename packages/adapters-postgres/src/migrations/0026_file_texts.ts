import type { Migration } from './index.ts'

export const m0026FileTexts: Migration = [
  `create table file_texts (
    sha256 text primary key,
    converter text not null,
    markdown text,
    warnings json not null,
    refusal json,
    created_at timestamptz not null,
    check (num_nonnulls(markdown, refusal) = 1)
  )`,
  'create index files_of_bytes on files (sha256)',

  // Files are also deleted with their profile, so a trigger deletes their texts.
  `create function drop_texts() returns trigger language plpgsql set search_path from current as $$
    begin
      delete from file_texts using went
        where file_texts.sha256 = went.sha256
          and not exists (select from files where files.sha256 = went.sha256);
      return null;
    end $$`,
  `create trigger files_went_with_texts after delete on files referencing old table as went
    for each statement execute function drop_texts()`,
]
