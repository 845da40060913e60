import type { Migration } from '../index.ts'

export const siteScans: Migration = [
  `create table site_scans (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    host text not null,
    requested_at timestamptz not null
  )`,
  'create index site_scans_of_account on site_scans (account_id, requested_at)',
  'create index site_scans_by_age on site_scans (requested_at)',

  // A row is replaced when its time is over, so that the primary key admits one scan of a host.
  `create table site_scan_hosts (
    host text primary key,
    scan_id uuid not null references site_scans on delete cascade,
    held_until timestamptz not null
  )`,
  'create index site_scan_hosts_of_scan on site_scan_hosts (scan_id)',
  // Retention finds the hosts whose time is over.
  'create index site_scan_hosts_by_end on site_scan_hosts (held_until)',
]
