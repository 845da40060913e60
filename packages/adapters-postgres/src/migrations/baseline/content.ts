import type { Migration } from '../index.ts'

export const content: Migration = [
  // The columns of the unique keys have this order, so that the same index finds the children of a category.
  `create table categories (
    id bigint generated always as identity primary key,
    profile_id bigint not null references profiles on delete cascade,
    parent_id bigint references categories on delete cascade,
    name text not null,
    slug text not null,
    description text,
    icon text,
    visibility text not null check (visibility in ('public', 'private')),
    position bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique nulls not distinct (parent_id, profile_id, slug)
  )`,
  'create index categories_of_profile on categories (profile_id, position, id)',

  `create table pages (
    id bigint generated always as identity primary key,
    profile_id bigint not null references profiles on delete cascade,
    category_id bigint references categories on delete cascade,
    title text not null,
    slug text not null,
    body text not null,
    excerpt text,
    status text not null check (status in ('draft', 'published', 'archived')),
    version integer not null,
    position bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    published_at timestamptz,
    -- The images of the profile that the body links to, which a trigger finds.
    file_ids bigint[],
    -- An image that everyone who sees the page in lists may see, and the first one of the body, which triggers check and find.
    cover_file_id bigint,
    first_file_id bigint,
    unique nulls not distinct (category_id, profile_id, slug)
  )`,
  'create index pages_outline on pages (profile_id, coalesce(category_id, 0), position, id)',
  // Lists of one status do not read pages of other statuses.
  'create index pages_outline_of_status on pages (profile_id, status, coalesce(category_id, 0), position, id)',
  `create index pages_published on pages (id) include (profile_id, category_id, updated_at)
    where status = 'published'`,
  `create index pages_by_part on pages ((id / 10000), updated_at desc)
    where status = 'published'`,
  'create index pages_by_file on pages using gin (file_ids) with (fastupdate = off)',

  `create table page_versions (
    page_id bigint not null references pages on delete cascade,
    version integer not null,
    title text not null,
    body text not null,
    excerpt text,
    status text not null,
    created_at timestamptz not null,
    created_by uuid not null,
    -- What an account stores is summed with every save, without reading the texts.
    bytes bigint generated always as
      (octet_length(title) + octet_length(body) + coalesce(octet_length(excerpt), 0)) stored,
    -- The app by which the author saved it.
    through json,
    -- Until then the next save of the same author by the same app replaces this version; null keeps it.
    replaceable_until timestamptz,
    primary key (page_id, version)
  )`,
  'create index page_versions_of_author on page_versions (created_by)',
  'create index page_versions_sizes on page_versions (page_id) include (bytes)',

  // The changes of a published page that are not published yet. No public read, list, index or event reads this table.
  `create table page_drafts (
    page_id bigint primary key references pages on delete cascade,
    title text not null,
    body text not null,
    excerpt text,
    cover_file_id bigint,
    base_version integer not null,
    revision uuid not null,
    updated_at timestamptz not null,
    updated_by uuid references accounts on delete set null,
    bytes bigint generated always as
      (octet_length(title) + octet_length(body) + coalesce(octet_length(excerpt), 0)) stored
  )`,
  'create index page_drafts_of_author on page_drafts (updated_by)',
  'create index page_drafts_sizes on page_drafts (page_id) include (bytes)',

  // When a page that is a draft, or the draft of a published page, is published.
  `create table scheduled_publications (
    page_id bigint primary key references pages on delete cascade,
    publish_at timestamptz not null,
    scheduled_by uuid references accounts on delete set null
  )`,
  'create index scheduled_publications_by_time on scheduled_publications (publish_at)',
  'create index scheduled_publications_of_author on scheduled_publications (scheduled_by)',

  // Links with which others read what is not published.
  `create table page_preview_links (
    id bigint generated always as identity primary key,
    page_id bigint not null references pages on delete cascade,
    hash text not null unique,
    created_by uuid not null references accounts on delete cascade,
    owner_account_id uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index page_preview_links_of_page on page_preview_links (page_id)',
  'create index page_preview_links_of_author on page_preview_links (created_by)',
  'create index page_preview_links_of_owner on page_preview_links (owner_account_id)',
  'create index page_preview_links_by_expiry on page_preview_links (expires_at)',

  // The number of pages of a category by status; 0 is the top level. Lists return their length, and counting takes longer the
  // more pages there are. Triggers update it on every change of pages, including cascades.
  `create table page_counts (
    profile_id bigint not null references profiles on delete cascade,
    place_id bigint not null,
    status text not null,
    count bigint not null,
    primary key (profile_id, place_id, status)
  )`,

  // A path without a page and a category is that of deleted content.
  `create table old_paths (
    profile_id bigint not null references profiles on delete cascade,
    path text not null,
    slug text not null,
    place_id bigint,
    page_id bigint references pages on delete cascade,
    category_id bigint references categories on delete cascade,
    created_at timestamptz not null,
    primary key (profile_id, path),
    check (num_nonnulls(page_id, category_id) <= 1)
  )`,
  'create index old_paths_by_slug on old_paths (profile_id, slug, created_at)',
  'create index old_paths_of_page on old_paths (page_id) where page_id is not null',
  'create index old_paths_of_category on old_paths (category_id) where category_id is not null',

  `create table reactions (
    page_id bigint not null references pages on delete cascade,
    kind text not null check (kind in ('like', 'bookmark')),
    account_id uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    primary key (page_id, kind, account_id)
  )`,
  'create index reactions_of_account on reactions (account_id, kind, created_at desc, page_id desc)',

  // A reaction locks the row of the count until the transaction ends, so that concurrent reactions are serialized.
  `create table reaction_counts (
    page_id bigint not null references pages on delete cascade,
    kind text not null,
    count bigint not null check (count >= 0),
    primary key (page_id, kind)
  )`,

  `create function count_pages() returns trigger language plpgsql set search_path from current as $$
  begin
    if tg_op = 'INSERT' then
      insert into page_counts as kept (profile_id, place_id, status, count)
        select profile_id, coalesce(category_id, 0), status, count(*) from came group by 1, 2, 3 order by 1, 2, 3
        on conflict (profile_id, place_id, status) do update set count = kept.count + excluded.count;
    elsif tg_op = 'DELETE' then
      update page_counts as kept set count = kept.count - gone.count from (
        select profile_id, coalesce(category_id, 0) as place_id, status, count(*) as count from went group by 1, 2, 3
      ) as gone
      where kept.profile_id = gone.profile_id and kept.place_id = gone.place_id and kept.status = gone.status;
      delete from page_counts as kept using went
      where kept.profile_id = went.profile_id and kept.place_id = coalesce(went.category_id, 0)
        and kept.status = went.status and kept.count = 0;
    else
      insert into page_counts as kept (profile_id, place_id, status, count)
        select profile_id, place_id, status, sum(change) from (
          select profile_id, coalesce(category_id, 0) as place_id, status, 1 as change from came
          union all
          select profile_id, coalesce(category_id, 0), status, -1 from went
        ) as changes
        group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
        on conflict (profile_id, place_id, status) do update set count = kept.count + excluded.count;
    end if;
    return null;
  end $$`,
  `create trigger pages_came after insert on pages referencing new table as came
    for each statement execute function count_pages()`,
  `create trigger pages_went after delete on pages referencing old table as went
    for each statement execute function count_pages()`,
  `create trigger pages_changed after update on pages referencing new table as came old table as went
    for each statement execute function count_pages()`,
]
