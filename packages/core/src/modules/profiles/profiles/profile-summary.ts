import { z } from 'zod'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'

/** A profile in the lists and records of other modules. */
export const profileSummary = z
  .object({
    id: z.int(),
    did: z.string(),
    profile_type: z.enum(PROFILE_TYPES),
    username: z.string(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    url: z.string(),
  })
  .meta({ id: 'ProfileSummary' })
export type ProfileSummary = z.output<typeof profileSummary>

type Summarized = Pick<Profile, 'id' | 'type' | 'username' | 'fullName' | 'avatarUrl'>

/** The addresses of profiles. */
export interface ProfileAddresses {
  didOf(profile: Pick<Profile, 'type' | 'username'>): string
  urlOf(profile: Pick<Profile, 'type' | 'username'>): string
}

/** Serializes a summary of a profile, which callers pass without its gated fields. */
export const serializeProfileSummary = (profile: Summarized, { didOf, urlOf }: ProfileAddresses): ProfileSummary => ({
  id: profile.id,
  did: didOf(profile),
  profile_type: profile.type,
  username: profile.username,
  full_name: profile.fullName,
  avatar_url: profile.avatarUrl,
  url: urlOf(profile),
})
