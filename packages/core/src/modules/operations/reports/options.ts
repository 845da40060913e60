import { z } from 'zod'

/** The options of the feature. */
export const reportsOptions = {
  /**
   * How long reports are kept after the last decision about them, in days. Open reports are kept.
   * @default 1095
   */
  retentionDays: z.int().min(1).max(36_500).default(1_095),
}
