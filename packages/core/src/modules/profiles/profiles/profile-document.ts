import type { Link } from '../../../http/documents/links.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { gateConfigPath } from '../../../model/gate-config.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import { didOf, profilePath } from './did.ts'
import { eventLinks } from './event-links.ts'
import { profileHtml } from './profile-html.ts'
import { profileMarkdown } from './profile-markdown.ts'
import { profileFeedPath } from './profile-posts.ts'
import { serializeProfile, servicesPath, urlsOf } from './serialize-profile.ts'
import { isGated, type ProfileView } from './view.ts'

/** The path of the posts of a profile; undefined if they are not public. */
const feedPathOf = ({ posts, profile }: ProfileView) =>
  posts && profile.visibility === 'public' ? profileFeedPath(profile) : undefined

const feedLinks = (path: string): Link[] => [
  { rel: 'alternate', href: `${path}.json`, type: 'application/feed+json', title: 'Posts' },
  { rel: 'alternate', href: `${path}.atom`, type: 'application/atom+xml', title: 'Posts' },
]

function linksOf(view: ProfileView, publicUrl: string): Link[] {
  const { profile, sells } = view
  const feedPath = feedPathOf(view)
  const did = didOf(publicUrl, profile)
  const path = profilePath(profile)
  const json = 'application/json'
  return [
    { rel: 'canonical', href: urlsOf(publicUrl, profile).self },
    { rel: 'alternate', href: `${path}?format=markdown`, type: 'text/markdown' },
    { rel: 'alternate', href: `${path}?format=json`, type: json },
    { rel: 'alternate', href: `${path}?format=toon`, type: 'text/toon' },
    ...(feedPath ? feedLinks(feedPath) : []),
    { rel: 'contents', href: `${path}/content` },
    { rel: 'changelog', href: `${path}/changelog` },
    { rel: 'freshness', href: `${path}/freshness` },
    { rel: 'badge', href: `${path}/badge.svg`, type: 'image/svg+xml' },
    { rel: 'did', href: `${path}/did.json`, type: 'application/did+json' },
    { rel: 'agent-card', href: `${path}/agent-card.json`, type: json },
    { rel: 'search', href: '/opensearch.xml', type: 'application/opensearchdescription+xml', needs: '/opensearch.xml' },
    ...(isGated(view) ? [{ rel: 'gates', href: gateConfigPath(did), type: json }] : []),
    ...(sells ? [{ rel: 'services', href: servicesPath(did), type: json }] : []),
    ...eventLinks(did),
    { rel: 'service-desc', href: '/docs/openapi.json', type: json },
    { rel: 'eep', href: '/.well-known/eep.json', type: json },
  ]
}

/** The public document of a profile, with the sections in `view`. */
export function profileDocument(view: ProfileView, publicUrl: string): PublicDocument {
  const { profile, sells, trustScore, files, posts, sections, closed, events } = view
  const gated = isGated(view)
  return {
    data: serializeProfile(profile, publicUrl, { gated, sells, trustScore, files, posts, sections, closed, events }),
    markdown: () => profileMarkdown(view, publicUrl),
    html: (site) => profileHtml(view, site),
    feedPath: feedPathOf(view),
    headers: {
      'x-profile-username': profile.username,
      'x-profile-type': profile.type,
      'eep-entity-did': didOf(publicUrl, profile),
      ...robotsOf(profile.visibility),
    },
    links: linksOf(view, publicUrl),
    ...(sections ? { vary: 'X-EEP-Agent-Type' } : {}),
    cacheControl: CACHE_CONTROL[profile.visibility],
  }
}
