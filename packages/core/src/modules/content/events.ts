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
  'content.page_saved': PageFacts & { readonly version: number; readonly previousStatus: PageStatus | null }
  'content.page_deleted': PageFacts
}
