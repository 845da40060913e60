import type { PageAccess } from '../../../model/page-access.ts'

/** Serializes a page for a table of contents. */
export interface PageEntry {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly path: string
  readonly url: string
  readonly excerpt: string | null
  /** The picture of its previews. */
  readonly thumbnail_url: string | null
  readonly updated_at: string
  readonly gated: boolean
  readonly price: PageAccess['price']
  /** The audiences that read it for free. */
  readonly free_for?: PageAccess['free_for']
}

/** What a reader bought: until when each page is open to it. Null is permanent; undefined is not bought. */
export type BoughtUntil = (page: Pick<PageEntry, 'id'>) => Date | null | undefined

/** Serializes a category for a table of contents, with the pages and categories below it. */
export interface CategoryEntry {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly path: string
  readonly url: string
  readonly description: string | null
  readonly icon: string | null
  readonly pages: readonly PageEntry[]
  readonly categories: readonly CategoryEntry[]
}
