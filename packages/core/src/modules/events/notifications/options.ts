import { z } from 'zod'
import { DAY_MS } from '../../../kernel/durations.ts'

/** The options of the feature. */
export const notificationsOptions = {
  /**
   * How long notifications are kept after their last event. At least one day. Default: 90 days.
   * @default 7776000000
   */
  retentionMs: z
    .int()
    .min(DAY_MS)
    .default(90 * DAY_MS),
  /**
   * The hour of the day (UTC) at which daily emails are sent.
   * @default 8
   */
  digestHour: z.int().min(0).max(23).default(8),
}
