import type { Migration } from './index.ts'

export const m0011RateLimits: Migration = [
  // Unlogged: a crash may lose the counts of a minute, and a hit does not wait for the disk.
  `create unlogged table rate_limits (
    key text primary key,
    count bigint not null,
    resets_at timestamptz not null
  ) with (fillfactor = 70)`,
]
