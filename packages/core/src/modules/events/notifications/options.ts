import { z } from 'zod'

/** The options of the feature. */
export const notificationsOptions = {
  /**
   * Days for which notifications are kept after their last event.
   * @default 90
   */
  retentionDays: z.int().min(1).max(36_500).default(90),
  /**
   * The hour of the day (UTC) at which daily emails are sent.
   * @default 8
   */
  digestHour: z.int().min(0).max(23).default(8),
}
