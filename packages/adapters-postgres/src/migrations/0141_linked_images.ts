import type { Migration } from './index.ts'

export const m0141LinkedImages: Migration = [
  // The images of a profile that a body links to: inline, by a definition, or in angle brackets. The body is cut first and the pattern sees
  // only the end of each part, so that the time grows with the length of a body and not faster.
  `create function linked_images(of_profile bigint, body text) returns bigint[] language sql stable set search_path from current as $$
    with parts as materialized (
      select part, lag(part) over (order by n) as before
      from unnest((string_to_array(body, '/files/'))[1:2001]) with ordinality as cut (part, n)
    ), linked as materialized (
      select distinct substring(part from '^[0-9]{1,15}')::bigint as id
      from parts
      where part ~ '^[0-9]{1,15}' and right(before, 300) ~ '\\](\\(|:)\\s*<?[^\\s()<>"]*$'
    )
    select array(
      select id from linked
      where (
        select profile_id = of_profile and state = 'stored' and content_type like 'image/%' from files where files.id = linked.id
      )
    )
  $$`,
  // False for pages that were stored before, which are filled in batches.
  'alter table pages add column file_ids_current boolean not null default false',
  `create or replace function set_page_files() returns trigger language plpgsql set search_path from current as $$
  begin
    new.file_ids := linked_images(new.profile_id, new.body);
    new.file_ids_current := true;
    return new;
  end $$`,
  'create index pages_to_fill on pages (id) where not file_ids_current',
  'create index pages_by_file on pages using gin (file_ids) with (fastupdate = off)',
  // Those of some images that published pages of their profile link to. Each is looked up in the index: the planner does not know that long
  // arrays are slow to read, and would read those of all pages of a small table for each image.
  `create function shown_images(of_profile bigint, images bigint[]) returns setof bigint
    language sql stable set enable_seqscan = off set search_path from current as $$
    select image from unnest(images) as image
    where exists (
      select from (select profile_id, status from pages where file_ids @> array[image] offset 0) as linking
      where profile_id = of_profile and status = 'published'
    )
  $$`,
]
