import type { Migration } from './index.ts'

export const m0002Profiles: Migration = [
  // Documents are json and not jsonb, so that they are returned unchanged, with their fields in order.
  `create table profiles (
    id bigint generated always as identity primary key,
    owner_account_id uuid not null references accounts,
    type text not null,
    username text not null,
    full_name text,
    bio text,
    avatar_url text,
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
    unique (username, type)
  )`,
  'create index profiles_of_account on profiles (owner_account_id, created_at, id)',
]
