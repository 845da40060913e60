import type { ProfileType } from '../../model/profile-type.ts'
import type { NewProfile } from '../../ports/storage/profiles.ts'

/** What a profile must have from the start. */
export interface ProfileBirth {
  readonly ownerAccountId: string
  readonly type: ProfileType
  readonly username: string
  readonly fullName: string | null
  readonly at: Date
}

/** A public profile that says nothing of itself yet. */
export const blankProfile = ({ ownerAccountId, type, username, fullName, at }: ProfileBirth): NewProfile => ({
  ownerAccountId,
  type,
  username,
  fullName,
  bio: null,
  avatarUrl: null,
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
  createdAt: at,
})
