import { html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { momentText } from '../../../model/day-text.ts'
import { wordsOf } from '../../../model/field-values.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Change } from './changelog.ts'
import { profilePath } from './did.ts'
import { profileCreated } from './events.ts'
import { changelogMessages } from './messages.ts'

/** The fields of all types that can change. */
const FIELDS = [
  'full_name',
  'username',
  'bio',
  'avatar_url',
  'cover_url',
  'accent',
  'skills',
  'socials',
  'keywords',
  'agent_instructions',
  'agent_rules',
  'capabilities',
  'custom_fields',
  'type_data',
  'visibility',
] as const

const isNamed = (field: string): field is (typeof FIELDS)[number] => FIELDS.some((each) => each === field)

function said({ type, fields = [], page }: Change, site: Site) {
  const say = changelogMessages(site)
  if (page) return html`${say('saved')} <a href="${hrefOn(site, page.url)}"><bdi>${page.title}</bdi></a>`
  if (type === profileCreated.type) return say('created')
  if (fields.length === 0) return html`<code>${type}</code>`
  const label = (field: string) => (isNamed(field) ? say(field) : wordsOf(field))
  const list = new Intl.ListFormat(site.language, { type: 'unit', style: 'short' })
  return say('changed', { fields: list.format(fields.map(label)) })
}

/** The changelog of a profile for people. */
export function changelogHtml(
  profile: Profile,
  changes: readonly Change[],
  next: string | undefined,
  site: Site,
): HtmlView {
  const name = profile.fullName ?? profile.username
  const say = changelogMessages(site)
  const title = say('title', { name })
  return {
    title,
    crumbs: [{ name, href: profilePath(profile) }],
    head: html`<h1>${title}</h1>
${changes.length > 0 ? html`<dl class="facts">${changes.map((change) => html`<dt><time datetime="${change.at}">${momentText(site, new Date(change.at))}</time></dt><dd>${said(change, site)}</dd>`)}</dl>` : html`<p>${say('none')}</p>`}
${next && html`<p><a rel="next" href="${hrefOn(site, next)}">${say('more')}</a></p>`}`,
  }
}
