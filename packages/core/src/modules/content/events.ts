import type { PageStatus } from './store.ts'

interface PageFacts {
  readonly pageId: number
  readonly slug: string
  readonly title: string
  readonly status: PageStatus
}

export interface ContentEvents {
  'content.category_saved': { readonly categoryId: number; readonly slug: string }
  'content.category_deleted': { readonly categoryId: number; readonly slug: string }
  /** The categories below a parent, or at the top, have another order. */
  'content.categories_reordered': { readonly parentId: number | null }
  /** The pages of a category, or at the top, have another order. */
  'content.pages_reordered': { readonly categoryId: number | null }
  'content.page_saved': PageFacts & { readonly version: number; readonly previousStatus: PageStatus | null }
  'content.page_deleted': PageFacts
}
