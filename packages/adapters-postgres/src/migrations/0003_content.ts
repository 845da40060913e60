import type { Migration } from './index.ts'

export const m0003Content: Migration = [
  // The columns of the unique keys stand in this order, so that the same index finds the children of a category.
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
    unique nulls not distinct (category_id, profile_id, slug)
  )`,
  'create index pages_outline on pages (profile_id, coalesce(category_id, 0), position, id)',

  `create table page_versions (
    page_id bigint not null references pages on delete cascade,
    version integer not null,
    title text not null,
    body text not null,
    excerpt text,
    status text not null,
    created_at timestamptz not null,
    created_by uuid not null,
    primary key (page_id, version)
  )`,
]
