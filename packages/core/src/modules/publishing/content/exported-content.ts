import { z } from 'zod'
import { newCategoryBody, newPageBody } from './schemas.ts'

// The members of archives with content. What a text may contain is declared once, by the bodies of requests.

const id = z.int().min(1)
const time = z.iso.datetime().transform((text) => new Date(text))
const position = z.int().min(-2_147_483_648).max(2_147_483_647)
const status = z.enum(['draft', 'published', 'archived'])
const number = z.int().min(1).max(2_147_483_647)

const { name, slug, description, icon, visibility } = newCategoryBody.shape
const { title, body, excerpt } = newPageBody.shape
const pageSlug = newPageBody.shape.slug.unwrap()

const MAX_CATEGORIES = 1_000

/** The member with the categories. */
export const exportedCategories = z
  .array(
    z.object({
      id,
      parent_id: id.nullable(),
      name,
      slug: slug.unwrap(),
      description: description.unwrap(),
      icon: icon.unwrap(),
      visibility: visibility.unwrap(),
      position,
      created_at: time,
      updated_at: time,
    }),
  )
  .max(MAX_CATEGORIES)

const version = z.object({ version: number, title, excerpt: excerpt.unwrap(), status, created_at: time, body })

const draft = z.object({
  title,
  excerpt: excerpt.unwrap(),
  cover_file_id: id.nullable(),
  base_version: number,
  updated_at: time,
  body,
})

/** The member of a page. */
export const exportedPage = z.object({
  id,
  category_id: id.nullable(),
  title,
  slug: pageSlug,
  excerpt: excerpt.unwrap(),
  status,
  version: number,
  position,
  created_at: time,
  updated_at: time,
  published_at: time.nullable(),
  cover_file_id: id.nullable().default(null),
  body,
  draft: draft.nullable().default(null),
  versions: z.array(version).max(10_000),
})

export type ExportedCategory = z.output<typeof exportedCategories>[number]
export type ExportedPage = z.output<typeof exportedPage>
