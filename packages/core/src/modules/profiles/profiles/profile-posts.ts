import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath } from './did.ts'

/** A post in the profile document. */
export interface PostSummary {
  readonly id: number
  readonly body: string
  readonly createdAt: Date
}

/** The path of a post. */
export const postPath = (id: number): string => `/feed/posts/${id}`

/** The path of the posts of a profile. */
export const profileFeedPath = (profile: Pick<Profile, 'type' | 'username'>): string => `/feed${profilePath(profile)}`

/** Serializes a post for profile documents. Omits what other accounts change, such as likes. */
export const serializePostSummary = ({ id, body, createdAt }: PostSummary, publicUrl: string) => ({
  id,
  url: `${publicUrl}${postPath(id)}`,
  body,
  created_at: createdAt.toISOString(),
})
