import type { Link } from '../../../http/documents/links.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { gateConfigPath } from '../../../model/gate-config.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import { didOf, profilePath } from './did.ts'
import { eventLinks } from './event-links.ts'
import { profileHtml } from './profile-html.ts'
import { profileMarkdown } from './profile-markdown.ts'
import { partLinks, serializeProfile, urlsOf } from './serialize-profile.ts'
import { dependsOnReader, isGated, type ProfileView } from './view.ts'

function linksOf(view: ProfileView, publicUrl: string): Link[] {
  const { profile } = view
  const did = didOf(publicUrl, profile)
  const path = profilePath(profile)
  const json = 'application/json'
  return [
    { rel: 'canonical', href: urlsOf(publicUrl, profile).self },
    { rel: 'alternate', href: `${path}?format=markdown`, type: 'text/markdown' },
    { rel: 'alternate', href: `${path}?format=json`, type: json },
    { rel: 'alternate', href: `${path}?format=toon`, type: 'text/toon' },
    { rel: 'contents', href: `${path}/content` },
    { rel: 'changelog', href: `${path}/changelog` },
    { rel: 'freshness', href: `${path}/freshness` },
    { rel: 'badge', href: `${path}/badge.svg`, type: 'image/svg+xml' },
    { rel: 'did', href: `${path}/did.json`, type: 'application/did+json' },
    { rel: 'agent-card', href: `${path}/agent-card.json`, type: json },
    { rel: 'search', href: '/opensearch.xml', type: 'application/opensearchdescription+xml', needs: '/opensearch.xml' },
    ...(isGated(view) ? [{ rel: 'gates', href: gateConfigPath(did), type: json }] : []),
    ...partLinks(view, publicUrl).flatMap(({ header }) => header ?? []),
    ...eventLinks(did),
    { rel: 'service-desc', href: '/docs/openapi.json', type: json },
    { rel: 'eep', href: '/.well-known/eep.json', type: json },
  ]
}

/** The public document of a profile, with the parts in `view`. */
export function profileDocument(view: ProfileView, publicUrl: string): PublicDocument {
  const { profile } = view
  return {
    data: serializeProfile(view, publicUrl),
    markdown: () => profileMarkdown(view, publicUrl),
    html: (site) => profileHtml(view, site),
    subjects: [{ kind: 'profile', id: profile.id, profile }],
    feedPath: partLinks(view, publicUrl).find((links) => links.feedPath !== undefined)?.feedPath,
    headers: {
      'x-profile-username': profile.username,
      'x-profile-type': profile.type,
      'eep-entity-did': didOf(publicUrl, profile),
      ...robotsOf(profile.visibility),
    },
    links: linksOf(view, publicUrl),
    ...(dependsOnReader(view) ? { vary: 'X-EEP-Agent-Type' } : {}),
    cacheControl: CACHE_CONTROL[profile.visibility],
  }
}
