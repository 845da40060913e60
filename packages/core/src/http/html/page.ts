import { memoized } from '../../kernel/memoized.ts'
import { truncateLine } from '../../kernel/truncate.ts'
import { directionOf } from '../../model/languages.ts'
import { MANIFEST_PATH, TOUCH_ICON_PATH } from './brand.ts'
import { languageHref } from './chosen-language.ts'
import { type Html, html, jsonScript, plainHtml, sanitised } from './html.ts'
import { iconUrl } from './icon.ts'
import { SIZED_IMAGES } from './image-href.ts'
import type { MarkdownJob } from './markdown-to-html.ts'
import { menuHtml } from './menu.ts'
import { pageMessages } from './messages.ts'
import { SAID_ID, saidText } from './page-actions.ts'
import { PAGES_SCRIPT, type PageScript, TEST_WALLET_SCRIPT } from './script.ts'
import { scriptSources } from './script-sources.ts'
import { contentSecurityPolicy, DEFAULT_APPEARANCE, type StyleSheet } from './style.ts'
import { hasTestWallet, testWalletHtml } from './test-wallet.ts'
import { type HtmlView, headOf, hrefOn, type Site } from './view.ts'

/** The style sheet of the service, the rules of a kind of pages, and the color of a profile. */
function stylesOf(
  { appearance = DEFAULT_APPEARANCE }: Site,
  { accent, styles = [] }: Pick<HtmlView, 'accent' | 'styles'>,
): readonly StyleSheet[] {
  return [appearance, ...styles, ...(accent ? [appearance.accented(accent)] : [])]
}

/** The colors of the browser around a page, and its icons. */
function brandHtml(site: Site): Html {
  const { light, dark } = site.appearance ?? DEFAULT_APPEARANCE
  const icon = site.logoPath ? hrefOn(site, site.logoPath) : iconUrl(light.accent)
  const manifest = site.has?.(MANIFEST_PATH) && hrefOn(site, MANIFEST_PATH)
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}">
<link rel="icon" href="${icon}">
${manifest && html`<link rel="apple-touch-icon" href="${hrefOn(site, TOUCH_ICON_PATH)}">\n<link rel="manifest" href="${manifest}">`}`
}

/** The scripts of a page, in their order: the test wallet announces itself to the others. */
const scriptsOn = (site: Site, { scripts = [] }: HtmlView): readonly PageScript[] =>
  hasTestWallet(site) ? [TEST_WALLET_SCRIPT, PAGES_SCRIPT, ...scripts] : [PAGES_SCRIPT, ...scripts]

const scriptHtml = (site: Site, view: HtmlView): Html =>
  html`${testWalletHtml(site)}${scriptsOn(site, view).map(
    ({ path, version }) => html`<script type="module" src="${hrefOn(site, `${path}?v=${version}`)}"></script>`,
  )}`

const headersOf = (
  site: Site,
  view: HtmlView,
  { hasForm = false, formTargets = [], hasScript = false, hasFrame = false } = view,
  { remoteImages = false } = site,
) => ({
  'content-security-policy': contentSecurityPolicy({
    styles: stylesOf(site, view),
    remoteImages,
    // The menu of a viewer has a form.
    formTargets: hasForm || site.viewer ? ["'self'", ...formTargets] : [],
    hasFrame,
    scripts: hasScript ? scriptsOn(site, view).flatMap(({ path }) => scriptSources(site, path)) : [],
  }),
  'x-content-type-options': 'nosniff',
  // With `no-referrer`, which some hosts set for every response, browsers would send forms with the origin `null`.
  ...((hasForm || site.viewer) && { 'referrer-policy': 'same-origin' }),
})

/** The URLs of a document and its other representations. */
export interface PageAddress {
  readonly canonical?: string | undefined
  /** Other representations, by their media type. */
  readonly alternates: readonly { readonly name: string; readonly type: string; readonly href: string }[]
  /** Feeds that belong to it. */
  readonly feeds?: PageAddress['alternates'] | undefined
  readonly next?: string | undefined
  /** The query of the address without its language. Default: the page links to no other languages. */
  readonly query?: string | undefined
}

/** The path of the OpenSearch description, by which browsers offer the search. */
const SEARCH = '/opensearch.xml'

/** Where people go from any page, in the header. The last link is a button. */
const SITE_LINKS = [
  { key: 'discover', path: '/discover' },
  { key: 'search', path: '/search' },
  { key: 'account', path: '/dashboard' },
] as const

const MAX_DESCRIPTION = 300
const MIN_SECTIONS = 3

function head(
  view: HtmlView,
  title: string,
  site: Site,
  { canonical, alternates, feeds = [], next }: PageAddress,
): Html {
  const description = truncateLine(view.description ?? '', MAX_DESCRIPTION)
  const language = view.textLanguage && html` lang="${view.textLanguage}"`
  const graph = (name: string, content: string | null | undefined) =>
    content && html`<meta property="og:${name}" content="${content}">`
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title${language}>${plainHtml(title === site.name ? title : `${title} · ${site.name}`)}</title>
${description && html`<meta name="description"${language} content="${description}">`}
<meta name="color-scheme" content="light dark">
${brandHtml(site)}
${canonical && html`<link rel="canonical" href="${canonical}">`}
${[...alternates, ...feeds].map(({ type, href }) => html`<link rel="alternate" type="${type}" href="${href}">\n`)}${next && html`<link rel="next" href="${hrefOn(site, next)}">`}
${site.has?.(SEARCH) && html`<link rel="search" type="application/opensearchdescription+xml" href="${hrefOn(site, SEARCH)}" title="${site.name}">\n`}${graph('title', title)}${graph('type', view.kind ?? 'website')}${graph('site_name', site.name)}${graph('url', canonical)}${graph('description', description)}${graph('image', view.image)}${view.hasCard && html`<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`}
<meta name="twitter:card" content="${view.image ? 'summary_large_image' : 'summary'}">
${stylesOf(site, view).map(({ css }) => sanitised(`<style>${css}</style>`))}
${view.hasScript && scriptHtml(site, view)}
${view.jsonLd && jsonScript(view.jsonLd)}`
}

