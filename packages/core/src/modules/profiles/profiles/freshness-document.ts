import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { html } from '../../../http/html/html.ts'
import type { Site } from '../../../http/html/view.ts'
import { documentOf, inline, list } from '../../../kernel/markdown.ts'
import { momentText } from '../../../model/day-text.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { didOf, profilePath } from './did.ts'
import type { Freshness } from './freshness.ts'
import { freshnessMessages } from './messages.ts'

const timeOf = (site: Site, at: Date) => html`<time datetime="${at.toISOString()}">${momentText(site, at)}</time>`

/** The revision and times of a profile as a public document. */
export function freshnessDocument(
  profile: Profile,
  { revision, updatedAt, contentUpdatedAt }: Freshness,
  publicUrl: string,
): PublicDocument {
  const name = profile.fullName ?? profile.username
  const did = didOf(publicUrl, profile)
  return {
    data: {
      did,
      revision,
      updated_at: updatedAt.toISOString(),
      content_updated_at: contentUpdatedAt?.toISOString() ?? null,
    },
    markdown: () =>
      documentOf(
        `# Last changes of ${inline(name)}`,
        list([
          `DID: \`${did}\``,
          `Revision: \`${revision}\``,
          `Profile: ${updatedAt.toISOString()}`,
          `Contents: ${contentUpdatedAt?.toISOString() ?? 'no pages'}`,
        ]),
      ),
    html: (site) => {
      const say = freshnessMessages(site)
      const title = say('title', { name })
      return {
        title,
        crumbs: [{ name, href: profilePath(profile) }],
        head: html`<h1>${title}</h1>
<dl class="facts"><dt>${say('profile')}</dt><dd>${timeOf(site, updatedAt)}</dd><dt>${say('contents')}</dt><dd>${contentUpdatedAt ? timeOf(site, contentUpdatedAt) : say('none')}</dd><dt>${say('revision')}</dt><dd><code>${revision}</code></dd></dl>`,
      }
    },
    headers: { 'eep-entity-did': did, ...robotsOf(profile.visibility) },
    links: [{ rel: 'up', href: profilePath(profile) }],
    cacheControl: CACHE_CONTROL[profile.visibility],
  }
}
