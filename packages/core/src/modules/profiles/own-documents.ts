import type { z } from 'zod'
import { tierLimitsRecord } from '../../http/tier-limits.ts'
import type { TierFacts } from '../accounts/index.ts'
import { completionOf } from './completion.ts'
import { didOf, profilePath } from './did.ts'
import { fileDocument } from './file-document.ts'
import type { DashboardProfile } from './own.ts'
import type { DashboardRecord, limitsSchema } from './own-schemas.ts'
import type { AccountUse } from './store.ts'

/** A profile as its team sees it on the dashboard. */
export const dashboardRecord = (
  { profile, role, numbers, files }: DashboardProfile,
  publicUrl: string,
): DashboardRecord => ({
  id: profile.id,
  did: didOf(publicUrl, profile),
  profile_type: profile.type,
  username: profile.username,
  full_name: profile.fullName,
  bio: profile.bio,
  avatar_url: profile.avatarUrl,
  capabilities: [...profile.capabilities],
  visibility: profile.visibility,
  type_data: profile.typeData,
  files: files.map((file) => fileDocument(file, publicUrl)),
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
  url: publicUrl + profilePath(profile),
  role,
  completion: { ...completionOf(profile), missing: [...completionOf(profile).missing] },
  metrics: numbers,
})

const MEGABYTE = 1_048_576

/** Minutes of recordings that were transcribed this month, and those that running jobs may need. */
export interface MinutesUse {
  readonly used: number
  readonly reserved: number
}

/** What a tier allows (interface, Tiers and subscriptions), and beside it what is used. */
export const limitsRecord = (
  { limits, maxFileMb, apiRequestsPerMinute, commissionBps }: TierFacts,
  use: AccountUse,
  minutes: MinutesUse,
): z.input<typeof limitsSchema> => ({
  ...tierLimitsRecord(limits),
  max_file_mb: maxFileMb,
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
