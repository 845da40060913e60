import type { Readers } from '../../ports/storage.ts'
import { categoryTree, isPublicLine, slugsOf } from './category-tree.ts'
import type { Category, OldPath } from './store.ts'

/** How many paths are tried at most; who renames to and fro makes a maze. */
const MAX_TRIES = 16

/** The paths that lead along a path, itself first: `a/b/c`, `a/b`, `a`. */
const prefixesOf = (slugs: readonly string[]) => slugs.map((_, index) => slugs.slice(0, slugs.length - index).join('/'))

/**
 * Follows what has moved. A page or a category may have had other names, and so may the categories above it, one after
 * the other: each old path that begins a path is replaced by the present one until something is there.
 *
 * Tells of nothing that may not be seen, neither of its present path nor that it exists.
 */
export function createMoved(read: Pick<Readers, 'categories' | 'pages' | 'oldPaths'>) {
  const isSeen = (line: readonly Category[], forTeam: boolean) => forTeam || isPublicLine(line)

  async function lineTo(categoryId: number | null): Promise<readonly Category[] | undefined> {
    if (categoryId === null) return []
    const tree = categoryTree(await read.categories.listAbove([categoryId]))
    return tree.get(categoryId) && tree.lineTo(categoryId)
  }

  /** Where something is now, when it may be seen. */
  async function pathOf(target: OldPath['target'], forTeam: boolean): Promise<readonly string[] | undefined> {
    if ('categoryId' in target) {
      const line = await lineTo(target.categoryId)
      return line && isSeen(line, forTeam) ? slugsOf(line) : undefined
    }
    const page = await read.pages.getOutline(target.pageId)
    if (!page || !(forTeam || page.status === 'published')) return undefined
    const line = await lineTo(page.categoryId)
    return line && isSeen(line, forTeam) ? [...slugsOf(line), page.slug] : undefined
  }

  async function isThere(profileId: number, slugs: readonly string[], forTeam: boolean): Promise<boolean> {
    const found = await read.pages.getByPath(profileId, slugs)
    if (found && (forTeam || found.page.status === 'published')) return isSeen(found.categories, forTeam)
    const line = await read.categories.getPath(profileId, slugs)
    return line !== undefined && isSeen(line, forTeam)
  }

  /** The present path of what was found under a path before; undefined when there is none that may be seen. */
  return async function movedTo(
    profileId: number,
    slugs: readonly string[],
    forTeam: boolean,
  ): Promise<readonly string[] | undefined> {
    const tried = new Set([slugs.join('/')])
    const open = [slugs]
    for (let path = open.shift(); path && tried.size <= MAX_TRIES; path = open.shift()) {
      const prefixes = prefixesOf(path)
      const known = await read.oldPaths.list(profileId, prefixes)
      // The longest first: it knows best.
      const ordered = known.toSorted((left, right) => prefixes.indexOf(left.path) - prefixes.indexOf(right.path))
      for (const { path: old, target } of ordered) {
        const present = await pathOf(target, forTeam)
        const rest = path.slice(old.split('/').length)
        // Below a page is nothing.
        if (!present || ('pageId' in target && rest.length > 0)) continue
        const next = [...present, ...rest]
        const spelled = next.join('/')
        if (tried.has(spelled)) continue
        if (rest.length === 0 || (await isThere(profileId, next, forTeam))) return next
        tried.add(spelled)
        open.push(next)
      }
    }
    return undefined
  }
}
