import type { Migration } from './index.ts'

export const m0015Reactions: Migration = [
  `create table reactions (
    page_id bigint not null references pages on delete cascade,
    kind text not null check (kind in ('like', 'bookmark')),
    account_id uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    primary key (page_id, kind, account_id)
  )`,
  'create index reactions_of_account on reactions (account_id, kind, created_at desc, page_id desc)',

  // Whoever reacts holds the row of the count until the end, so that those who react at once take turns.
  `create table reaction_counts (
    page_id bigint not null references pages on delete cascade,
    kind text not null,
    count bigint not null check (count >= 0),
    primary key (page_id, kind)
  )`,
]
