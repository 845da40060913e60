import type { Profile } from '../../../ports/storage/profiles.ts'

/** The missing parts of a complete profile, in this order. */
export const COMPLETION = ['avatar', 'bio', 'socials', 'skills'] as const

export interface Completion {
  readonly missing: readonly (typeof COMPLETION)[number][]
  /** How many are missing. */
  readonly count: number
}

/** Returns the missing parts of a profile. Text of only spaces counts as missing. */
export function completionOf({
  avatarUrl,
  bio,
  socials,
  skills,
}: Pick<Profile, 'avatarUrl' | 'bio' | 'socials' | 'skills'>): Completion {
  const there = {
    avatar: avatarUrl !== null,
    bio: (bio ?? '').trim() !== '',
    socials: Object.keys(socials).length > 0,
    skills: skills.length > 0,
  }
  const missing = COMPLETION.filter((part) => !there[part])
  return { missing, count: missing.length }
}
