import { z } from 'zod'

/** The options of the feature. */
export const auditLogOptions = {
  /**
   * How long entries of audit logs are kept, in days.
   * @default 3650
   */
  retentionDays: z.int().min(1).max(36_500).default(3_650),
}
