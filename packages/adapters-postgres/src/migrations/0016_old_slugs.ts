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
]
