import { z } from 'zod'
import { defineEvent } from '../../events/define-event.ts'

const status = z.enum(['draft', 'published', 'archived'])
const page = z.object({ pageId: z.int(), slug: z.string(), title: z.string(), status })
const category = z.object({ categoryId: z.int(), slug: z.string() })
const ofProfile = { audience: 'internal', subject: 'profile' } as const

export const categorySaved = defineEvent('content.category_saved', {
  ...ofProfile,
  data: category,
  invalidates: ['profile', 'lists'],
  summary: 'A category was created or changed',
})
export const categoryDeleted = defineEvent('content.category_deleted', {
  ...ofProfile,
  data: category,
  invalidates: ['profile', 'lists'],
  summary: 'A category was deleted',
})
export const categoriesReordered = defineEvent('content.categories_reordered', {
  ...ofProfile,
  data: z.object({ parentId: z.int().nullable() }),
  invalidates: ['profile'],
  summary: 'The categories below a parent, or at the top, have another order',
})
export const pagesReordered = defineEvent('content.pages_reordered', {
  ...ofProfile,
  data: z.object({ categoryId: z.int().nullable() }),
  invalidates: ['profile'],
  summary: 'The pages of a category, or at the top, have another order',
})
export const pageSaved = defineEvent('content.page_saved', {
  audience: 'public',
  subject: 'profile',
  data: page.extend({ version: z.int(), previousStatus: status.nullable() }),
  // A list may lack a page that is new; it must not show what a published page no longer says.
  invalidates: ({ previousStatus }) => (previousStatus === 'published' ? ['profile', 'lists'] : ['profile']),
  changelog: true,
  summary: 'A page was created or changed',
})
export const pageDeleted = defineEvent('content.page_deleted', {
  audience: 'public',
  subject: 'profile',
  data: page,
  signal: 'content.deleted',
  invalidates: ['profile', 'lists'],
  summary: 'A page was deleted',
})

export const contentEvents = [
  categorySaved,
  categoryDeleted,
  categoriesReordered,
  pagesReordered,
  pageSaved,
  pageDeleted,
] as const
