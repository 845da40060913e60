import type { ProfileType } from './profile-type.ts'

interface ProfileName {
  readonly type: ProfileType
  readonly username: string
}

export interface ProfileEvents {
  'profiles.profile_created': ProfileName
  'profiles.profile_updated': ProfileName & { readonly fields: readonly string[] }
  'profiles.profile_deleted': ProfileName
}
