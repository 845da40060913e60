import type { Migration } from './index.ts'

export const m0123ShownFiles: Migration = [
  // Processes of the previous release write no sizes.
  'alter table files add column width integer, add column height integer',
  // By a trigger, so that pages that processes of the previous release save are not missed.
  'alter table pages add column file_ids bigint[]',
  `create function set_page_files() returns trigger language plpgsql set search_path from current as $$
  begin
    new.file_ids := array(
      select distinct id::bigint
      from (
        select (regexp_matches(new.body, '\\]\\(<?[^\\s()<>"]*/files/([0-9]{1,15})', 'g'))[1] as id
        limit 1000
      ) as linked
    );
    return new;
  end $$`,
  `create trigger pages_link_files before insert or update of body on pages
    for each row execute function set_page_files()`,
]
