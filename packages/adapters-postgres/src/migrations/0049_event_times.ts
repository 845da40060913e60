import type { Migration } from './index.ts'

export const m0049EventTimes: Migration = [
  // Finds the place in the log of a moment.
  'create index events_by_time on events (at)',
]
