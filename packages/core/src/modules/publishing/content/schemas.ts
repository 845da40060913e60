import { z } from 'zod'
import { actingAppRecord } from '../../../http/documents/acting-app.ts'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { line, prose } from '../../../kernel/text-fields.ts'
import { SLUG } from './address.ts'
import { SUGGESTED_TYPES } from './default-categories.ts'
import { PAGE_STATUSES } from './page-status.ts'
import { MAX_SLUG_LENGTH } from './slug.ts'

const MAX_BODY_BYTES = 1_048_576

/** The maximum size of a request with a page: its body as escaped JSON. */
export const PAGE_REQUEST_BYTES = 2 * MAX_BODY_BYTES

const id = z.int().min(1)
const idInText = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const position = z.int().min(0).max(1_000_000)
const slug = z.string().max(MAX_SLUG_LENGTH).regex(SLUG, 'Letters a to z, digits and hyphens; no hyphen at the ends')
const title = line(200)
const status = z.enum(PAGE_STATUSES)
const cover = z
  .string()
  .max(2_048)
  .nullable()
  .optional()
  .describe(
    'An image of the profile, `/files/7`. Everyone sees it where the page is listed, also when its text is gated',
  )
/** A time with its offset, as a date. */
export const publishTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const visibility = z.enum(['public', 'private'])
const moment = z.iso.datetime()
/** The Markdown of a page or a document. */
export const markdownBody = prose(MAX_BODY_BYTES).refine(
  (text) => Buffer.byteLength(text) <= MAX_BODY_BYTES,
  `Longer than ${MAX_BODY_BYTES} bytes`,
)

export const namesSomething = (body: object) => Object.values(body).some((value) => value !== undefined)
export const NAMES_NOTHING = 'Name at least one field to change'

export const idParams = z.object({ id: idInText })
export const versionParams = z.object({ id: idInText, version: idInText })
export const profileQuery = z.object({ profile_id: idInText })
export const pagesQuery = listQuery.extend({
  profile_id: idInText,
  category_id: z
    .union([z.literal('top'), idInText])
    .optional()
    .describe('A category, or `top` for the pages in none'),
  status: status.optional(),
})
export const versionsQuery = listQuery
export const diffQuery = z.object({ from: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() })
export const defaultCategoriesQuery = z.object({ profile_type: z.enum(SUGGESTED_TYPES) })
export const slugQuery = z.object({ title })
export const deleteCategoryQuery = z.object({
  cascade: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).default(false),
})

/** The maximum number of ids in one order. */
const MAX_ORDER = 10_000

export const orderBody = z.strictObject({
  kind: z.enum(['pages', 'categories']),
  profile_id: id.optional(),
  parent_id: id
    .nullable()
    .optional()
    .describe('A category, or null for the top level. Default: the place of the first id'),
  ids: z.array(id).min(1).max(MAX_ORDER),
  previous_ids: z
    .array(id)
    .max(MAX_ORDER)
    .optional()
    .describe('The ids in the order that you have seen; another one is 412, so that no order is lost'),
})

export const newPageBody = z.strictObject({
  profile_id: id,
  category_id: id.nullable().optional(),
  title,
  slug: slug.optional(),
  body: markdownBody,
  excerpt: prose(1000).nullable().optional(),
  cover_url: cover,
  status: z.enum(['draft', 'published']).default('draft'),
  position: position.optional(),
})

export const pageChangesBody = z
  .strictObject({
    category_id: id.nullable().optional(),
    title: title.optional(),
    slug: slug.optional(),
    body: markdownBody.optional(),
    excerpt: prose(1000).nullable().optional(),
    cover_url: cover,
    status: status.optional(),
    position: position.optional(),
    publish_at: publishTime
      .nullable()
      .optional()
      .describe(
        'When to publish a page that is a draft, at most a year ahead; null cancels it. Alone it makes no version',
      ),
    autosave: z
      .boolean()
      .optional()
      .describe('Joins this save with the last automatic one of the same author within five minutes. Default: false'),
  })
  .refine(({ autosave: _, ...fields }) => namesSomething(fields), NAMES_NOTHING)

