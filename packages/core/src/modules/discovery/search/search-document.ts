import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { emptyHtml, rowHtml } from '../../../http/html/pieces.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { queryParameter, searchTool } from '../../../http/html/web-mcp.ts'
import { asJson } from '../../../kernel/json.ts'
import { documentOf, inline, link } from '../../../kernel/markdown.ts'
import { accessText } from '../../../model/audience-text.ts'
import { priceText } from '../../../model/price-text.ts'
import { searchMessages } from './messages.ts'
import type { HitRecord, SearchAnswer } from './schemas.ts'

/** The data of a result page. */
export interface SearchView {
  /** The query and its parameters without the format. Undefined for the page with only the search box. */
  readonly asked: { readonly q: string; readonly parameters: string } | undefined
  readonly answer: SearchAnswer
  /** The path and query of the next page. */
  readonly next: string | undefined
  readonly publicUrl: string
}

/** Renders a text with highlighted matches. */
function marked(hit: HitRecord, field: 'title' | 'snippet'): Html {
  const text = hit[field]
  const { ranges = [] } = hit.highlights.find((highlight) => highlight.field === field) ?? {}
  const parts: Html[] = []
  let at = 0
  for (const [start = 0, end = 0] of ranges) {
    parts.push(html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`)
    at = end
  }
  return html`${parts}${text.slice(at)}`
}

const labelOf = ({ kind, gated, price, profile }: HitRecord) => {
  const access = gated ? (price ? `, ${priceText(price)}` : ', gated') : ''
  return `${kind} of ${profile.full_name ?? profile.username}${access}`
}

/** The label of a hit in the language of the page. */
function labelOn(site: Site, { kind, gated, price, free_for, profile }: HitRecord): string {
  const say = searchMessages(site)
  const label = say(kind, { name: profile.full_name ?? profile.username })
  if (!gated) return label
  return `${label}, ${accessText(site, { gated, price: price ?? null, free_for }) ?? say('gated')}`
}

const hitHtml = (hit: HitRecord, site: Site): Html =>
  rowHtml({
    href: hrefOn(site, hit.path),
    title: marked(hit, 'title'),
    note: hit.snippet === '' ? undefined : marked(hit, 'snippet'),
    marks: [html`<span class="soft">${labelOn(site, hit)}</span>`],
  })

const hitMarkdown = (hit: HitRecord): string =>
  documentOf(`## ${link(hit.title, hit.url)}`, inline(labelOf(hit)), inline(hit.snippet)).trim()

const isCorrected = ({ suggestion }: SearchAnswer) => suggestion !== undefined

/** Renders search results as a page in the language of the reader. */
function htmlOf(site: Site, { asked, answer, next }: SearchView): HtmlView {
  const say = searchMessages(site)
  const { data, suggestion, ignored, hint } = answer
  const label = say('title')
  return {
    title: asked ? say('titleFor', { query: asked.q }) : label,
    hasForm: true,
    head: html`<h1>${label}</h1>
<form action="${hrefOn(site, '/search')}" role="search" class="search"${searchTool(site)}><input type="search" name="q" value="${asked?.q ?? ''}" maxlength="256" aria-label="${label}"${queryParameter(site)} required><button type="submit">${label}</button></form>
${suggestion !== undefined && html`<p>${say('corrected', { query: suggestion })}</p>`}
${ignored !== undefined && html`<p>${say('ignored', { words: ignored.join(' ') })}</p>`}
${data.length > 0 ? html`<ul class="rows">${data.map((hit) => hitHtml(hit, site))}</ul>` : asked && emptyHtml(say(hint === undefined ? 'nothing' : 'wordless'))}
${next && html`<p><a rel="next" href="${hrefOn(site, next)}">${say('more')}</a></p>`}`,
  }
}

/** Renders search results as a document. */
export function searchDocument(view: SearchView): PublicDocument {
  const { asked, answer, next, publicUrl } = view
  const { data, suggestion, ignored, hint } = answer
  const title = asked ? `Search: ${asked.q}` : 'Search'
  const found = isCorrected(answer) ? `Results for: ${suggestion}` : ''
  const nothing = asked ? (hint ?? 'No results.') : ''
  const left = ignored ? `Not searched: ${ignored.join(' ')}` : ''
  return {
    data: asJson(answer),
    markdown: () =>
      documentOf(
        `# ${inline(title)}`,
        inline(found),
        inline(left),
        data.length > 0 ? data.map(hitMarkdown).join('\n\n') : nothing,
        next ? link('More', `${publicUrl}${next}`) : '',
      ),
    html: (site): HtmlView => htmlOf(site, view),
    query: asked?.parameters,
    isPageOnly: !asked,
    headers: { 'x-robots-tag': 'noindex' },
    links: [
      { rel: 'search', href: '/opensearch.xml', type: 'application/opensearchdescription+xml' },
      ...(next ? [{ rel: 'next', href: next }] : []),
    ],
    cacheControl: 'public, no-cache',
  }
}
