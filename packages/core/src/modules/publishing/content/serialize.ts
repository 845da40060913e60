import type { PageOutline, PageVersion, PageVersionOutline } from '../../../ports/storage/content.ts'
import { addressOf, contentResource } from './address.ts'
import type { CategoryNode, PlacedCategory } from './categories.ts'
import { coverUrl, fileUrlsOf } from './cover.ts'
import type { DocumentSource } from './document-frame.ts'
import type { ProfileDraft } from './drafts.ts'
import type { PlacedPage } from './pages.ts'

/** Creates the serializers of content. Addresses need the public URL. */
type Site = DocumentSource

export const serializePageSummary =
  (site: Site) =>
  ({ profile, page, publishAt, slugs }: PlacedPage<PageOutline>) => ({
    id: page.id,
    profile_id: page.profileId,
    category_id: page.categoryId,
    title: page.title,
    slug: page.slug,
    ...addressOf(site, profile, slugs),
    resource: contentResource(slugs),
    excerpt: page.excerpt,
    cover_url: coverUrl(page, fileUrlsOf(profile, site)),
    status: page.status,
    version: page.version,
    position: page.position,
    created_at: page.createdAt.toISOString(),
    updated_at: page.updatedAt.toISOString(),
    published_at: page.publishedAt?.toISOString() ?? null,
    publish_at: publishAt?.toISOString() ?? null,
  })

export const serializePage = (site: Site) => (placed: PlacedPage) => ({
  ...serializePageSummary(site)(placed),
  body: placed.page.body,
})

export const serializeDraft =
  (site: Site) =>
  ({ profile, draft, publishAt }: ProfileDraft) => ({
    page_id: draft.pageId,
    title: draft.title,
    body: draft.body,
    excerpt: draft.excerpt,
    cover_url: coverUrl(draft, fileUrlsOf(profile, site)),
    base_version: draft.baseVersion,
    publish_at: publishAt?.toISOString() ?? null,
    updated_at: draft.updatedAt.toISOString(),
    updated_by: draft.updatedBy,
  })

export const serializeVersionSummary = ({
  version,
  title,
  status,
  createdAt,
  createdBy,
  through,
}: PageVersionOutline) => ({
  version,
  title,
  status,
  created_at: createdAt.toISOString(),
  created_by: createdBy,
  via: through,
})

export const serializeVersion = (version: PageVersion) => ({
  ...serializeVersionSummary(version),
  excerpt: version.excerpt,
  body: version.body,
})

/** Two versions to compare; `from` is undefined before the first one. */
interface ComparedVersions<Version> {
  readonly from: Version | undefined
  readonly to: Version
  /** The JSON of `diffRecord.body`. */
  readonly body: Uint8Array
}

/** The JSON of a comparison with the changes of these fields; the part that may be large is JSON already. */
export function encodeDiff<Field extends string>(
  { from, to, body }: ComparedVersions<{ readonly version: number } & { readonly [Name in Field]: string | null }>,
  fields: readonly Field[],
): Buffer {
  const changes = fields.map((field) => [field, { from: from?.[field] ?? null, to: to[field] }])
  const head = JSON.stringify({ from: from?.version ?? 0, to: to.version, ...Object.fromEntries(changes) })
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"body":`), body, Buffer.from('}')])
}

export const serializeCategory =
  (site: Site) =>
  ({ profile, category, slugs, pageCount }: PlacedCategory) => ({
    id: category.id,
    profile_id: category.profileId,
    parent_id: category.parentId,
    name: category.name,
    slug: category.slug,
    ...addressOf(site, profile, slugs),
    description: category.description,
    icon: category.icon,
    visibility: category.visibility,
    position: category.position,
    page_count: pageCount,
    created_at: category.createdAt.toISOString(),
    updated_at: category.updatedAt.toISOString(),
  })

type CategoryTreeRecord = ReturnType<ReturnType<typeof serializeCategory>> & { children: CategoryTreeRecord[] }

export const serializeCategoryTree =
  (site: Site) =>
  (node: CategoryNode): CategoryTreeRecord => ({
    ...serializeCategory(site)(node),
    children: node.children.map(serializeCategoryTree(site)),
  })
