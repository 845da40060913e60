import { z } from 'zod'
import { tierLimitsShape } from '../../http/tier-limits.ts'

const count = z.int().min(0)

export const usageSchema = z.object({
  ...tierLimitsShape,
  concurrent_streams: count.describe('Event streams that may be open at the same time, on each instance'),
  max_file_mb: count.describe('For a file that is neither audio nor video'),
  api_requests_per_minute: count.describe('By API keys'),
  commission_bps: count.describe('The commission of the service on a sale, in basis points'),
  usage: z.object({
    profiles: count,
    pages: count,
    files: count,
    storage_mb: z.number().min(0).describe('Files, versions of pages, and versions of gate configurations'),
    transcription_minutes: count.describe('This month, by UTC'),
    transcription_minutes_reserved: count.describe('Minutes reserved by unfinished jobs'),
  }),
})
