import { wordsOf } from '../../http/field-values.ts'
import { html } from '../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../http/html/view.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Change } from './changelog.ts'
import { profilePath } from './did.ts'
import { profileCreated } from './events.ts'

function said({ type, fields = [], page }: Change, site: Site) {
  if (page) return html`Page saved: <a href="${hrefOn(site, page.url)}">${page.title}</a>`
  return type === profileCreated.type ? 'Profile created' : `Changed: ${fields.map(wordsOf).join(', ')}`
}

/** The changelog of a profile for people. */
export function changelogHtml(
  profile: Profile,
  changes: readonly Change[],
  next: string | undefined,
  site: Site,
): HtmlView {
  const name = profile.fullName ?? profile.username
  const title = `Changes of ${name}`
  return {
    title,
    crumbs: [{ name, href: profilePath(profile) }],
    head: html`<h1>${title}</h1>
${changes.length > 0 ? html`<dl class="facts">${changes.map((change) => html`<dt><time datetime="${change.at}">${change.at.slice(0, 16).replace('T', ' ')}</time></dt><dd>${said(change, site)}</dd>`)}</dl>` : html`<p>Nothing yet.</p>`}
${next && html`<p><a rel="next" href="${hrefOn(site, next)}">More</a></p>`}`,
  }
}
