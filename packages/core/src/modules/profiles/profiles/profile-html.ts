import type { ProfileSection } from '../../../framework/module/profile-part.ts'
import { fieldsHtml } from '../../../http/html/fields.ts'
import { type Html, html, proseHtml } from '../../../http/html/html.ts'
import { foreignLink } from '../../../http/html/links.ts'
import { titleHtml } from '../../../http/html/title.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { wordsOf } from '../../../model/field-values.ts'
import { termsText } from '../../../model/gate-tier-text.ts'
import { profilePath } from './did.ts'
import { fieldName } from './field-names.ts'
import { profileJsonLd } from './json-ld.ts'
import { profileMessages, typeNames } from './messages.ts'
import { traitName } from './trait-names.ts'
import { typeDataHtml } from './type-data-html.ts'
import { openParts, type ProfileView, partSubject, partsAt } from './view.ts'

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
${partsAfter('about')}
${section(say('skills'), chips(say('skills'), profile.skills))}
${partsAfter('skills')}
${section(say('links'), Object.keys(socials).length > 0 && html`<dl class="facts">${Object.entries(socials).map(([network, value]) => html`<dt>${network.toLowerCase() === 'website' ? say('website') : html`<bdi>${wordsOf(network)}</bdi>`}</dt><dd>${linkOrHandle(value)}</dd>`)}</dl>`)}
${partsAfter('links')}
${partsAfter('contents')}
${section(
  say('access'),
  tiers.length > 0 &&
    html`<ul class="tiers">${tiers.map(([key, tier]) => html`<li><strong><bdi>${tier.label ?? key}</bdi></strong> <span class="price"><bdi>${termsText(tier, site)}</bdi></span>${tier.description && html`<p class="soft" lang="">${tier.description}</p>`}</li>`)}</ul>`,
)}
${section(
  say('gated'),
  closed.length > 0 &&
    html`<ul>${closed.map(({ field, tiers: names }) => html`<li>${fieldName(field, view, site)}: ${names.length > 0 ? names.map((tier, at) => [at > 0 && ', ', html`<bdi>${gates?.tiers[tier]?.label ?? tier}</bdi>`]) : say('noTier')}</li>`)}</ul>`,
)}
${partsAfter('access')}
${section(say('more'), fieldsHtml(profile.customFields, site))}
${(profile.agentInstructions || profile.agentRules) && html`<section><h2>${say('forAgents')}</h2>${said(say('instructions'), profile.agentInstructions)}${said(say('rules'), profile.agentRules)}</section>`}
${partsAfter('agent_instructions')}
${partsAfter('agent_rules')}
${section(say('keywords'), chips(say('keywords'), profile.keywords))}
<p class="soft"><a href="${href('/changelog')}">${say('changes')}</a> · <a href="${href('/did.json')}">${say('didDocument')}</a> · <a href="${hrefOn(site, `/trust${path}`)}">${say('trust', { score: trustScore })}</a> · <code>${subject.did}</code></p>`,
  }
}
