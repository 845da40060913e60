import {
  type ExportMember,
  jsonMember,
  type ProfileExporter,
  textMember,
} from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { documentOf, frontMatter } from '../../../kernel/markdown.ts'
import { withoutDeviceName } from '../../../kernel/portable-names.ts'
import type { Category, ContentPage, PageOutline } from '../../../ports/storage/content.ts'
import type { PageDraft } from '../../../ports/storage/page-drafts.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { categoryTree, slugsOf } from './category-tree.ts'

/** The list of categories. No page has this path, because slugs have no underscore. */
export const CATEGORIES_PATH = 'content/_categories.json'

/** Whether a member of an archive is a page. */
export const isPageMember = (path: string): boolean => /^content\/.+\.json$/.test(path) && path !== CATEGORIES_PATH

const MAX_PATH_LENGTH = 160

/**
 * The path of a page in an archive, without its extension: as in its address, or by its id where Windows could not unpack that. Slugs
 * have no underscore, so no other page has such a path.
 */
function exportedPath(id: number, slugs: readonly string[], maxLength: number): string {
  const path = ['content', ...slugs.map(withoutDeviceName)].join('/')
  return `${path}.json`.length <= Math.min(MAX_PATH_LENGTH, maxLength) ? path : `content/_pages/${id}`
}

const serialize = (category: Category) => ({
  id: category.id,
  parent_id: category.parentId,
  name: category.name,
  slug: category.slug,
  description: category.description,
  icon: category.icon,
  visibility: category.visibility,
  position: category.position,
  created_at: category.createdAt.toISOString(),
  updated_at: category.updatedAt.toISOString(),
})

const serializePage = (page: PageOutline) => ({
  id: page.id,
  category_id: page.categoryId,
  title: page.title,
  slug: page.slug,
  excerpt: page.excerpt,
  status: page.status,
  version: page.version,
  position: page.position,
  created_at: page.createdAt.toISOString(),
  updated_at: page.updatedAt.toISOString(),
  published_at: page.publishedAt?.toISOString() ?? null,
  cover_file_id: page.coverFileId,
})

const serializeDraft = (draft: PageDraft) => ({
  title: draft.title,
  excerpt: draft.excerpt,
  cover_file_id: draft.coverFileId,
  base_version: draft.baseVersion,
  updated_at: draft.updatedAt.toISOString(),
  body: draft.body,
})

/** The categories and pages of a profile: each page as Markdown, and as JSON with its versions. */
export function createContentExporter(read: Readers): ProfileExporter {
  /** The body as Markdown with front matter. */
  function markdownOf(page: ContentPage, path: string): ExportMember {
    const { title, status, version, excerpt, created_at, updated_at, published_at } = serializePage(page)
    const facts = { title, status, version, excerpt, created_at, updated_at, published_at }
    return textMember(`${path}.md`, documentOf(frontMatter(facts), page.body), page.updatedAt)
  }

  /** The page, its draft and its versions, one version at a time. */
  const jsonOf = (page: ContentPage, path: string): ExportMember => ({
    path: `${path}.json`,
    kind: 'json',
    modifiedAt: page.updatedAt,
    async *open() {
      const draft = await read.pageDrafts?.get(page.id)
      const record = JSON.stringify({
        ...serializePage(page),
        body: page.body,
        draft: draft ? serializeDraft(draft) : null,
      })
      yield `${record.slice(0, -1)},"versions":[`
      let separator = '\n'
      const { pageVersions } = read
      const outlines = pageVersions && allPages((request) => pageVersions.list(page.id, request))
      for await (const { version } of outlines ?? []) {
        const found = await pageVersions?.get(page.id, version)
        if (!found) continue
        const { title, body, excerpt, status, createdAt } = found
        yield `${separator}${JSON.stringify({ version, title, excerpt, status, created_at: createdAt.toISOString(), body })}`
        separator = ',\n'
      }
      yield ']}\n'
    },
  })

  return async function* ({ profile, maxPathLength }) {
    const categories = await read.categories.list({ profileId: profile.id })
    const tree = categoryTree(categories)
    yield jsonMember(CATEGORIES_PATH, categories.map(serialize))
    const paths = new Set<string>()
    for await (const { id } of allPages((request) => read.pages.listOutline(profile.id, request))) {
      const page = await read.pages.get(id)
      // Deleted after it was listed.
      if (!page) continue
      const path = exportedPath(page.id, [...slugsOf(tree.lineTo(page.categoryId)), page.slug], maxPathLength)
      // A page that is renamed meanwhile may be listed twice.
      if (paths.has(path)) continue
      paths.add(path)
      yield markdownOf(page, path)
      yield jsonOf(page, path)
    }
  }
}
