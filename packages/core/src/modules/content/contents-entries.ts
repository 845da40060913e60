import type { PageAccess } from './price.ts'

/** A page in a table of contents, as the wire has it. */
export interface PageEntry {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly path: string
  readonly url: string
  readonly excerpt: string | null
  readonly updated_at: string
  readonly gated: boolean
  readonly price: PageAccess['price']
}

/** A category in a table of contents, with the pages and categories below it. */
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
