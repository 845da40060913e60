import { z } from 'zod'

/** The options of the feature. */
export const signalsOptions = {
  /**
   * A reverse domain name that prefixes the type of each event: with `com.example`, clients get
   * `com.example.content.published`. Filters match with and without it.
   * @default none
   */
  typePrefix: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$/, 'Must be a reverse domain name such as com.example')
    .optional(),
  /**
   * Days for which events are kept, and so how long clients can be offline without missing any. Older events are deleted in the
   * background, except those that changelogs show.
   * @default 7
   */
  retentionDays: z.int().min(1).max(36_500).default(7),
  /**
   * How long events that changelogs show are kept, in days, if that is longer than `retentionDays`.
   * @default 3650
   */
  changelogRetentionDays: z.int().min(1).max(36_500).default(3_650),
  /**
   * Concurrent streams per client address without an account. Plans have their own limit.
   * @default 10
   */
  anonymousStreams: z.int().min(0).max(100_000).default(10),
}
