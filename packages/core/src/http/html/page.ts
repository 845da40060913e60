import { type Html, html, jsonScript, sanitised } from './html.ts'
import { renderMarkdown } from './render-markdown.ts'
import { contentSecurityPolicy, STYLE } from './style.ts'
import { type HtmlView, hrefOn, type Site } from './view.ts'

function headersOf({ remoteImages }: Site, { hasForm }: HtmlView) {
  const images = remoteImages ? "'self' https: data:" : "'self' data:"
  return {
    'content-security-policy': contentSecurityPolicy(images, hasForm ? "'self'" : "'none'"),
    'x-content-type-options': 'nosniff',
  }
}

/** The URLs of a document and its other representations. */
export interface PageAddress {
  readonly canonical?: string | undefined
  /** Other representations, by their media type. */
  readonly alternates: readonly { readonly name: string; readonly type: string; readonly href: string }[]
  /** Feeds that belong to it. */
  readonly feeds?: PageAddress['alternates'] | undefined
  readonly next?: string | undefined
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='3' fill='%231f5f4f'/%3E%3C/svg%3E"

/** The path of the OpenSearch description, by which browsers offer the search. */
const SEARCH = '/opensearch.xml'

const MAX_DESCRIPTION = 300
const MIN_SECTIONS = 3

const style = sanitised(`<style>${STYLE}</style>`)

const shortened = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`
}

function head(
  view: HtmlView,
  title: string,
  site: Site,
  { canonical, alternates, feeds = [], next }: PageAddress,
): Html {
  const description = shortened(view.description ?? '')
  const meta = (name: string, content: string | null | undefined) =>
    content && html`<meta name="${name}" content="${content}">`
  const graph = (name: string, content: string | null | undefined) =>
    content && html`<meta property="og:${name}" content="${content}">`
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === site.name ? title : `${title} · ${site.name}`}</title>
${meta('description', description)}
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
${canonical && html`<link rel="canonical" href="${canonical}">`}
${[...alternates, ...feeds].map(({ type, href }) => html`<link rel="alternate" type="${type}" href="${href}">\n`)}${next && html`<link rel="next" href="${hrefOn(site, next)}">`}
${site.has?.(SEARCH) && html`<link rel="search" type="application/opensearchdescription+xml" href="${hrefOn(site, SEARCH)}" title="${site.name}">\n`}${graph('title', title)}${graph('type', view.kind ?? 'website')}${graph('site_name', site.name)}${graph('url', canonical)}${graph('description', description)}${graph('image', view.image)}
<meta name="twitter:card" content="summary">
${style}
${view.jsonLd && jsonScript(view.jsonLd)}`
}

const breadcrumbs = ({ crumbs = [] }: HtmlView, site: Site) =>
  crumbs.length > 0 &&
  html`<nav aria-label="Breadcrumb"><ol>${crumbs.map(({ name, href }) => html`<li><a href="${hrefOn(site, href)}">${name}</a></li>`)}</ol></nav>`

async function text(view: HtmlView, { publicUrl, basePath, remoteImages }: Site) {
  if (view.markdown === undefined) return { title: view.title, body: undefined, isFinal: true }
  const rendered = await renderMarkdown({
    markdown: view.markdown,
    publicUrl,
    basePath,
    remoteImages,
    title: view.title,
  })
  const { body, sections, isFinal } = rendered
  const listed = sections.filter(({ depth }) => depth === 2 || depth === 3)
  const list =
    view.sections &&
    listed.length >= MIN_SECTIONS &&
    html`<nav class="sections" aria-label="On this page"><details><summary>On this page</summary><ul>${listed.map(
      ({ id, text: name, depth }) => html`<li class="d${depth}"><a href="#${id}">${name}</a></li>`,
    )}</ul></details></nav>`
  return { title: view.title ?? sections[0]?.text, body: html`${list}${body}`, isFinal }
}

export interface Page {
  readonly markup: string
  readonly headers: Readonly<Record<string, string>>
  /** False when the text was shown unrendered and a later request may get it rendered. */
  readonly isFinal: boolean
}

/** Writes the HTML page of a document. It needs no scripts and loads nothing from other origins but images. */
export async function writePage(view: HtmlView, site: Site, address: PageAddress): Promise<Page> {
  const { title = site.name, body, isFinal } = await text(view, site)
  const { alternates } = address
  const formats = alternates.map(({ name, href }, index) => [index > 0 && ', ', html`<a href="${href}">${name}</a>`])
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
${head(view, title, site, address)}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="bar"><a href="${hrefOn(site, '/')}">${site.name}</a>${breadcrumbs(view, site)}</header>
<main id="main" tabindex="-1">
${view.head}
${body}
${view.foot}
</main>
<footer>${alternates.length > 0 && html`<p>The same for machines: ${formats}</p>`}<p><a href="${hrefOn(site, '/discover')}">Capabilities of this service</a></p></footer>
</body>
</html>
`
  return { markup, headers: headersOf(site, view), isFinal }
}
