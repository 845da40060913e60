import type { Migration } from './index.ts'

/** Breaks processes of the release before: they have no cursors. */
export const m0044EventOrder: Migration = [
  // What is there was ordered by its position; it comes before every transaction.
  'alter table events add column era integer not null default 0',
  `alter table events add column xid xid8 not null default '0'`,
  'alter table events alter column xid set default pg_current_xact_id()',
  'create index events_in_order on events (era, xid, position)',
  'create index events_of_profile_in_order on events (profile_id, era, xid, position) where profile_id is not null',
  'drop index events_of_profile',

  `create table event_log (
    era integer not null,
    only_row boolean primary key default true check (only_row)
  )`,
  'insert into event_log (era) values (0)',

  'alter table followers add column cursor text',
  `update followers set cursor = '0-0-' || position`,
  'alter table followers alter column cursor set not null',
  'alter table followers drop column position',
]
