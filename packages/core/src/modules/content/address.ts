import { type Profile, type ProfileService, profilePath } from '../profiles/index.ts'

/** The path of content on the clean listener: `/u/ada/content/notes/my-page`; without slugs the table of contents. */
export const contentPath = (profile: Pick<Profile, 'type' | 'username'>, slugs: readonly string[]): string =>
  [profilePath(profile), 'content', ...slugs].join('/')

/** Where content is read: its path, and its canonical URL. */
export const addressOf = (
  profiles: Pick<ProfileService, 'publicUrl'>,
  profile: Pick<Profile, 'type' | 'username'>,
  slugs: readonly string[],
) => {
  const path = contentPath(profile, slugs)
  return { path, url: `${profiles.publicUrl}${path}` }
}
