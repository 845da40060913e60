import { z } from 'zod'
import { tierLimitsShape } from '../../../http/pipeline/tier-limits.ts'

const count = z.int().min(0)

export const usageSchema = z
  .object({
    ...tierLimitsShape,
    concurrent_streams: count.describe('Event streams that may be open at the same time, on each instance'),
    max_file_mb: count.describe('For a file that is neither audio nor video'),
    api_requests_per_minute: count.describe('By API keys'),
    max_posts: count.describe('Posts of all profiles of the account'),
    max_follows: count.describe('Profiles that all profiles of the account follow'),
    max_archive_members: count.describe('Members of an archive to import'),
    max_memory_sessions: count.describe('Memory sessions that have not expired, over all profiles of the account'),
    max_memory_entries_per_session: count,
    max_memory_mb: count.describe('The contents and metadata of all entries in these sessions'),
    commission_bps: count.describe('The commission of the service on a sale, in basis points'),
    usage: z.object({
      profiles: count,
      pages: count,
      files: count,
      storage_mb: z.number().min(0).describe('Files, versions of pages, and versions of gate configurations'),
      memory_sessions: count.describe('That have not expired'),
      memory_entries: count,
      memory_bytes: count.describe('Contents and metadata, in bytes'),
      transcription_minutes: count.describe('This month, by UTC'),
      transcription_minutes_reserved: count.describe('Minutes reserved by unfinished jobs'),
    }),
  })
  .meta({ id: 'Usage' })
