import type { z } from 'zod'
import { serializeTierLimits } from '../../../http/pipeline/tier-limits.ts'
import type { PlanLimits } from '../../../model/plan.ts'
import type { MemoryUse } from '../../../ports/storage/memory.ts'
import type { AccountUse } from '../../../ports/storage/profiles.ts'
import { MAX_MEMORY_ENTRIES } from '../../insight/memory/index.ts'
import type { usageSchema } from './schemas.ts'

const MEGABYTE = 1_048_576

/** Minutes of recordings transcribed this month, and reserved by running jobs. */
export interface MinutesUse {
  readonly used: number
  readonly reserved: number
}

/** Serializes the limits of a plan and their usage. */
export const serializeUsage = (
  { limits, maxFileMb, concurrentStreams, apiRequestsPerMinute, commissionBps, ...plan }: PlanLimits,
  use: AccountUse,
  minutes: MinutesUse,
  memory: MemoryUse,
): z.input<typeof usageSchema> => ({
  ...serializeTierLimits(limits),
  max_file_mb: maxFileMb,
  concurrent_streams: concurrentStreams,
  api_requests_per_minute: apiRequestsPerMinute,
  max_posts: plan.maxPosts,
  max_follows: plan.maxFollows,
  max_archive_members: plan.maxArchiveMembers,
  max_memory_sessions: plan.maxMemorySessions,
  max_memory_entries_per_session: MAX_MEMORY_ENTRIES,
  max_memory_mb: plan.maxMemoryMb,
  commission_bps: commissionBps,
  usage: {
    profiles: use.profiles,
    pages: use.pages,
    files: use.files,
    storage_mb: Math.round((use.storageBytes / MEGABYTE) * 1_000) / 1_000,
    memory_sessions: memory.sessions,
    memory_entries: memory.entries,
    memory_bytes: memory.bytes,
    transcription_minutes: minutes.used,
    transcription_minutes_reserved: minutes.reserved,
  },
})
