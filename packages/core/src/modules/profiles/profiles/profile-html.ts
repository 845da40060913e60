import { fieldsHtml } from '../../../http/html/fields.ts'
import { type Html, html, noteHtml, proseHtml } from '../../../http/html/html.ts'
import { foreignLink } from '../../../http/html/links.ts'
import { titleHtml } from '../../../http/html/title.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { pathBelow } from '../../../kernel/public-url.ts'
import { dayText } from '../../../model/day-text.ts'
import { wordsOf } from '../../../model/field-values.ts'
import { termsText } from '../../../model/gate-tier-text.ts'
import { offerText } from '../../../model/offer-text.ts'
import { accessTo } from '../../../model/page-access.ts'
import { didOf, profilePath } from './did.ts'
import { fieldName } from './field-names.ts'
import { fileSizeText, fileTypeText } from './file-text.ts'
import { profileJsonLd } from './json-ld.ts'
import { profileMessages, typeNames } from './messages.ts'
import { fileUrl } from './profile-files.ts'
import { postPath, profileFeedPath } from './profile-posts.ts'
import { servicesHtml } from './services-html.ts'
import { traitName } from './trait-names.ts'
import { typeDataHtml } from './type-data-html.ts'
import type { ProfileView } from './view.ts'

const section = (title: string, body: Html | false | '' | null | undefined) =>
  body && html`<section><h2>${title}</h2>${body}</section>`

const chips = (label: string, words: readonly string[]) =>
  words.length > 0 &&
  html`<ul class="chips" aria-label="${label}">${words.map((word) => html`<li><bdi>${word}</bdi></li>`)}</ul>`

const said = (title: string, text: string | null) =>
  text && html`<details><summary>${title}</summary><pre class="said" tabindex="0">${text}</pre></details>`

/** Only https images are shown or named in previews. */
const pictureOf = (address: string | null) => (address?.startsWith('https://') ? address : undefined)

/** The image as the page loads it: from another origin only if the host allows it. */
function loadedPicture(address: string | null, site: Site): string | undefined {
  if (address !== null && URL.canParse(address) && new URL(address).origin === new URL(site.publicUrl).origin) {
    return hrefOn(site, address)
  }
  return site.remoteImages ? pictureOf(address) : undefined
}

const linkOrHandle = (value: string) => (value.startsWith('https://') ? foreignLink(value) : html`<bdi>${value}</bdi>`)