export const newCategoryBody = z.strictObject({
  profile_id: id,
  parent_id: id.nullable().optional(),
  name: line(120),
  slug: slug.optional(),
  description: prose(1000).nullable().optional(),
  icon: line(64).nullable().optional(),
  visibility: visibility.default('public'),
  position: position.optional(),
})

export const categoryChangesBody = z
  .strictObject({
    parent_id: id.nullable().optional(),
    name: line(120).optional(),
    slug: slug.optional(),
    description: prose(1000).nullable().optional(),
    icon: line(64).nullable().optional(),
    visibility: visibility.optional(),
    position: position.optional(),
  })
  .refine(namesSomething, NAMES_NOTHING)

const category = z
  .object({
    id,
    profile_id: id,
    parent_id: id.nullable(),
    name: z.string(),
    slug: z.string(),
    path: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    icon: z.string().nullable(),
    visibility,
    position: z.int(),
    page_count: z.int().describe('The pages it holds directly, whatever their status'),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Category' })

export const categoryRecord = category
export const categoryList = listOf(
  category.extend({ children: z.array(z.looseObject({ id })).describe('Categories of the same form') }),
).meta({ id: 'CategoryTreeList' })

const pageSummary = z
  .object({
    id,
    profile_id: id,
    category_id: id.nullable(),
    title: z.string(),
    slug: z.string(),
    path: z.string(),
    url: z.string(),
    resource: z.string().describe('The resource name of the page in gates'),
    excerpt: z.string().nullable(),
    cover_url: z.string().nullable(),
    status,
    version: z.int(),
    position: z.int(),
    created_at: moment,
    updated_at: moment,
    published_at: moment.nullable(),
    publish_at: moment
      .nullable()
      .describe('When the page, or its draft if it is published, will be published; null when that is not scheduled'),
  })
  .meta({ id: 'PageSummary' })

export const pageList = listOf(pageSummary)
export const pageRecord = pageSummary.extend({ body: z.string() }).meta({ id: 'Page' })

const versionSummary = z
  .object({
    version: z.int(),
    title: z.string(),
    status,
    created_at: moment,
    created_by: z.string(),
    via: actingAppRecord,
  })
  .meta({ id: 'PageVersionSummary' })

export const versionList = listOf(versionSummary)
export const versionRecord = versionSummary
  .extend({ excerpt: z.string().nullable(), body: z.string() })
  .meta({ id: 'PageVersion' })

const change = z.object({ from: z.string().nullable(), to: z.string().nullable() })

/** The difference of two bodies, by lines. */
export const bodyDiff = z
  .object({
    added: z.int(),
    removed: z.int(),
    coarse: z
      .boolean()
      .describe(
        'The texts are too long or differ too much: everything between their equal beginning and end is reported as replaced',
      ),
    hunks: z.array(
      z.object({
        old_start: z.int(),
        old_lines: z.int(),
        new_start: z.int(),
        new_lines: z.int(),
        lines: z.array(z.string()),
      }),
    ),
    unified: z.string().describe('The hunks as text, as `patch` reads it'),
  })
  .meta({ id: 'TextDiff' })

export const diffRecord = z
  .object({
    from: z.int().describe('0 before the first version'),
    to: z.int(),
    title: change,
    excerpt: change,
    status: change,
    body: bodyDiff,
  })
  .meta({ id: 'PageDiff' })

export const suggestionList = listOf(
  z.object({ name: z.string(), slug: z.string(), icon: z.string(), description: z.string() }),
).meta({ id: 'CategorySuggestionList' })
export const slugRecord = z.object({ slug: z.string() }).meta({ id: 'SuggestedSlug' })
export const succeeded = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
