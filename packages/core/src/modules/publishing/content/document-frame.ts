import type { Link } from '../../../http/documents/links.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import type { Crumb, Site } from '../../../http/html/view.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { Category } from '../../../ports/storage/content.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type ProfileService, profilePath } from '../../profiles/profiles/index.ts'
import { addressOf, contentPath } from './address.ts'
import { slugsOf } from './category-tree.ts'
import { contentsMessages } from './messages.ts'

export type DocumentSource = Pick<ProfileService, 'publicUrl' | 'linkKeys' | 'didOf' | 'urlOf'>

/** The profile of the content. */
export const publisherOf = (profiles: DocumentSource, profile: Profile) => ({
  did: profiles.didOf(profile),
  username: profile.username,
  profile_type: profile.type,
  url: profiles.urlOf(profile),
})

/** Breadcrumbs in the language of a page; documents for programs have them in English. */
export const namedIn = (site: Site, crumbs: readonly Crumb[]): readonly Crumb[] =>
  crumbs.map((crumb, index) => (index === CONTENTS ? { ...crumb, name: contentsMessages(site)('contents') } : crumb))

/** The place of the table of contents in the breadcrumbs. */
const CONTENTS = 1

/** The context of content: its profile, the table of contents, and its parent categories. */
export function crumbsOf(profile: Profile, categories: readonly Pick<Category, 'name' | 'slug'>[]): readonly Crumb[] {
  const slugs = slugsOf(categories)
  return [
    { name: profile.fullName ?? profile.username, href: profilePath(profile) },
    { name: 'Contents', href: contentPath(profile, []) },
    ...categories.map(({ name }, index) => ({ name, href: contentPath(profile, slugs.slice(0, index + 1)) })),
  ]
}

/** The headers that content shares with its profile. */
export function frameOf(
  profiles: DocumentSource,
  profile: Profile,
  slugs: readonly string[],
  { forTeam, more = [] }: { readonly forTeam: boolean; readonly more?: readonly Link[] },
): Pick<PublicDocument, 'headers' | 'links' | 'cacheControl'> {
  const { path, url } = addressOf(profiles, profile, slugs)
  const { path: above } = addressOf(profiles, profile, slugs.slice(0, -1))
  return {
    headers: {
      'x-profile-username': profile.username,
      'x-profile-type': profile.type,
      'eep-entity-did': profiles.didOf(profile),
      ...robotsOf(forTeam ? 'private' : profile.visibility),
    },
    links: [
      { rel: 'canonical', href: url },
      { rel: 'alternate', href: `${path}?format=markdown`, type: 'text/markdown' },
      { rel: 'alternate', href: `${path}?format=json`, type: 'application/json' },
      { rel: 'alternate', href: `${path}?format=toon`, type: 'text/toon' },
      { rel: 'author', href: profilePath(profile) },
      { rel: 'up', href: slugs.length > 0 ? above : profilePath(profile) },
      { rel: 'service-desc', href: '/docs/openapi.json', type: 'application/json' },
      ...more,
    ],
    cacheControl: CACHE_CONTROL[forTeam ? 'private' : profile.visibility],
  }
}
