import { allPages } from '../../../../kernel/all-pages.ts'
import { sha256 } from '../../../../kernel/digest.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { PageOutline } from '../../../../ports/storage/content.ts'
import type { CategoryNode, ContentService, PlacedPage } from '../../../publishing/content/index.ts'

/** A page in the list of its profile. */
export type ListedPage = PlacedPage<PageOutline>

/** A place of pages: a category, or the top level. */
export interface Place {
  /** Null at the top level. */
  readonly id: number | null
  /** The names of its categories from the top. Empty at the top level. */
  readonly names: readonly string[]
  readonly pages: readonly ListedPage[]
}

/** The pages of a profile by their places, in the order of readers. */
export interface Outline {
  readonly places: readonly Place[]
  readonly total: number
  /** Whether the profile has more pages than the list shows. */
  readonly isCut: boolean
}

/** The list of one profile shows at most so many pages. */
const MAX_LISTED = 500

function* flattened(nodes: readonly CategoryNode[], above: readonly string[]): Generator<Omit<Place, 'pages'>> {
  for (const { category, children } of nodes) {
    const names = [...above, category.name]
    yield { id: category.id, names }
    yield* flattened(children, names)
  }
}

/** Returns all categories of a tree with the names of those above them. */
export const categoriesOf = (roots: readonly CategoryNode[]): readonly Omit<Place, 'pages'>[] => [
  ...flattened(roots, []),
]

/** Reads the pages of a profile, whatever their status, and its categories. */
export async function readOutline(
  { pages, categories }: Pick<ContentService, 'pages' | 'categories'>,
  profileId: number,
  caller: Caller,
): Promise<Outline> {
  const { roots } = await categories.tree(profileId, caller)
  const listed: ListedPage[] = []
  let total = 0
  const list = async (request: { readonly limit: number; readonly cursor?: string | undefined }) => {
    const page = await pages.list({ profileId, ...request }, caller)
    total = page.total
    return page
  }
  for await (const page of allPages(list)) {
    if (listed.length === MAX_LISTED) break
    listed.push(page)
  }
  const ofPlace = (id: number | null) =>
    listed
      .filter(({ page }) => page.categoryId === id)
      .sort((one, other) => one.page.position - other.page.position || one.page.id - other.page.id)
  const places = [{ id: null, names: [] }, ...categoriesOf(roots)].map((place) => ({
    ...place,
    pages: ofPlace(place.id),
  }))
  return { places, total, isCut: total > listed.length }
}

/** Names the order of the pages of a place, so that a form notices that another person changed it meanwhile. */
export const orderTag = (ids: readonly number[]): string => sha256(ids.join(','), 'base64url').slice(0, 16)

/** Returns the ids after one moved by a step; undefined at the end. */
export function movedBy(ids: readonly number[], id: number, step: -1 | 1): readonly number[] | undefined {
  const at = ids.indexOf(id)
  const [to, next] = [at + step, ids[at + step]]
  if (at < 0 || next === undefined) return undefined
  return ids.map((each, index) => (index === to ? id : index === at ? next : each))
}
