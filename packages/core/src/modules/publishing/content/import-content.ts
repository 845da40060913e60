import { randomUUID } from 'node:crypto'
import { importedTime, importedTimes } from '../../../framework/module/imported-times.ts'
import { parseMember } from '../../../framework/module/parse-member.ts'
import {
  type ImportPart,
  type ImportSource,
  type ImportStep,
  type ImportTarget,
  importBatches,
  MAX_IMPORT_ROWS,
} from '../../../framework/module/profile-import.ts'
import { invalidArchive } from '../../../ports/archive-format.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { publicationOf, wantsApproval } from './approval.ts'
import { categorySaved, pageSaved } from './events.ts'
import { CATEGORIES_PATH, isPageMember } from './export-content.ts'
import { type ExportedCategory, type ExportedPage, exportedCategories, exportedPage } from './exported-content.ts'
import { pageEventData } from './page-snapshot.ts'

export interface ContentImportDeps {
  readonly hooks: EepHooks
  /** How many versions of a page are kept. */
  readonly kept: number
}

const MAX_DEPTH = 8

/** How many categories one transaction stores: each is two statements and an event. */
const CATEGORIES_AT_ONCE = 50
const MAX_VERSIONS_A_STEP = MAX_IMPORT_ROWS - 3
/** How many characters of bodies one transaction stores, unless a single one has more. */
const MAX_STEP_CHARACTERS = 4_194_304

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

/** How many characters of pages, as JSON, are kept parsed, so that most imports parse their pages once. */
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
export function createContentCheck({ hooks, kept }: ContentImportDeps) {
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

    const pageOf = createPageReader(source)
    const pages: { readonly path: string; readonly position: number; readonly id: number }[] = []
    let versions = 0
    for (const path of source.paths.filter(isPageMember)) {
      const page = await pageOf(path)
      pages.push({ path, position: page.position, id: page.id })
      if (page.category_id !== null && !known.has(page.category_id)) throw invalid(path, 'Unknown category')
      take(path, page.category_id, page.slug)
      const numbers = new Set(page.versions.map(({ version }) => version))
      const isNumbered = numbers.size === page.versions.length && [...numbers].every((each) => each <= page.version)
      if (!isNumbered) throw invalid(path, 'The numbers of versions do not fit')
      versions += Math.min(kept, page.versions.length)
    }
    // Of pages with one position, the older goes first, whatever the order of their members.
    const paths = pages.sort((one, other) => one.position - other.position || one.id - other.id).map(({ path }) => path)

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

      async *store(target) {
        const ids = new Map<number, number>()
        for (const batch of importBatches(categories, CATEGORIES_AT_ONCE)) {
          yield (tx, emit) => storeCategories(tx, emit, batch, ids, target)
        }
        yield* storePages(paths, pageOf, ids, target)
      },
    }
  }

  /** The page of a member as it is stored here, and its versions. New addresses may be longer than the former ones. */
  function restored(path: string, exported: ExportedPage, { profile, accountId, at, fileIds, rewrite }: ImportTarget) {
    const rewritten = (text: string) => parseMember(path, exportedPage.shape.body, rewrite(text))
    const newest = exported.versions.toSorted((left, right) => right.version - left.version).slice(0, kept)
    const page = {
      profileId: profile.id,
      title: exported.title,
      slug: exported.slug,
      body: rewritten(exported.body),
      excerpt: exported.excerpt,
      status: exported.status,
      version: exported.version,
      position: exported.position,
      ...importedTimes(exported, at),
      publishedAt: exported.published_at && importedTime(exported.published_at, at),
      coverFileId: exported.cover_file_id && (fileIds.get(exported.cover_file_id) ?? null),
      createdBy: accountId,
    }
    const draft = exported.draft && {
      title: exported.draft.title,
      body: rewritten(exported.draft.body),
      excerpt: exported.draft.excerpt,
      coverFileId: exported.draft.cover_file_id && (fileIds.get(exported.draft.cover_file_id) ?? null),
      baseVersion: exported.draft.base_version,
      revision: randomUUID(),
      updatedAt: importedTime(exported.draft.updated_at, at),
      updatedBy: accountId,
    }
    const versions = newest.map(({ created_at: createdAt, body, ...version }) => ({
      ...version,
      body: rewritten(body),
      createdAt: importedTime(createdAt, at),
    }))
    return { page, draft, versions }
  }

  /** Stores pages, as many in a transaction as its rows and texts allow. The versions of a page may need several. */
  async function* storePages(
    paths: readonly string[],
    pageOf: ReadPage,
    categoryIds: ReadonlyMap<number, number>,
    target: ImportTarget,
  ): AsyncGenerator<ImportStep> {
    const origin = { profileId: target.profile.id, accountId: target.accountId }
    let waiting: ImportStep[] = []
    let [rows, characters] = [0, 0]
    const all = () => {
      const steps = waiting
      waiting = []
      rows = 0
      characters = 0
      return async (tx: Stores, emit: Emit) => {
        for (const step of steps) await step(tx, emit)
      }
    }
    for (const path of paths) {
      const exported = await pageOf(path)
      const { page, draft, versions } = restored(path, exported, target)
      const [first = [], ...others] = inParts(versions)
      const size = first.reduce((sum, { body }) => sum + body.length, page.body.length + (draft?.body.length ?? 0))
      // A page is a row, its draft and its event another one each.
      if (rows + first.length + 3 > MAX_IMPORT_ROWS || characters + size > MAX_STEP_CHARACTERS) yield all()
      rows += first.length + 3
      characters += size
      let pageId = 0
      waiting.push(async (tx, emit) => {
        const categoryId = exported.category_id === null ? null : (categoryIds.get(exported.category_id) ?? null)
        const { pageVersions } = requireGroup(tx, 'pageVersions')
        const stored = await pageVersions.restore({ ...page, categoryId, versions: first })
        if (!stored) throw invalid(path, 'Another page has its path')
        pageId = stored.id
        if (draft) await tx.pageDrafts?.put({ ...draft, pageId }, null)
        emit(
          pageSaved,
          { ...pageEventData(stored), version: stored.version, previousStatus: null, previousPublicPage: null },
          origin,
        )
      })
      if (others.length === 0) continue
      yield all()
      for (const part of others) {
        yield (tx) => requireGroup(tx, 'pageVersions').pageVersions.addRestored(pageId, target.accountId, part)
      }
    }
    if (waiting.length > 0) yield all()
  }

  return check
}

async function storeCategories(
  tx: Stores,
  emit: Emit,
  categories: readonly ExportedCategory[],
  ids: Map<number, number>,
  { profile, accountId, at }: ImportTarget,
): Promise<void> {
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
}

/** Divides versions of a page into those of one transaction. */
function* inParts<Version extends { readonly body: string }>(versions: readonly Version[]) {
  let part: Version[] = []
  let characters = 0
  for (const version of versions) {
    const { length } = version.body
    if (part.length === MAX_VERSIONS_A_STEP || (part.length > 0 && characters + length > MAX_STEP_CHARACTERS)) {
      yield part
      part = []
      characters = 0
    }
    part.push(version)
    characters += length
  }
  if (part.length > 0) yield part
}
