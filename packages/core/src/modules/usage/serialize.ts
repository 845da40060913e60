import type { z } from 'zod'
import { serializeTierLimits } from '../../http/tier-limits.ts'
import type { PlanLimits } from '../../model/plan.ts'
import type { AccountUse } from '../../ports/storage/profiles.ts'
import type { usageSchema } from './schemas.ts'

const MEGABYTE = 1_048_576

/** Minutes of recordings transcribed this month, and reserved by running jobs. */
export interface MinutesUse {
  readonly used: number
  readonly reserved: number
}

/** Serializes the limits of a plan (interface, Tiers and subscriptions) and their usage. */
export const serializeUsage = (
  { limits, maxFileMb, concurrentStreams, apiRequestsPerMinute, commissionBps }: PlanLimits,
  use: AccountUse,
  minutes: MinutesUse,
): z.input<typeof usageSchema> => ({
  ...serializeTierLimits(limits),
  max_file_mb: maxFileMb,
  concurrent_streams: concurrentStreams,
  api_requests_per_minute: apiRequestsPerMinute,
  commission_bps: commissionBps,
  usage: {
    profiles: use.profiles,
    pages: use.pages,
    files: use.files,
    storage_mb: Math.round((use.storageBytes / MEGABYTE) * 1_000) / 1_000,
    transcription_minutes: minutes.used,
    transcription_minutes_reserved: minutes.reserved,
  },
})
