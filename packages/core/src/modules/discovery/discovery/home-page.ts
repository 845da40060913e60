import { html, noteHtml } from '../../../http/html/html.ts'
import { imageHref } from '../../../http/html/image-href.ts'
import { pageMessages } from '../../../http/html/messages.ts'
import { faceHtml } from '../../../http/html/pieces.ts'
import { titleHtml } from '../../../http/html/title.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { queryParameter, searchTool } from '../../../http/html/web-mcp.ts'
import { asJson } from '../../../kernel/json.ts'
import { truncateLine } from '../../../kernel/truncate.ts'
import { DEFAULT_DESCRIPTION } from '../../../model/service-description.ts'
import type { ListedProfile } from '../../../ports/storage/discovery.ts'
import { profilePath, typeFact, typeNames } from '../../profiles/profiles/index.ts'
import type { Bootstrap, Capabilities } from './capabilities.ts'
import { documentTitle } from './document-title.ts'
import { homeMessages } from './messages.ts'

/** The number of new profiles on the start page. */
export const NEWEST_PROFILES = 12

const NOTE_LENGTH = 160

/** A profile on the start page. Gated fields are empty. */
export type NewProfile = Pick<
  ListedProfile,
  'type' | 'username' | 'fullName' | 'bio' | 'avatarUrl' | 'typeData' | 'gates'
>

/** The service as schema.org describes a website, with its search if it has one. */
const websiteJsonLd = ({ name, description }: Bootstrap, { publicUrl, has }: Site) =>
  asJson({
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name,
    description,
    url: publicUrl,
    ...(has?.('/search') && {
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${publicUrl}/search?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    }),
  })

const searchForm = (site: Site) => {
  const label = homeMessages(site)('search')
  return (
    site.has?.('/search') &&
    html`<form action="${hrefOn(site, '/search')}" role="search" class="search"${searchTool(site)}><input type="search" name="q" maxlength="256" aria-label="${label}" placeholder="${label}"${queryParameter(site)} required><button type="submit">${pageMessages(site)('search')}</button></form>\n`
  )
}

const ACCOUNT_LINKS = [
  { key: 'register', path: '/register', look: 'btn' },
  { key: 'signIn', path: '/login', look: 'btn second' },
] as const

/** Links for people without a session, as far as the listener has these pages. */
function accountLinks(site: Site) {
  const say = homeMessages(site)
  const links = ACCOUNT_LINKS.filter(({ path }) => site.has?.(path))
  return (
    links.length > 0 &&
    html`<p class="acts">${links.map(({ key, path, look }) => html`<a class="${look}" href="${hrefOn(site, path)}">${say(key)}</a> `)}</p>\n`
  )
}

function profileItem(profile: NewProfile, site: Site) {
  const { type, fullName, username, bio, avatarUrl, typeData, gates } = profile
  const note = typeof typeData.headline === 'string' ? typeData.headline : bio
  const name = fullName ?? username
  const fact = typeFact(profile, site)
  return html`<li class="card pc">${faceHtml(name, imageHref(avatarUrl, site, { gates }), site)}<h3><a href="${hrefOn(site, profilePath(profile))}"><bdi>${name}</bdi></a></h3><small>${typeNames(site)(type)}${fact && html` · <bdi>${fact}</bdi>`}</small>${noteHtml(note && truncateLine(note, NOTE_LENGTH))}</li>\n`
}

const newestHtml = (newest: readonly NewProfile[], site: Site) =>
  newest.length > 0 &&
  html`<section><h2>${homeMessages(site)('newest')}</h2><ul class="grid">${newest.map((profile) => profileItem(profile, site))}</ul></section>\n`

/** Every route by its feature, closed: the list is for programs, and long. What each does is in the reference, and in the other formats. */
const routesHtml = (features: Capabilities['features'], site: Site) =>
  features.length > 0 &&
  html`<details class="agents"><summary>${homeMessages(site)('routes')}</summary>${site.has?.('/docs') && html`<p><a href="${hrefOn(site, '/docs')}">${documentTitle(site, '/docs', 'API reference')}</a></p>`}<div lang="en" dir="ltr">${features.map(({ feature, routes }) => html`<h3>${feature}</h3><ul>${routes.map(({ route, auth }) => html`<li><code>${route}</code>${auth !== 'none' && ` (${auth})`}</li>\n`)}</ul>`)}</div></details>`

const HEADING = /^# .+\n+/m

/**
 * The page to discover profiles, and below it the capabilities of the service for programs.
 *
 * @param markdown - the capabilities without the routes, in English
 */
export function discoverPage(
  markdown: string,
  features: Capabilities['features'],
  newest: readonly NewProfile[],
  site: Site,
): HtmlView {
  const say = homeMessages(site)
  const title = pageMessages(site)('discover')
  return {
    title,
    description: say('tagline'),
    hasForm: site.has?.('/search') ?? false,
    head: html`${titleHtml(title)}
${searchForm(site)}${newestHtml(newest, site)}<h2>${say('forPrograms')}</h2>`,
    markdown: markdown.replace(HEADING, ''),
    textLanguage: 'en',
    sections: true,
    foot: routesHtml(features, site) || undefined,
  }
}

/** The start page for people: a search, new profiles and the way to an account; below it the documents for agents. */
export function homePage(data: Bootstrap, newest: readonly NewProfile[], site: Site): HtmlView {
  const say = homeMessages(site)
  // A host writes its own description in the language of its readers.
  const tagline = data.description === DEFAULT_DESCRIPTION ? say('tagline') : data.description
  return {
    title: data.name,
    description: tagline,
    jsonLd: websiteJsonLd(data, site),
    hasForm: site.has?.('/search') ?? false,
    layout: 'wide',
    head: html`<div class="start">${titleHtml(data.name)}
<p class="lead">${tagline}</p>
${searchForm(site)}${accountLinks(site)}</div>
${newestHtml(newest, site)}<details class="agents"><summary>${say('forPrograms')}</summary>
<p>${say('order')}</p>
<ol>${data.start.map(({ title, url }) => html`<li><a href="${hrefOn(site, url)}">${documentTitle(site, url.slice(site.publicUrl.length), title)}</a></li>\n`)}</ol>
<p class="soft">${say('profiles')} <code>${data.profile_url}</code><br>DID: <code>${data.did}</code></p></details>`,
  }
}
