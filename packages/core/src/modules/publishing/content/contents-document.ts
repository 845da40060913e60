import { paginationOf } from '../../../http/documents/lists.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import type { HtmlView, Site } from '../../../http/html/view.ts'
import { asJson } from '../../../kernel/json.ts'
import type { Page as ListPage } from '../../../kernel/page.ts'
import { askedText } from '../../../model/asked-text.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { accessTo } from '../../../model/page-access.ts'
import { covers } from '../../../model/resource-pattern.ts'
import { shownAccent } from '../../../model/shown-accent.ts'
import type { PageOutline } from '../../../ports/storage/content.ts'
import type { ActivePattern } from '../../../ports/storage/entitlements.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { addressOf, contentResource } from './address.ts'
import { type CategoryTree, type Place, slugsOf } from './category-tree.ts'
import type { BoughtUntil, CategoryEntry, PageEntry } from './contents-entries.ts'
import { contentsHtml } from './contents-html.ts'
import { contentsMarkdown, titleOfContents } from './contents-markdown.ts'
import { fileUrlsOf, previewImage } from './cover.ts'
import { crumbsOf, type DocumentSource, frameOf, publisherOf } from './document-frame.ts'

export interface ContentsView {
  readonly profile: Profile
  /** The categories that may be seen. */
  readonly tree: CategoryTree
  /** The category of the table of contents. Null for the whole profile. */
  readonly place: Place
  readonly pages: ListPage<PageOutline>
  readonly limit: number
  readonly gates: GateConfig | undefined
  readonly forTeam: boolean
  readonly profiles: DocumentSource
}

/** A table of contents for everybody, and for a reader who bought some of its pages. */
export interface ContentsDocument extends PublicDocument {
  /** Returns the document with the HTML page that marks what a reader bought. It must not be cached. */
  readonly boughtWith: (bought: readonly ActivePattern[]) => PublicDocument
}

/** The latest end among the patterns that cover a resource: null is permanent, undefined when none covers it. */
function latestEnd(bought: readonly ActivePattern[], resource: string): Date | null | undefined {
  const ends = bought.filter(({ resourcePattern }) => covers(resourcePattern, resource)).map((each) => each.validUntil)
  if (ends.includes(null)) return null
  return ends.filter((end) => end !== null).toSorted((one, other) => other.getTime() - one.getTime())[0]
}

/** The table of contents of a profile or of one of its categories: every category, and one page of their pages. */
export function contentsDocument(view: ContentsView): ContentsDocument {
  const { profile, tree, place, pages, gates, profiles } = view
  const byCategory = Map.groupBy(pages.items, ({ categoryId }) => categoryId)
  const gatedResources = new Map<number, string>()
  const fileUrl = fileUrlsOf(profile, profiles)

  const pagesIn = (at: Place, above: readonly string[]): PageEntry[] =>
    (byCategory.get(at) ?? []).map((page) => {
      const { id, title, slug, excerpt, updatedAt } = page
      const slugs = [...above, slug]
      const { path, url } = addressOf(profiles, profile, slugs)
      const access = accessTo(slugs, gates)
      if (access.gated) gatedResources.set(id, contentResource(slugs))
      const thumbnail_url = previewImage(page, { gates, isOpen: !access.gated }, fileUrl)
      return { id, title, slug, path, url, excerpt, thumbnail_url, updated_at: updatedAt.toISOString(), ...access }
    })
  const categoriesIn = (at: Place, above: readonly string[]): CategoryEntry[] =>
    tree.childrenOf(at).map(({ id, name, slug, description, icon }) => {
      const slugs = [...above, slug]
      const { path, url } = addressOf(profiles, profile, slugs)
      const inside = { pages: pagesIn(id, slugs), categories: categoriesIn(id, slugs) }
      return { id, name, slug, path, url, description, icon, ...inside }
    })

  const line = tree.lineTo(place)
  const slugs = slugsOf(line)
  const category = line.at(-1)
  const name = category?.name ?? profile.fullName ?? profile.username
  const { path, url } = addressOf(profiles, profile, slugs)
  const publisher = publisherOf(profiles, profile)
  const entries = { pages: pagesIn(place, slugs), categories: categoriesIn(place, slugs) }
  const { total, nextCursor } = pages
  const htmlOf = (site: Site, boughtUntil?: BoughtUntil): HtmlView =>
    contentsHtml(
      {
        name,
        total,
        description: category?.description ?? null,
        ...entries,
        crumbs: crumbsOf(profile, line).slice(0, -1),
        isCategory: category !== undefined,
        accent: shownAccent(profile, gates),
        nextPath: nextQuery && `${path}${nextQuery}`,
        askedFor: ({ id }) => {
          const resource = gatedResources.get(id)
          return resource === undefined ? undefined : askedText(site, resource, gates)
        },
        boughtUntil,
      },
      site,
    )
  const boughtIn =
    (bought: readonly ActivePattern[]): BoughtUntil =>
    ({ id }) => {
      const resource = gatedResources.get(id)
      return resource === undefined ? undefined : latestEnd(bought, resource)
    }
  const nextQuery = nextCursor === undefined ? undefined : `?limit=${view.limit}&cursor=${nextCursor}`

  const document: PublicDocument = {
    data: asJson({
      title: titleOfContents(name),
      path,
      url,
      description: category?.description ?? null,
      profile: publisher,
      ...entries,
      pagination: paginationOf(pages),
    }),
    markdown: () =>
      contentsMarkdown({
        name,
        url,
        did: publisher.did,
        total,
        description: category?.description ?? null,
        ...entries,
        nextUrl: nextQuery && `${url}${nextQuery}`,
      }),
    html: (site) => htmlOf(site),
    ...frameOf(profiles, profile, slugs, {
      forTeam: view.forTeam,
      more: nextQuery ? [{ rel: 'next', href: `${path}${nextQuery}` }] : [],
    }),
  }
  return {
    ...document,
    boughtWith: (bought) => ({
      ...document,
      html: (site) => htmlOf(site, boughtIn(bought)),
      cacheControl: 'private, no-store',
      vary: 'Authorization, Cookie, X-API-Key',
    }),
  }
}
