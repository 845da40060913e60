import { type Html, html, noteHtml } from '../../../http/html/html.ts'
import { sizedHref } from '../../../http/html/image-href.ts'
import { emptyHtml, lockHtml, rowHtml } from '../../../http/html/pieces.ts'
import { titleHtml } from '../../../http/html/title.ts'
import { type Crumb, type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { askedMessages } from '../../../model/common-messages.ts'
import type { BoughtUntil, CategoryEntry, PageEntry } from './contents-entries.ts'
import type { ContentsText } from './contents-markdown.ts'
import { namedIn } from './document-frame.ts'
import { contentsMessages } from './messages.ts'

export interface ContentsPage extends Pick<ContentsText, 'name' | 'total' | 'description' | 'pages' | 'categories'> {
  readonly crumbs: readonly Crumb[]
  readonly isCategory: boolean
  /** The color of the profile. */
  readonly accent?: string | null | undefined
  readonly nextPath: string | undefined
  /** What a page asks for, in words. Undefined for pages that are open. */
  readonly askedFor: (page: Pick<PageEntry, 'id'>) => string | undefined
  /** Default: nothing is marked as bought. */
  readonly boughtUntil?: BoughtUntil | undefined
}

function boughtText(end: Date | null, site: Site): string {
  const say = contentsMessages(site)
  if (end === null) return askedMessages(site)('access')
  const format = new Intl.DateTimeFormat(site.language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return say('accessUntil', { date: `${format.format(end)} UTC` })
}

/** What follows the name of a page: its requirements as a badge, or until when it is open to its reader. */
function accessMark(asked: string | undefined, end: Date | null | undefined, site: Site) {
  if (end !== undefined) return html`<span class="soft">${boughtText(end, site)}</span>`
  return asked !== undefined && lockHtml(asked)
}

/** A table of contents as HTML. */
export function contentsHtml(contents: ContentsPage, site: Site): HtmlView {
  const { name, total, description, pages, categories, crumbs, isCategory, accent, nextPath } = contents
  const { askedFor, boughtUntil } = contents

  const pageItem = (page: PageEntry): Html =>
    rowHtml({
      href: hrefOn(site, page.path),
      title: page.title,
      note: page.excerpt,
      thumbnail: page.thumbnail_url === null ? undefined : sizedHref(hrefOn(site, page.thumbnail_url), site, 'small'),
      marks: [accessMark(askedFor(page), boughtUntil?.(page), site)],
    })
  const categoryItem = (category: CategoryEntry): Html =>
    html`<li><a class="category" href="${hrefOn(site, category.path)}">${category.icon && [category.icon, ' ']}<bdi>${category.name}</bdi></a>${noteHtml(category.description)}${tree(category)}</li>`
  const tree = (place: Pick<CategoryEntry, 'pages' | 'categories'>): Html | false =>
    place.pages.length + place.categories.length > 0 &&
    html`${place.pages.length > 0 && html`<ul class="rows">${place.pages.map(pageItem)}</ul>`}${place.categories.length > 0 && html`<ul>${place.categories.map(categoryItem)}</ul>`}`

  const say = contentsMessages(site)
  const title = isCategory ? name : say('title', { name })
  return {
    title,
    description: description ?? say('title', { name }),
    crumbs: namedIn(site, crumbs),
    accent,
    head: html`${isCategory ? titleHtml(title) : html`<h1>${title}</h1>`}
${description && html`<p class="lead" lang="">${description}</p>`}
<p class="soft">${say('pages', { count: total })}</p>
${pages.length + categories.length > 0 ? html`<nav class="tree" aria-label="${say('contents')}">${tree({ pages, categories })}</nav>` : emptyHtml(say('none'))}
${nextPath && html`<p><a rel="next" href="${hrefOn(site, nextPath)}">${say('more')}</a></p>`}`,
  }
}
