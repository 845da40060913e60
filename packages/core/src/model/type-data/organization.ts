import { z } from 'zod'
import { line } from '../../kernel/text-fields.ts'

export const organizationData = z.strictObject({
  legal_name: line(200).optional(),
  industry: line(128).optional(),
  /** A year, a month or a date. */
  founded: z
    .union([z.int().min(0).max(9999), z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, 'YYYY, YYYY-MM or YYYY-MM-DD')])
    .optional(),
  size: z.union([z.int().min(0).max(1e9), line(32)]).optional(),
  headquarters: line(200).optional(),
})
