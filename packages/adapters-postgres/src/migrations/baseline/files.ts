import type { Migration } from '../index.ts'

export const files: Migration = [
  `create table files (
    id bigint generated always as identity primary key,
    key text not null unique,
    state text not null check (state in ('pending', 'stored')),
    account_id uuid references accounts on delete set null,
    profile_id bigint references profiles on delete cascade,
    filename text,
    size bigint check (size >= 0),
    content_type text,
    sha256 text,
    created_at timestamptz not null,
    -- When its content was last replaced.
    replaced_at timestamptz,
    alt text,
    -- The size of an image.
    width integer,
    height integer,
    -- The encoding of a text; null means UTF-8.
    encoding text,
    check (state = 'pending' or num_nulls(profile_id, filename, size, content_type, sha256) = 0)
  )`,
  'create index files_of_profile on files (profile_id, id desc)',
  'create index files_of_account on files (account_id)',
  `create index files_pending on files (created_at) where state = 'pending'`,
  'create index files_of_bytes on files (sha256)',

  // Rows are also deleted with their profile, so a trigger records the keys of blobs to delete.
  `create table dropped_blobs (
    id bigint generated always as identity,
    key text primary key
  )`,
  'create index dropped_blobs_in_order on dropped_blobs (id)',

  `create table file_texts (
    sha256 text primary key,
    converter text not null,
    markdown text,
    warnings json not null,
    refusal json,
    created_at timestamptz not null,
    check (num_nonnulls(markdown, refusal) = 1)
  )`,

  `create function drop_blobs() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into dropped_blobs (key) select key from went on conflict do nothing;
      return null;
    end $$`,
  `create trigger files_went after delete on files referencing old table as went
    for each statement execute function drop_blobs()`,

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

  // The first image of a profile that a body shows inline. It is looked for in the first 200 links only.
  `create function first_image(of_profile bigint, body text) returns bigint language sql stable set search_path from current as $$
    with parts as materialized (
      select n, part, lag(part) over (order by n) as before
      from unnest((string_to_array(body, '/files/'))[1:201]) with ordinality as cut (part, n)
    ), linked as materialized (
      select n, substring(part from '^[0-9]{1,15}')::bigint as id
      from parts
      where part ~ '^[0-9]{1,15}' and right(before, 1000) ~ '!\\[[^\\[\\]]*\\]\\(\\s*<?[^\\s()<>"]*$'
    )
    select linked.id from linked join files on files.id = linked.id
    where files.profile_id = of_profile and files.state = 'stored' and files.content_type like 'image/%'
    order by linked.n limit 1
  $$`,

  `create function set_page_files() returns trigger language plpgsql set search_path from current as $$
  begin
    new.file_ids := linked_images(new.profile_id, new.body);
    new.first_file_id := first_image(new.profile_id, new.body);
    return new;
  end $$`,
  `create trigger pages_link_files before insert or update of body on pages
    for each row execute function set_page_files()`,

  // A cover is an image of the profile. The lock waits for a concurrent deletion of the file.
  `create function check_page_cover() returns trigger language plpgsql set search_path from current as $$
  begin
    select files.id into new.cover_file_id from files
      where files.id = new.cover_file_id and files.profile_id = new.profile_id and files.state = 'stored'
        and files.content_type like 'image/%'
      for key share;
    return new;
  end $$`,
  `create trigger pages_check_cover before insert or update of cover_file_id on pages
    for each row when (new.cover_file_id is not null) execute function check_page_cover()`,
  `alter table pages
    add foreign key (cover_file_id) references files on delete set null,
    add foreign key (first_file_id) references files on delete set null`,
  'alter table page_drafts add foreign key (cover_file_id) references files on delete set null',
  'create index page_drafts_by_cover on page_drafts (cover_file_id) where cover_file_id is not null',
  'create index pages_by_cover on pages (cover_file_id) where cover_file_id is not null',
  'create index pages_by_first_file on pages (first_file_id) where first_file_id is not null',

  // Those of some images that published pages of their profile link to or have as covers. Each is looked up in the index: the planner
  // does not know that long arrays are slow to read, and would read those of all pages of a small table for each image.
  `create function shown_images(of_profile bigint, images bigint[]) returns setof bigint
    language sql stable set enable_seqscan = off set search_path from current as $$
    select image from unnest(images) as image
    where exists (
      select from (select profile_id, status from pages where file_ids @> array[image] offset 0) as linking
      where profile_id = of_profile and status = 'published'
    ) or exists (
      select from pages where cover_file_id = image and profile_id = of_profile and status = 'published'
    )
  $$`,
]
