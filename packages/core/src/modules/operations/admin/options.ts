import { z } from 'zod'

/** The options of the feature. */
export const adminOptions = {
  /**
   * How long actions of administrators are kept, in days.
   * @default 3650
   */
  retentionDays: z.int().min(1).max(36_500).default(3_650),
}
