import { completionOf } from './completion.ts'
import type { DashboardRecord } from './dashboard-schemas.ts'
import { didOf, profilePath } from './did.ts'
import type { DashboardProfile } from './my-profiles.ts'
import type { ProfileService } from './service.ts'

/** Serializes a profile for the dashboard of its team. */
export const serializeDashboard = (
  { profile, role, numbers, parts, trustScore }: DashboardProfile,
  { publicUrl, subjectOf }: Pick<ProfileService, 'publicUrl' | 'subjectOf'>,
): DashboardRecord => ({
  id: profile.id,
  did: didOf(publicUrl, profile),
  profile_type: profile.type,
  username: profile.username,
  full_name: profile.fullName,
  bio: profile.bio,
  avatar_url: profile.avatarUrl,
  cover_url: profile.coverUrl,
  accent: profile.accent,
  capabilities: [...profile.capabilities],
  visibility: profile.visibility,
  type_data: profile.typeData,
  files: [],
  ...Object.fromEntries(parts.map(({ part, items }) => [part.key, part.json(items, subjectOf(profile))])),
  trust_score: trustScore,
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
  url: publicUrl + profilePath(profile),
  role,
  completion: { ...completionOf(profile), missing: [...completionOf(profile).missing] },
  metrics: numbers,
})
