import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { documentOf, inline, link, list } from '../../../kernel/markdown.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Change, ChangelogPage, ChangelogRequest } from './changelog.ts'
import { changelogHtml } from './changelog-html.ts'
import { didOf, profilePath } from './did.ts'
import { profileCreated } from './events.ts'

function sentence({ at, type, fields = [], page }: Change): string {
  if (page) return `${at} Page saved: ${link(page.title, page.url)}`
  if (type === profileCreated.type) return `${at} Profile created`
  return fields.length > 0 ? `${at} Profile updated: ${fields.map(inline).join(', ')}` : `${at} ${inline(type)}`
}

/** The next page of the same list. */
function nextOf(path: string, { limit, order, since }: ChangelogRequest, cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const query = new URLSearchParams({ limit: String(limit), order, ...(since === undefined ? {} : { since }), cursor })
  return `${path}?${query}`
}

/** The changelog of a profile as a public document. */
export function changelogDocument(
  profile: Profile,
  request: ChangelogRequest,
  { changes, total, nextCursor }: ChangelogPage,
  publicUrl: string,
): PublicDocument {
  const next = nextOf(`${profilePath(profile)}/changelog`, request, nextCursor)
  return {
    data: {
      data: changes.map((change) => ({ ...change })),
      pagination: {
        total,
        has_more: nextCursor !== undefined,
        ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      },
    },
    markdown: () => {
      const title = `# Changelog of ${inline(profile.fullName ?? profile.username)}`
      const body = changes.length > 0 ? list(changes.map(sentence)) : 'Nothing yet.'
      return documentOf(title, body, next ? link('More', `${publicUrl}${next}`) : '')
    },
    html: (site) => changelogHtml(profile, changes, next, site),
    headers: { 'eep-entity-did': didOf(publicUrl, profile), ...robotsOf(profile.visibility) },
    links: [{ rel: 'up', href: profilePath(profile) }, ...(next ? [{ rel: 'next', href: next }] : [])],
    cacheControl: CACHE_CONTROL[profile.visibility],
  }
}
