import type { Migration } from './index.ts'

export const m0100SiteScanHostEnds: Migration = [
  // Retention finds the hosts whose time is over.
  'create index site_scan_hosts_by_end on site_scan_hosts (held_until)',
]
