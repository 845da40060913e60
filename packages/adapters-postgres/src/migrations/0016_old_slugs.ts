import type { Migration } from './index.ts'

export const m0016OldSlugs: Migration = [
  `create table old_paths (
    profile_id bigint not null references profiles on delete cascade,
    path text not null,
    slug text not null,
    place_id bigint,
    page_id bigint references pages on delete cascade,
    category_id bigint references categories on delete cascade,
    created_at timestamptz not null,
    primary key (profile_id, path),
    check (num_nonnulls(page_id, category_id) = 1)
  )`,
  'create index old_paths_by_slug on old_paths (profile_id, slug, created_at)',
  'create index old_paths_of_page on old_paths (page_id) where page_id is not null',
  'create index old_paths_of_category on old_paths (category_id) where category_id is not null',

  // Lists of one status do not read pages of other statuses.
  'create index pages_outline_of_status on pages (profile_id, status, coalesce(category_id, 0), position, id)',

  // The number of pages of a category by status; 0 is the top level. Lists return their length, and counting takes longer the
  // more pages there are. Triggers update it on every change of pages, including cascades.
  `create table page_counts (
    profile_id bigint not null references profiles on delete cascade,
    place_id bigint not null,
    status text not null,
    count bigint not null,
    primary key (profile_id, place_id, status)
  )`,
  `insert into page_counts (profile_id, place_id, status, count)
    select profile_id, coalesce(category_id, 0), status, count(*) from pages group by 1, 2, 3`,
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