/** The files that people are offered: without the portrait and the images of pages. */
function offeredFiles({ profile, files = [], shownFiles }: ProfileView, { publicUrl }: Site) {
  const address = profile.avatarUrl ?? ''
  const portrait = /^\/files\/(\d+)(?=$|[?#])/.exec(pathBelow(publicUrl, address) ?? address)?.[1]
  return files.filter(({ id }) => String(id) !== portrait && !shownFiles?.has(id))
}

/** A profile as HTML. */
export function profileHtml(view: ProfileView, site: Site): HtmlView {
  const { profile, contents, gates, trustScore = 0, posts = [], sections = [], closed = [], services = [] } = view
  const { fullName, username, type, bio, socials, typeData } = profile
  const name = fullName ?? username
  const path = profilePath(profile)
  const files = offeredFiles(view, site)
  const say = profileMessages(site)
  const priceMark = (below: string) => {
    const { gated, price } = accessTo(below.split('/'), gates)
    return gated && html` <span class="price"><bdi>${price ? offerText(site, price) : say('limited')}</bdi></span>`
  }
  const href = (below: string) => hrefOn(site, `${path}${below}`)
  const picture = loadedPicture(profile.avatarUrl, site)
  const { headline, abstract, ...fields } = typeData
  const lead = typeof headline === 'string' && headline
  const tiers = Object.entries(gates?.tiers ?? {}).filter(([, { requirements }]) => requirements.length > 0)

  return {
    title: name,
    description: bio ?? (lead || `${name} (${type})`),
    kind: 'profile',
    image: pictureOf(profile.avatarUrl),
    jsonLd: profileJsonLd(profile, site.publicUrl),
    head: html`<div class="person">
${picture && html`<img class="face" src="${picture}" alt="" width="88" height="88" referrerpolicy="no-referrer">`}
<div><p class="label">${typeNames(site)(type)}</p>${titleHtml(name)}${lead && html`<p class="lead" lang="">${lead}</p>`}</div>
</div>
${bio && proseHtml(bio)}
${typeof abstract === 'string' && proseHtml(abstract)}
${chips(
  say('traits'),
  profile.capabilities.map((trait) => traitName(trait, site)),
)}
${typeDataHtml(type, fields, site)}
${section(say('skills'), chips(say('skills'), profile.skills))}
${section(say('links'), Object.keys(socials).length > 0 && html`<dl class="facts">${Object.entries(socials).map(([network, value]) => html`<dt>${network.toLowerCase() === 'website' ? say('website') : html`<bdi>${wordsOf(network)}</bdi>`}</dt><dd>${linkOrHandle(value)}</dd>`)}</dl>`)}
${services.length > 0 && site.has?.('/eep/services/:did') && servicesHtml(services, didOf(site.publicUrl, profile), site)}
${section(say('sections'), sections.length > 0 && html`${sections.map(({ title, body: text }) => html`<h3><bdi>${title}</bdi></h3>${proseHtml(text)}`)}`)}
${section(
  say('contents'),
  contents.length > 0 &&
    html`<ul class="tree">${contents.map(({ page, path: below }) => html`<li><a href="${href(`/content/${below}`)}"><bdi>${page.title}</bdi></a>${priceMark(below)}${noteHtml(page.excerpt)}</li>`)}</ul><p class="soft"><a href="${href('/content')}">${say('allContents')}</a></p>`,
)}
${section(
  say('files'),
  files.length > 0 &&
    html`<ul>${files.map(({ id, filename, contentType, size, key }) => html`<li><a href="${hrefOn(site, fileUrl('', id, key))}"><bdi>${filename}</bdi></a> <span class="soft">${fileTypeText(contentType, site)}, ${fileSizeText(size, site)}</span></li>`)}</ul>`,
)}
${section(
  say('posts'),
  posts.length > 0 &&
    html`<ul>${posts.map(({ id, body, createdAt }) => html`<li><a href="${hrefOn(site, postPath(id))}"><time datetime="${createdAt.toISOString()}">${dayText(site, createdAt)}</time></a>${proseHtml(body)}</li>`)}</ul><p class="soft"><a href="${hrefOn(site, profileFeedPath(profile))}">${say('allPosts')}</a></p>`,
)}
${section(
  say('access'),
  tiers.length > 0 &&
    html`<ul class="tiers">${tiers.map(([key, tier]) => html`<li><strong><bdi>${tier.label ?? key}</bdi></strong> <span class="price"><bdi>${termsText(tier, site)}</bdi></span>${tier.description && html`<p class="soft" lang="">${tier.description}</p>`}</li>`)}</ul>`,
)}
${section(
  say('gated'),
  closed.length > 0 &&
    html`<ul>${closed.map(({ field, tiers: names }) => html`<li>${fieldName(field, site)}: ${names.length > 0 ? names.map((tier, at) => [at > 0 && ', ', html`<bdi>${gates?.tiers[tier]?.label ?? tier}</bdi>`]) : say('noTier')}</li>`)}</ul>`,
)}
${section(say('more'), fieldsHtml(profile.customFields, site))}
${(profile.agentInstructions || profile.agentRules) && html`<section><h2>${say('forAgents')}</h2>${said(say('instructions'), profile.agentInstructions)}${said(say('rules'), profile.agentRules)}</section>`}
${section(say('keywords'), chips(say('keywords'), profile.keywords))}
<p class="soft"><a href="${href('/changelog')}">${say('changes')}</a> · <a href="${href('/did.json')}">${say('didDocument')}</a> · <a href="${hrefOn(site, `/trust${path}`)}">${say('trust', { score: trustScore })}</a> · <code>${didOf(site.publicUrl, profile)}</code></p>`,
  }
}
