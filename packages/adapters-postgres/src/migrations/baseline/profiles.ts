import type { Migration } from '../index.ts'

export const profiles: Migration = [
  // Documents are json and not jsonb, so that they are returned unchanged, with their fields in order.
  `create table profiles (
    id bigint generated always as identity primary key,
    owner_account_id uuid not null references accounts,
    type text not null,
    username text not null,
    full_name text,
    bio text,
    avatar_url text,
    cover_url text,
    accent text,
    email text,
    skills text[] not null,
    socials json not null,
    keywords text[] not null,
    agent_instructions text,
    agent_rules text,
    capabilities text[] not null,
    custom_fields json not null,
    type_data json not null,
    visibility text not null check (visibility in ('public', 'unlisted', 'private')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    withdrawn_at timestamptz,
    visibility_once_verified text check (visibility_once_verified in ('public', 'unlisted')),
    apps text not null default 'allowed' check (apps in ('allowed', 'owner_only')),
    unique (username, type)
  )`,
  'create index profiles_of_account on profiles (owner_account_id, created_at, id)',
  // Sitemaps measure all listed items; with these columns, index-only scans suffice.
  `create index profiles_listed on profiles (id) include (updated_at)
    where visibility = 'public' and withdrawn_at is null`,
  // Sitemaps have 10,000 ids each. The first entry of a part shows that it is not empty, and when it last changed.
  `create index profiles_by_part on profiles ((id / 10000), updated_at desc)
    where visibility = 'public' and withdrawn_at is null`,

  // Former names of profiles. Each redirects to its profile and is kept until a given time.
  `create table profile_names (
    username text not null,
    type text not null,
    profile_id bigint not null references profiles on delete cascade,
    kept_until timestamptz not null,
    primary key (username, type)
  )`,
  'create index profile_names_of_profile on profile_names (profile_id)',

  // Names of deleted profiles as keyed hashes, because they outlive the account and must not identify anyone.
  `create table reserved_names (
    name_hash text primary key,
    type text not null,
    owner_account_id uuid references accounts on delete set null,
    was_readable boolean not null,
    reserved_at timestamptz not null
  )`,
  'create index reserved_names_of_owner on reserved_names (owner_account_id) where owner_account_id is not null',

  // Such a profile is withdrawn, too, so that every reader leaves it out.
  `create table hidden_profiles (
    profile_id bigint primary key references profiles on delete cascade,
    import_id uuid,
    touched_at timestamptz not null
  )`,
  'create index hidden_profiles_by_time on hidden_profiles (touched_at)',
  'create index hidden_profiles_of_import on hidden_profiles (import_id) where import_id is not null',

  `create table connections (
    follower_profile_id bigint not null references profiles on delete cascade,
    followee_profile_id bigint not null references profiles on delete cascade,
    created_at timestamptz not null,
    primary key (follower_profile_id, followee_profile_id),
    check (follower_profile_id <> followee_profile_id)
  )`,
  `create index connections_of_follower
    on connections (follower_profile_id, created_at desc, followee_profile_id desc)`,
  `create index connections_of_followee
    on connections (followee_profile_id, created_at desc, follower_profile_id desc)`,

  `create table trust_levels (
    profile_id bigint primary key references profiles on delete cascade,
    level text,
    recheck_at timestamptz
  )`,
  'create index trust_levels_to_recheck on trust_levels (recheck_at) where recheck_at is not null',

  // One row holds all sections of a profile: they are read and replaced together.
  `create table smart_sections (
    profile_id bigint primary key references profiles on delete cascade,
    sections json not null,
    version integer not null,
    updated_at timestamptz not null
  )`,
]
