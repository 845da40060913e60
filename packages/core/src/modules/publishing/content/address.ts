import { resourceName } from '../../../model/resource-name.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GatedResource } from '../../access/paywall/index.ts'
import { type ProfileService, profilePath } from '../../profiles/profiles/index.ts'

/** Letters, digits and hyphens; no hyphen at either end. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,94}[a-z0-9])?$/

/** Whether a text could be the slug of a page or a category. */
export const isSlug = (text: string): boolean => SLUG.test(text)

/** The path of content on the clean listener: `/u/ada/content/notes/my-page`; without slugs the table of contents. */
export const contentPath = (profile: Pick<Profile, 'type' | 'username'>, slugs: readonly string[]): string =>
  [profilePath(profile), 'content', ...slugs].join('/')

/** The path and the canonical URL of content. */
export const addressOf = (
  profiles: Pick<ProfileService, 'publicUrl'>,
  profile: Pick<Profile, 'type' | 'username'>,
  slugs: readonly string[],
) => {
  const path = contentPath(profile, slugs)
  return { path, url: `${profiles.publicUrl}${path}` }
}

/** The resource name of content in gates. */
export const contentResource = (slugs: readonly string[]): string => resourceName('content', slugs)

/** A page as a resource of its gate. */
export const gatedContent = (
  profile: Profile,
  slugs: readonly string[],
  page: { readonly title: string; readonly excerpt: string | null },
  categories: readonly { readonly name: string }[],
): Omit<GatedResource, 'profile' | 'role'> => ({
  name: contentResource(slugs),
  path: contentPath(profile, slugs),
  description: page.title,
  // Categories are listed from the top, as their slugs are.
  sections: new Map(categories.map(({ name }, index) => [contentResource(slugs.slice(0, index + 1)), name])),
  preview: page.excerpt,
})
