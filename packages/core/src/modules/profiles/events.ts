import type { ProfileType } from './profile-type.ts'

interface ProfileName {
  readonly type: ProfileType
  readonly username: string
}

export interface ProfileEvents {
  'profiles.profile_created': ProfileName
  'profiles.profile_updated': ProfileName & { readonly fields: readonly string[] }
  'profiles.profile_deleted': ProfileName
  /** Its account is about to be deleted; it shows nowhere. */
  'profiles.profile_withdrawn': ProfileName
  /** Its account stays; it shows again. */
  'profiles.profile_restored': ProfileName
  /** It went with its account, and nobody knows its name any more. */
  'profiles.profile_purged': Readonly<Record<string, never>>
}
