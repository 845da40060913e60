import { completionOf } from './completion.ts'
import type { DashboardRecord } from './dashboard-schemas.ts'
import { didOf, profilePath } from './did.ts'
import type { DashboardProfile } from './my-profiles.ts'
import { serializeFile } from './profile-files.ts'

/** Serializes a profile for the dashboard of its team. */
export const serializeDashboard = (
  { profile, role, numbers, files, trustScore }: DashboardProfile,
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
  files: files.map((file) => serializeFile(file, publicUrl)),
  trust_score: trustScore,
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
  url: publicUrl + profilePath(profile),
  role,
  completion: { ...completionOf(profile), missing: [...completionOf(profile).missing] },
  metrics: numbers,
})
