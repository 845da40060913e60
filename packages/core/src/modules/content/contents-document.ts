import { paginationOf } from '../../http/lists.ts'
import type { PublicDocument } from '../../http/public-document.ts'
import { asJson } from '../../kernel/json.ts'
import type { Page as ListPage } from '../../kernel/page.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { PageOutline } from '../../ports/storage/content.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { addressOf } from './address.ts'
import { type CategoryTree, type Place, slugsOf } from './category-tree.ts'
import type { CategoryEntry, PageEntry } from './contents-entries.ts'
import { contentsHtml } from './contents-html.ts'
import { contentsMarkdown } from './contents-markdown.ts'
import { crumbsOf, type DocumentSource, frameOf, publisherOf } from './document-frame.ts'
import { accessTo } from './price.ts'

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

/** The table of contents of a profile or of one of its categories: every category, and one page of their pages. */
export function contentsDocument(view: ContentsView): PublicDocument {
  const { profile, tree, place, pages, gates, profiles } = view
  const byCategory = Map.groupBy(pages.items, ({ categoryId }) => categoryId)

  const pagesIn = (at: Place, above: readonly string[]): PageEntry[] =>
    (byCategory.get(at) ?? []).map(({ id, title, slug, excerpt, updatedAt }) => {
      const slugs = [...above, slug]
      const { path, url } = addressOf(profiles, profile, slugs)
      return { id, title, slug, path, url, excerpt, updated_at: updatedAt.toISOString(), ...accessTo(slugs, gates) }
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
  const nextQuery = nextCursor === undefined ? undefined : `?limit=${view.limit}&cursor=${nextCursor}`

  return {
    data: asJson({
      title: name,
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
    html: (site) =>
      contentsHtml(
        {
          name,
          total,
          description: category?.description ?? null,
          ...entries,
          crumbs: crumbsOf(profile, line).slice(0, -1),
          isCategory: category !== undefined,
          nextPath: nextQuery && `${path}${nextQuery}`,
        },
        site,
      ),
    ...frameOf(profiles, profile, slugs, {
      forTeam: view.forTeam,
      more: nextQuery ? [{ rel: 'next', href: `${path}${nextQuery}` }] : [],
    }),
  }
}
