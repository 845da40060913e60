import { z } from 'zod'
import { tierLimitsShape } from '../../http/tier-limits.ts'

const count = z.int().min(0)

export const usageSchema = z.object({
  ...tierLimitsShape,
  max_file_mb: count.describe('Of a file that is neither sound nor film'),
  api_requests_per_minute: count.describe('By API keys'),
  commission_bps: count.describe('What the service keeps of a sale, in hundredths of a percent'),
  usage: z.object({
    profiles: count,
    pages: count,
    files: count,
    storage_mb: z.number().min(0).describe('Files, versions of pages, and versions of gate configurations'),
    transcription_minutes: count.describe('This month, by UTC'),
    transcription_minutes_reserved: count.describe('What jobs that have not ended may need beside them'),
  }),
})
