import type { ProfileType } from '../../../model/profile-type.ts'
import type { NewProfile } from '../../../ports/storage/profiles.ts'

/** The required fields of a new profile. */
export interface ProfileBirth {
  readonly ownerAccountId: string
  readonly type: ProfileType
  readonly username: string
  readonly fullName: string | null
  readonly at: Date
}

/** Creates a public profile with empty fields. */
export const blankProfile = ({ ownerAccountId, type, username, fullName, at }: ProfileBirth): NewProfile => ({
  ownerAccountId,
  type,
  username,
  fullName,
  bio: null,
  avatarUrl: null,
  coverUrl: null,
  accent: null,
  email: null,
  skills: [],
  socials: {},
  keywords: [],
  agentInstructions: null,
  agentRules: null,
  capabilities: [],
  customFields: {},
  typeData: {},
  visibility: 'public',
  visibilityOnceVerified: null,
  apps: 'allowed',
  createdAt: at,
})