const breadcrumbs = ({ crumbs = [] }: HtmlView, site: Site) =>
  crumbs.length > 0 &&
  html`<nav class="crumbs" aria-label="${pageMessages(site)('breadcrumb')}"><ol>${crumbs.map(({ name, href }) => html`<li><a href="${hrefOn(site, href)}"><bdi>${name}</bdi></a></li>`)}</ol></nav>\n`

/** States on every page of a service with play money that no money moves. */
const testStrip = (site: Site) =>
  site.isSandbox && html`<aside class="strip"><p>${pageMessages(site)('testMode')}</p></aside>\n`

/** The name of the service, and where people go from any page, as far as the listener has these pages. */
function header(site: Site) {
  const say = pageMessages(site)
  const menu = site.viewer && menuHtml(site, site.viewer)
  const links = SITE_LINKS.filter(({ key, path }) => site.has?.(path) && !(menu && key === 'account'))
  const logo = site.logoPath && html`<img src="${hrefOn(site, site.logoPath)}" alt="">`
  const nav =
    (links.length > 0 || menu) &&
    html`<nav aria-label="${say('site')}">${links.map(({ key, path }) => html`<a${key === 'account' && html` class="btn second"`} href="${hrefOn(site, path)}">${say(key === 'account' && site.has?.('/login') ? 'signIn' : key)}</a>`)}${menu}</nav>`
  return html`<header class="top"><div class="wrap"><a class="brand" href="${hrefOn(site, '/')}">${logo}<span dir="auto">${site.name}</span></a>${nav}</div></header>`
}

/** The name of a language in itself. */
const nameOf = memoized(
  (language: string) => new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language,
)

/** The page in the other languages of the service. Crawlers need not follow: only the words around a text are translated. */
function languageLinks({ language, languages = [], ...site }: Site, query: string | undefined) {
  if (query === undefined || languages.length < 2) return undefined
  const links = languages.map(
    (each) =>
      html`<li><a href="${languageHref(query, each)}" lang="${each}" hreflang="${each}" rel="nofollow"${each === language && html` aria-current="true"`}>${nameOf(each)}</a></li>`,
  )
  return html`<nav aria-label="${pageMessages({ ...site, language })('language')}"><ul>${links}</ul></nav>`
}

