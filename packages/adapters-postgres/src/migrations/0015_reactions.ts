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

  // A reaction locks the row of the count until the transaction ends, so that concurrent reactions are serialized.
  `create table reaction_counts (
    page_id bigint not null references pages on delete cascade,
    kind text not null,
    count bigint not null check (count >= 0),
    primary key (page_id, kind)
  )`,
]
