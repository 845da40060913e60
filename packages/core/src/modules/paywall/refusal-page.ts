import { isRecord } from '../../http/field-values.ts'
import { fieldsHtml } from '../../http/html/fields.ts'
import { html, proseHtml } from '../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../http/html/view.ts'
import type { EepError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { GateTier } from '../../model/gate-config.ts'
import { termsText } from '../../model/gate-tier-text.ts'
import type { GatedResource } from './resource.ts'

/** The members of a refusal that are shown to people (see `terms`, and the 402 of payments). */
interface Refused {
  readonly available_tiers?: Readonly<Record<string, GateTier>>
  readonly decoded_payment_required?: { readonly accepts?: readonly { readonly network: string }[] } | null
  readonly inline_retry_supported?: boolean
  readonly docs_url?: string
  readonly gates_config_url?: string
}

const METHOD = /^Payment .*\bmethod="([^"]+)"/

/** The ways to pay that a refusal offers: the networks of x402, and the methods of other rails. */
function waysOf({ headers }: EepError, { decoded_payment_required: x402 }: Refused): string[] {
  const networks = new Set(x402?.accepts?.map(({ network }) => network))
  const methods = [headers['www-authenticate'] ?? []].flat().flatMap((each) => METHOD.exec(each)?.[1] ?? [])
  return [...[...networks].map((network) => `x402 on ${network}`), ...new Set(methods)]
}

/** The first segments of a path. */
const above = (path: string, segments: number) =>
  path
    .split('/')
    .slice(0, segments + 1)
    .join('/')

const heading = (status: number) => (status === 402 ? 'Read on for a price' : 'Not for everybody')

/** The breadcrumbs of a gated page; none for a profile. */
function crumbsOf({ profile, path }: GatedResource) {
  const [address = ''] = path.split('?')
  if (address.split('/').length <= 3) return []
  return [
    { name: profile.fullName ?? profile.username, href: above(address, 2) },
    { name: 'Contents', href: above(address, 3) },
  ]
}

/** The public part of a gated profile: the fields that are never gated. */
function publicPartHtml(preview: Json, site: Site) {
  if (!isRecord(preview)) return false
  const { profile_type: type, username, did, links } = preview
  const linked = isRecord(links) ? links : {}
  const link = (name: string, address: unknown) =>
    typeof address === 'string' && html`<a href="${hrefOn(site, address)}">${name}</a>`
  return html`${fieldsHtml({ type, username, did })}
<p class="soft">${link('Contents', linked.contents)} · ${link('Changes', linked.changelog)} · ${link('DID document', linked.did)}</p>`
}

/** The HTML of a gated resource: its title, its preview, and how to get access. */
export function refusalHtml(error: EepError, resource: GatedResource, site: Site): HtmlView {
  const { path, description: title } = resource
  const preview = typeof resource.preview === 'string' ? resource.preview : null
  const refused = (error.body ?? {}) as Refused
  const ways = waysOf(error, refused)
  const tiers = Object.entries(refused.available_tiers ?? {})
  const paid = tiers.map(
    ([name, tier]) =>
      html`<li><p class="amount">${termsText(tier)}</p>
<p><strong>${tier.label ?? name}</strong>${tier.description && html` · ${tier.description}`}</p></li>`,
  )
  return {
    title,
    description: preview,
    kind: 'article',
    crumbs: crumbsOf(resource),
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: title,
      description: preview ?? title,
      url: `${site.publicUrl}${path}`,
      isAccessibleForFree: false,
    } satisfies JsonObject,
    head: html`<p class="label">Gated</p>
<h1>${title}</h1>
${preview && html`<div class="lead">${proseHtml(preview)}</div>`}
${publicPartHtml(resource.preview, site)}
<section class="offer" aria-labelledby="offer">
<h2 id="offer">${heading(error.status)}</h2>
${(error.status !== 402 || error.details !== undefined || ways.length === 0) && html`<p>${error.message}.</p>`}
${paid.length > 0 && html`<ul class="tiers">${paid}</ul>`}
${ways.length > 0 && html`<p class="soft">Paid by ${ways.map((way, at) => [at > 0 && ', ', html`<code>${way}</code>`])}.</p>`}
${
  refused.inline_retry_supported === true &&
  html`<p class="soft">Wallets and agents pay in the request itself: this answer carries the offer in its headers, and the same request with a payment brings the page.</p>`
}
<p class="soft">${refused.docs_url && html`<a href="${hrefOn(site, refused.docs_url)}">How to pay, step by step</a>`}${
      refused.docs_url && refused.gates_config_url && ' · '
    }${refused.gates_config_url && html`<a href="${hrefOn(site, refused.gates_config_url)}">The terms for machines</a>`}</p>
</section>`,
  }
}
