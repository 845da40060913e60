import type { ProfileSection } from '../../../framework/module/profile-part.ts'
import { fieldsHtml } from '../../../http/html/fields.ts'
import { type Html, html, proseHtml } from '../../../http/html/html.ts'
import { imageHref, srcsetHtml } from '../../../http/html/image-href.ts'
import { foreignLink } from '../../../http/html/links.ts'
import { pageMessages } from '../../../http/html/messages.ts'
import { actionsHtml, hasActions } from '../../../http/html/page-actions.ts'
import { faceHtml } from '../../../http/html/pieces.ts'
import { titleHtml } from '../../../http/html/title.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { wordsOf } from '../../../model/field-values.ts'
import { tierTitleIn } from '../../../model/gate-tier-text.ts'
import { profilePath } from './did.ts'
import { fieldName } from './field-names.ts'
import { profileJsonLd } from './json-ld.ts'
import { profileMessages, typeNames } from './messages.ts'
import { cardVersion } from './profile-card-html.ts'
import { firstOfferHtml, tierOffersHtml } from './tier-offers-html.ts'
import { traitName } from './trait-names.ts'
import { typeDataHtml } from './type-data-html.ts'
import { typeHero } from './type-hero-html.ts'
import { openParts, type ProfileView, partSubject, partsAt } from './view.ts'

type Body = Html | false | '' | null | undefined

const section = (title: string, body: Body) => body && html`<section><h2>${title}</h2>${body}</section>\n`

const card = (title: string, body: Body) => body && html`<section class="card"><h2>${title}</h2>${body}</section>\n`

const chips = (label: string, words: readonly string[]) =>
  words.length > 0 &&
  html`<ul class="chips" aria-label="${label}">${words.map((word) => html`<li><bdi>${word}</bdi></li>`)}</ul>`

const said = (title: string, text: string | null) =>
  text && html`<h3>${title}</h3><pre class="said" tabindex="0">${text}</pre>`

const linkOrHandle = (value: string) => (value.startsWith('https://') ? foreignLink(value) : html`<bdi>${value}</bdi>`)

/** The width of its cover, for browsers that choose a size. */
const COVER_PLACE = '(min-width: 68rem) 65.5rem, 100vw'

/** A profile as HTML. */
export function profileHtml(view: ProfileView, site: Site): HtmlView {
  const { profile, gates, trustScore = 0, closed = [] } = view
  const { fullName, username, type, bio, socials, typeData } = profile
  const name = fullName ?? username
  const path = profilePath(profile)
  const say = profileMessages(site)
  const subject = partSubject(view, site.publicUrl)
  const parts = openParts(view)
  const partsAfter = (place: ProfileSection) =>
    partsAt(parts, place).map(({ part, items }) => {
      const title = part.title(site)
      return title !== undefined && section(title, part.html(items, subject, site))
    })
  const href = (below: string) => hrefOn(site, `${path}${below}`)
  const files = { gates, keyOf: (id: number) => subject.linkKeyOf('file', id) }
  const picture = imageHref(profile.avatarUrl, site, files)
  const cover = imageHref(profile.coverUrl, site, files)
  const { headline, abstract, ...fields } = typeData
  const { hero, rest } = typeHero(profile, fields, site)
  const traits = profile.capabilities.map((trait) => traitName(trait, site))
  const lead = typeof headline === 'string' && headline
  const offers = tierOffersHtml(gates, profile, site)
  const facts = [typeDataHtml(type, rest, site), fieldsHtml(profile.customFields, site)].filter((one) => one !== false)
  const socialLinks = Object.entries(socials)
  const beside = [
    card(say('about'), facts.length > 0 && html`${facts}`),
    card(
      say('links'),
      socialLinks.length > 0 &&
        html`<dl class="facts">${socialLinks.map(([network, value]) => html`<dt>${network.toLowerCase() === 'website' ? say('website') : html`<bdi>${wordsOf(network)}</bdi>`}</dt><dd>${linkOrHandle(value)}</dd>`)}</dl>`,
    ),
    card(say('skills'), chips(say('skills'), profile.skills)),
    card(say('keywords'), chips(say('keywords'), profile.keywords)),
  ].filter((one) => typeof one === 'object' && one !== null)
  const intro = [bio && proseHtml(bio), typeof abstract === 'string' && proseHtml(abstract)].filter(
    (one) => typeof one === 'object',
  )
  const isSplit = beside.length > 0 || typeof offers === 'object'

  return {
    title: name,
    description: bio ?? (lead || `${name} (${type})`),
    kind: 'profile',
    layout: 'wide',
    hasForm: hasActions(site, 'profile'),
    image: `${site.publicUrl}${path}/card.png?v=${cardVersion(profile, gates, site)}`,
    hasCard: true,
    accent: profile.accent,
    crumbs: site.has?.('/discover') ? [{ name: pageMessages(site)('discover'), href: '/discover' }] : [],
    jsonLd: profileJsonLd(profile, site.publicUrl),
    head: html`${cover ? html`<img class="cover" src="${cover}"${srcsetHtml(cover, site, COVER_PLACE)} alt="" referrerpolicy="no-referrer">` : html`<div class="cover"></div>`}
<div class="hero">${faceHtml(name, picture, site, true)}
<p class="label">${typeNames(site)(type)}</p>${titleHtml(name)}${lead && html`<p class="lead" lang="">${lead}</p>`}${hero}${actionsHtml({ kind: 'profile', id: profile.id, profile }, site, path, firstOfferHtml(gates, profile, site))}</div>
<div${isSplit && html` class="split"`}>
${intro.length > 0 && html`<div class="intro prose">${intro}</div>\n`}${offers && html`<div class="aside">${offers}</div>\n`}<div class="rest">
${partsAfter('contents')}${partsAfter('about')}${partsAfter('skills')}${partsAfter('links')}${partsAfter('access')}${section(
  say('gated'),
  closed.length > 0 &&
    html`<ul>${closed.map(({ field, tiers: names }) => html`<li>${fieldName(field, view, site)}: ${names.length > 0 ? names.map((tier, at) => [at > 0 && ', ', html`<bdi>${tierTitleIn(gates, tier)}</bdi>`]) : say('noTier')}</li>`)}</ul>`,
)}</div>
${beside.length > 0 && html`<div class="beside">${beside}</div>\n`}</div>
<details class="agents"><summary>${say('forAgents')}</summary>
<p><code>${subject.did}</code></p>
${traits.length > 0 && html`<h3>${say('traits')}</h3>${chips(say('traits'), traits)}`}
${said(say('instructions'), profile.agentInstructions)}${said(say('rules'), profile.agentRules)}${partsAfter('agent_instructions')}${partsAfter('agent_rules')}
<p class="soft"><a href="${href('/changelog')}">${say('changes')}</a> · <a href="${href('/did.json')}">${say('didDocument')}</a> · <a href="${hrefOn(site, `/trust${path}`)}">${say('trust', { score: trustScore })}</a></p></details>`,
  }
}
