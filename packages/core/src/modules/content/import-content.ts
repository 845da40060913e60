import type { Emit } from '../../events/define-event.ts'
import { importedTime, importedTimes } from '../../module/imported-times.ts'
import { parseMember } from '../../module/parse-member.ts'
import type { ImportPart, ImportSource, ImportTarget, ProfileImporter } from '../../module/profile-import.ts'
import { invalidArchive } from '../../ports/archive-format.ts'
import type { EepHooks } from '../../ports/hooks.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { publicationOf, wantsApproval } from './approval.ts'
import { categorySaved, pageSaved } from './events.ts'
import { CATEGORIES_PATH } from './export-content.ts'
import { type ExportedCategory, type ExportedPage, exportedCategories, exportedPage } from './exported-content.ts'
import { pageEventData } from './seen-page.ts'

export interface ContentImportDeps {
  readonly hooks: EepHooks
  /** How many versions of a page are kept. */
  readonly kept: number
}

const MAX_DEPTH = 8

const isPagePath = (path: string) => /^content\/.+\.json$/.test(path) && path !== CATEGORIES_PATH

const invalid = (path: string, problem: string) => invalidArchive({ message: `${path}: ${problem}` })

/**
 * Orders categories so that parents come before their children, and otherwise as they are listed.
 *
 * @throws `invalid_archive` for an id that is listed twice, a missing parent, a cycle, or more than eight levels
 *
 * @internal
 */
export function parentsFirst(categories: readonly ExportedCategory[]): readonly ExportedCategory[] {
  const children = Map.groupBy(categories, (category) => category.parent_id)
  const ordered: ExportedCategory[] = []
  let level = children.get(null) ?? []
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_DEPTH) throw invalid(CATEGORIES_PATH, `More than ${MAX_DEPTH} levels`)
    ordered.push(...level)
    level = level.flatMap(({ id }) => children.get(id) ?? [])
  }
  const isWhole = ordered.length === categories.length && new Set(ordered.map(({ id }) => id)).size === ordered.length
  if (!isWhole) throw invalid(CATEGORIES_PATH, 'The categories are not a tree')
  return ordered
}

type ReadPage = (path: string) => Promise<ExportedPage>

/** How many characters of pages, as JSON, are kept parsed, so that most imports parse nothing in their transaction. */
const MAX_PARSED_CHARACTERS = 16 * 1_048_576

/** Parses pages. The first ones are kept, as far as memory allows. */
function createPageReader(source: ImportSource): ReadPage {
  const parsed = new Map<string, ExportedPage>()
  let characters = 0
  return async (path) => {
    const known = parsed.get(path)
    if (known) return known
    const page = parseMember(path, exportedPage, await source.json(path))
    // Not of bodies alone: a page can have thousands of versions, whose other fields take memory too.
    const { length } = JSON.stringify(page)
    if (characters + length <= MAX_PARSED_CHARACTERS) {
      characters += length
      parsed.set(path, page)
    }
    return page
  }
}

/** Imports categories, and pages with their versions. */
export function createContentImporter({ hooks, kept }: ContentImportDeps): ProfileImporter {
  async function check(source: ImportSource): Promise<ImportPart> {
    const listed = (await source.json(CATEGORIES_PATH)) ?? []
    const categories = parentsFirst(parseMember(CATEGORIES_PATH, exportedCategories, listed))
    const known = new Set(categories.map(({ id }) => id))
    const taken = new Set<string>()
    const take = (path: string, parent: number | null, slug: string) => {
      const place = `${parent} ${slug}`
      if (taken.has(place)) throw invalid(path, `Another page or category has the path of "${slug}"`)
      taken.add(place)
    }
    for (const { parent_id, slug } of categories) take(CATEGORIES_PATH, parent_id, slug)

    const paths = source.paths.filter(isPagePath)
    const pageOf = createPageReader(source)
    let versions = 0
    for (const path of paths) {
      const page = await pageOf(path)
      if (page.category_id !== null && !known.has(page.category_id)) throw invalid(path, 'Unknown category')
      take(path, page.category_id, page.slug)
      const numbers = new Set(page.versions.map(({ version }) => version))
      const isNumbered = numbers.size === page.versions.length && [...numbers].every((each) => each <= page.version)
      if (!isNumbered) throw invalid(path, 'The numbers of versions do not fit')
      versions += Math.min(kept, page.versions.length)
    }

    return {
      counts: { categories: categories.length, pages: paths.length, versions },

      async prepare(signal) {
        for (const path of paths) {
          signal.throwIfAborted()
          const page = await pageOf(path)
          // The profile does not exist yet.
          if (wantsApproval(hooks, page)) await hooks.beforePublish?.(publicationOf({ ...page, profileId: 0 }))
        }
      },

      async within(tx, emit, target) {
        const ids = await storeCategories(tx, emit, categories, target)
        for (const path of paths) await storePage(tx, emit, path, await pageOf(path), ids, target)
      },
    }
  }

  async function storePage(
    tx: Stores,
    emit: Emit,
    path: string,
    exported: ExportedPage,
    categoryIds: ReadonlyMap<number, number>,
    { profile, accountId, at, rewrite }: ImportTarget,
  ) {
    // New addresses may be longer than the former ones.
    const rewritten = (text: string) => parseMember(path, exportedPage.shape.body, rewrite(text))
    const newest = exported.versions.toSorted((left, right) => right.version - left.version).slice(0, kept)
    const page = await requireGroup(tx, 'pageVersions').pageVersions.restore({
      profileId: profile.id,
      categoryId: exported.category_id === null ? null : (categoryIds.get(exported.category_id) ?? null),
      title: exported.title,
      slug: exported.slug,
      body: rewritten(exported.body),
      excerpt: exported.excerpt,
      status: exported.status,
      version: exported.version,
      position: exported.position,
      ...importedTimes(exported, at),
      publishedAt: exported.published_at && importedTime(exported.published_at, at),
      createdBy: accountId,
      versions: newest.map(({ created_at: createdAt, body, ...version }) => ({
        ...version,
        body: rewritten(body),
        createdAt: importedTime(createdAt, at),
      })),
    })
    if (!page) throw invalid(path, 'Another page has its path')
    const origin = { profileId: profile.id, accountId }
    emit(pageSaved, { ...pageEventData(page), version: page.version, previousStatus: null }, origin)
  }

  return { reads: (path) => path === CATEGORIES_PATH || isPagePath(path), check }
}

async function storeCategories(
  tx: Stores,
  emit: Emit,
  categories: readonly ExportedCategory[],
  { profile, accountId, at }: ImportTarget,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>()
  for (const { id, parent_id, created_at, updated_at, ...fields } of categories) {
    const parentId = parent_id === null ? null : (ids.get(parent_id) ?? null)
    const { createdAt, updatedAt } = importedTimes({ created_at, updated_at }, at)
    const category = await tx.categories.insert({ ...fields, profileId: profile.id, parentId, createdAt })
    if (!category) throw invalid(CATEGORIES_PATH, `Two categories have the path of "${fields.slug}"`)
    await tx.categories.save(category.id, { updatedAt })
    ids.set(id, category.id)
    const origin = { profileId: profile.id, accountId }
    emit(categorySaved, { categoryId: category.id, slug: category.slug, isMoved: false }, origin)
  }
  return ids
}
