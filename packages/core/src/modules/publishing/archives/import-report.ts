import { z } from 'zod'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'

/** The report of an import, as the result of its job has it. */
export const importReport = z.object({
  dry_run: z.boolean(),
  signed_by: z.enum(['own', 'trusted', 'foreign']),
  issuer: z.string(),
  exported_at: z.string(),
  profile: z.object({
    id: z.int().nullable(),
    profile_type: z.enum(PROFILE_TYPES),
    username: z.string(),
    url: z.string(),
  }),
  counts: z.record(z.string(), z.number()),
  skipped: z.array(z.string()),
  skipped_count: z.int(),
  skipped_items: z.array(z.object({ member: z.string(), item: z.string(), reason: z.string() })),
  skipped_items_count: z.int(),
  warnings: z.array(z.object({ code: z.string(), member: z.string(), item: z.string() })),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
})

/** The report of an import. */
export type ImportReport = z.infer<typeof importReport>
