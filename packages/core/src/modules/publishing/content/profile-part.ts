import type { ProfilePart } from '../../../framework/module/profile-part.ts'
import { accessMarkHtml } from '../../../http/html/access-mark.ts'
import { html } from '../../../http/html/html.ts'
import { sizedHref } from '../../../http/html/image-href.ts'
import { rowHtml } from '../../../http/html/pieces.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { link, list } from '../../../kernel/markdown.ts'
import { dayText } from '../../../model/day-text.ts'
import { accessTo } from '../../../model/page-access.ts'
import { readingText } from '../../../model/reading-time.ts'
import { fileUrl } from '../../../model/resource-addresses.ts'
import { contentResource } from './address.ts'
import { previewImage } from './cover.ts'
import { contentsMessages } from './messages.ts'
import { type ContentsEntry, publicContents, readContents } from './profile-contents.ts'

/** The maximum number of pages that a changelog names. */
const MAX_CHANGED_PAGES = 1_000

function dateMark({ publishedAt, updatedAt }: ContentsEntry['page'], site: Site) {
  const day = publishedAt ?? updatedAt
  return html`<time datetime="${day.toISOString().slice(0, 10)}">${dayText(site, day)}</time>`
}

/** The first public pages of a profile in its documents; the table of contents has all. */
export const contentsOfProfiles: ProfilePart<ContentsEntry> = {
  key: 'contents',
  after: 'contents',
  limit: 100,
  title: (page) => contentsMessages(page)('contents'),
  load: (read, { id }, limit) => readContents(read, id, limit),
  updatedAt: ({ page }) => page.updatedAt,
  markdown: (contents, { path: profile, publicUrl }) =>
    list(contents.map(({ page, path }) => link(page.title, `${publicUrl}${profile}/content/${path}`))),
  html(contents, { path: profile, gates, linkKeyOf }, site) {
    const href = (below: string) => hrefOn(site, `${profile}/content${below}`)
    const fileHref = (id: number) => sizedHref(hrefOn(site, fileUrl('', id, linkKeyOf('file', id))), site, 'small')
    const thumbnail = ({ page, path }: ContentsEntry) =>
      previewImage(page, { gates, isOpen: !accessTo(path.split('/'), gates).gated }, fileHref) ?? undefined
    return (
      contents.length > 0 &&
      html`<ul class="rows">${contents.map((entry) => rowHtml({ href: href(`/${entry.path}`), title: entry.page.title, note: entry.page.excerpt, thumbnail: thumbnail(entry), marks: [accessMarkHtml(contentResource(entry.path.split('/')), gates, site), dateMark(entry.page, site), readingText(site, entry.page.bodyBytes)] }, true))}</ul><p class="soft"><a href="${href('')}">${contentsMessages(site)('allContents')}</a></p>`
    )
  },
  /** Pages are named by their current title and only while they are public, so that withdrawn content does not remain visible. */
  async readChanges(read, { profile, path: above, publicUrl }) {
    const [categories, pages] = await Promise.all([
      read.categories.list({ profileId: profile.id }),
      read.pages.listOutline(profile.id, { status: 'published', limit: MAX_CHANGED_PAGES }),
    ])
    const byId = new Map<unknown, ContentsEntry>(
      publicContents(categories, pages.items).map((entry) => [entry.page.id, entry]),
    )
    return ({ data }) => {
      const entry = byId.get(data.pageId)
      if (!entry || data.status !== 'published') return undefined
      const { page, path } = entry
      return { page: { id: page.id, title: page.title, url: `${publicUrl}${above}/content/${path}` } }
    }
  },
}
