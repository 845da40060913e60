import type { Migration } from '../index.ts'

export const analytics: Migration = [
  // Figures of the last two days. `rolled` is the part that is in analytics_hours already.
  `create table analytics_minutes (
    profile_id bigint not null references profiles on delete cascade,
    minute timestamptz not null,
    metric text not null,
    key text not null,
    count bigint not null,
    rolled bigint not null default 0,
    primary key (profile_id, minute, metric, key)
  )`,
  'create index analytics_minutes_to_roll on analytics_minutes (minute) where rolled < count',
  'create index analytics_minutes_to_purge on analytics_minutes (minute)',

  `create table analytics_hours (
    profile_id bigint not null references profiles on delete cascade,
    hour timestamptz not null,
    metric text not null,
    key text not null,
    count bigint not null,
    primary key (profile_id, hour, metric, key)
  )`,
  'create index analytics_hours_to_roll on analytics_hours (hour)',

  `create table analytics_days (
    profile_id bigint not null references profiles on delete cascade,
    day timestamptz not null,
    metric text not null,
    key text not null,
    count bigint not null,
    primary key (profile_id, day, metric, key)
  )`,
  'create index analytics_days_by_time on analytics_days (day)',

  // Hashes with the salt of the day, until the day is over.
  `create table analytics_visitors (
    profile_id bigint not null references profiles on delete cascade,
    hour timestamptz not null,
    visitor text not null,
    minute timestamptz not null,
    primary key (profile_id, hour, visitor)
  )`,
  'create index analytics_visitors_to_roll on analytics_visitors (hour)',

  `create table analytics_salts (
    day text primary key,
    salt text not null
  )`,

  // A batch whose outcome is unknown is stored again under the same id.
  `create table analytics_batches (
    id uuid primary key,
    stored_at timestamptz not null
  )`,
  'create index analytics_batches_to_purge on analytics_batches (stored_at)',
]