/** The other formats and languages of a page, purchases, and what the law asks for. */
function footer(site: Site, { alternates, query }: PageAddress) {
  const say = pageMessages(site)
  const { imprintUrl, privacyUrl } = site
  const links = [
    site.has?.('/purchases') && html`<a href="${hrefOn(site, '/purchases')}">${say('purchases')}</a>`,
    imprintUrl && html`<a href="${imprintUrl}">${say('imprint')}</a>`,
    privacyUrl && html`<a href="${privacyUrl}">${say('privacy')}</a>`,
  ].filter((link) => typeof link === 'object')
  const formats = alternates.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)
  return html`<footer><div class="wrap">${formats.length > 0 && html`<ul><li>${say('formats')}</li>${formats}</ul>`}${links.length > 0 && html`<ul>${links.map((link) => html`<li>${link}</li>`)}</ul>`}${languageLinks(site, query)}</div></footer>`
}

/** How the text of a page is rendered on a site. */
export const markdownJob = (
  { markdown, imageSizes, title }: Pick<HtmlView, 'imageSizes' | 'title'> & { readonly markdown: string },
  { publicUrl, basePath, remoteImages, has }: Site,
): MarkdownJob => ({ markdown, publicUrl, basePath, remoteImages, imageSizes, hasSizes: has?.(SIZED_IMAGES), title })

async function text(view: HtmlView, site: Site) {
  const title = pageMessages(site)('sections')
  if (view.markdown === undefined) return { title: view.title, body: undefined, isFinal: true, titleId: undefined }
  const rendered = await site.renderMarkdown(markdownJob({ ...view, markdown: view.markdown }, site))
  const { body, sections, isFinal, titleId } = rendered
  const listed = sections.filter(({ depth }) => depth === 2 || depth === 3)
  const list =
    view.sections &&
    listed.length >= MIN_SECTIONS &&
    html`<nav class="sections" aria-label="${title}"><details><summary>${title}</summary><ul lang="${view.textLanguage ?? ''}">${listed.map(
      ({ id, text: name, depth }) => html`<li class="d${depth}"><a href="#${id}">${name}</a></li>`,
    )}</ul></details></nav>`
  return {
    title: view.title ?? sections[0]?.text,
    body: list ? placed(list, body, view) : written(body, view),
    isFinal,
    titleId,
  }
}

/** A text in its own language and direction. */
const written = (body: Html, { textLanguage }: HtmlView) =>
  html`<div class="prose" lang="${textLanguage ?? ''}" dir="${textLanguage === undefined ? 'auto' : 'ltr'}">${body}</div>`

/** The list of sections above the text, or below the heading of a text that begins with it. */
function placed(list: Html, body: Html, view: HtmlView): Html {
  const heading = view.head === undefined ? /^\s*<h1[\s>].*?<\/h1>/s.exec(body.markup)?.[0] : undefined
  if (heading === undefined) return html`${list}${written(body, view)}`
  const rest = sanitised(body.markup.slice(heading.length))
  return html`${written(sanitised(heading), view)}${list}${written(rest, view)}`
}

/** What the last form of the viewer did, above a page whose buttons do not say it. */
function unsaid(site: Site, { said }: HtmlView, parts: readonly (Html | undefined)[]) {
  const last = site.viewer?.said
  const text = (last && said?.(last)) ?? saidText(site)
  if (text === undefined || parts.some((part) => part?.markup.includes(`id="${SAID_ID}"`))) return undefined
  return html`<div class="notice" role="status" id="${SAID_ID}"><p>${text}</p></div>\n`
}

export interface Page {
  readonly markup: string
  readonly headers: Readonly<Record<string, string>>
  /** False when the text was shown unrendered and a later request may get it rendered. */
  readonly isFinal: boolean
}

/** Writes the HTML page of a document. It needs no scripts and loads nothing from other origins but images. */
export async function writePage(view: HtmlView, site: Site, address: PageAddress): Promise<Page> {
  const { title = site.name, body, isFinal, titleId } = await text(view, site)
  const { language = 'en' } = site
  const { layout } = view
  const top = headOf(view, titleId)
  const { markup } = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
${head(view, title, site, address)}
</head>
<body>
<a class="skip" href="#main">${pageMessages(site)('skip')}</a>
${testStrip(site)}${header(site)}
<div class="wrap${layout === undefined ? ' column' : layout === 'console' && ' console'}">
${view.side}${layout === 'console' && html`<div>`}${breadcrumbs(view, site)}<main id="main" tabindex="-1">
${unsaid(site, view, [top, view.foot])}${top}
${body}
${view.foot}
</main>${layout === 'console' && html`</div>`}
</div>
${footer(site, address)}
</body>
</html>
`
  return { markup, headers: headersOf(site, view), isFinal }
}
