import type { LeftPath, OldPath } from '../../../ports/storage/content.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { type CategoryTree, categoryTree, isPublicLine, type Place, slugsOf } from './category-tree.ts'

/** The maximum number of old paths to try, because repeated renames create many combinations. */
const MAX_KNOWN = 1_000

/** The maximum number of pages to look up. */
const MAX_LOOKUPS = 16

/** A candidate for a path: a page, a category, the page with a slug in a place, or content that was deleted. */
type Candidate = LeftPath['target'] | { readonly place: Place; readonly slug: string } | 'deleted'

/**
 * The candidates for a path, most likely first. Pages, categories and their ancestors may each have been renamed and moved: at
 * each level a slug is the current name or a former name in that place.
 */
function* candidates(slugs: readonly string[], tree: CategoryTree, known: readonly OldPath[]): Generator<Candidate> {
  const visited = new Set<string>()
  const open: { readonly place: Place; readonly from: number }[] = []
  const visit = (place: Place, from: number) => {
    const key = `${place} ${from}`
    if (!visited.has(key)) open.push({ place, from })
    visited.add(key)
  }
  const follow = function* ({ target }: OldPath, from: number): Generator<Candidate> {
    if (target === null) {
      if (from === slugs.length) yield 'deleted'
    } else if ('categoryId' in target) visit(target.categoryId, from)
    else if (from === slugs.length) yield target
  }

  // The longest exact match of a stored path is most reliable, also for deleted places.
  for (let end = slugs.length; end > 0; end--) {
    const path = slugs.slice(0, end).join('/')
    for (const old of known) if (old.path === path) yield* follow(old, end)
  }
  visit(null, 0)
  for (let step = open.shift(); step; step = open.shift()) {
    const { place, from } = step
    const slug = slugs[from]
    if (slug === undefined) {
      if (place !== null) yield { categoryId: place }
      continue
    }
    if (from === slugs.length - 1) yield { place, slug }
    const child = tree.childrenOf(place).find((category) => category.slug === slug)
    if (child) visit(child.id, from + 1)
    for (const old of known) {
      // The name of a category that became private since is not revealed.
      const isShown = old.target !== null || tree.isPublic(place)
      if (isShown && old.placeId === place && old.slug === slug) yield* follow(old, from + 1)
    }
  }
}

/** Resolves a moved path. Does not reveal content that the caller may not see. */
export function createRedirects(read: Pick<Readers, 'categories' | 'pages' | 'oldPaths'>) {
  /**
   * Returns the current path of content that had a path before; `deleted` when public content with this path was deleted.
   * Undefined when there is nothing the caller may see.
   */
  return async function resolveRedirect(
    profileId: number,
    slugs: readonly string[],
    forTeam: boolean,
  ): Promise<readonly string[] | 'deleted' | undefined> {
    const known = await read.oldPaths?.list(profileId, slugs, MAX_KNOWN)
    if (!known || known.length === 0) return undefined
    const tree = categoryTree(await read.categories.list({ profileId }))

    async function pathOf(candidate: Exclude<Candidate, 'deleted'>): Promise<readonly string[] | undefined> {
      if ('categoryId' in candidate) return tree.get(candidate.categoryId) && pathIn(candidate.categoryId)
      const page =
        'pageId' in candidate
          ? await read.pages.getOutline(candidate.pageId)
          : (await read.pages.getByPath(profileId, [...slugsOf(tree.lineTo(candidate.place)), candidate.slug]))?.page
      if (!page || !(forTeam || page.status === 'published')) return undefined
      return pathIn(page.categoryId, page.slug)
    }
    function pathIn(place: Place, ...slug: readonly string[]): readonly string[] | undefined {
      const line = tree.lineTo(place)
      return forTeam || isPublicLine(line) ? [...slugsOf(line), ...slug] : undefined
    }

    const asked = slugs.join('/')
    let lookups = 0
    let nothing: 'deleted' | undefined
    for (const candidate of candidates(slugs, tree, known)) {
      if (candidate === 'deleted') {
        nothing = 'deleted'
        continue
      }
      if (!('categoryId' in candidate) && ++lookups > MAX_LOOKUPS) break
      const path = await pathOf(candidate)
      if (path && path.join('/') !== asked) return path
    }
    return nothing
  }
}
