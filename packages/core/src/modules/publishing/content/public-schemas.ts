import { z } from 'zod'
import { listQuery, pagination } from '../../../http/documents/lists.ts'
import { formatQuery } from '../../../http/documents/negotiation.ts'
import { AUDIENCES } from '../../../model/audience.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { PAGE_STATUSES } from './page-status.ts'
import { CONTENTS_LIMIT } from './public-content.ts'

const id = z.int().min(1)
const moment = z.iso.datetime()

const publisher = z.object({
  did: z.string(),
  username: z.string(),
  profile_type: z.enum(PROFILE_TYPES),
  url: z.string(),
})

export const contentsParams = z.object({ username: z.string() })
export const contentParams = z.object({ username: z.string(), '*': z.string() })
export const eepContentParams = z.object({
  '*': z.string().describe('`u/ada/content/notes/engines`, or `{did}/content.notes.engines`'),
})
export const contentQuery = formatQuery.extend({
  limit: z.coerce.number().int().min(1).max(CONTENTS_LIMIT).default(CONTENTS_LIMIT),
  cursor: listQuery.shape.cursor,
})

const pageEntry = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  path: z.string(),
  url: z.string(),
  excerpt: z.string().nullable(),
  thumbnail_url: z
    .string()
    .nullable()
    .describe('The cover of the page, else the first image of its text if everyone may read both'),
  updated_at: moment,
  gated: z.boolean(),
  price: z.object({ amount: z.string(), currency: z.string(), per: z.string() }).nullable(),
  free_for: z
    .array(z.enum(AUDIENCES))
    .optional()
    .describe('The audiences that read it for free; the price is for the others. Absent when there are none'),
})

export const contentsDocumentSchema = z
  .object({
    title: z.string(),
    path: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    profile: publisher,
    pages: z.array(pageEntry),
    categories: z.array(
      z.object({
        id,
        name: z.string(),
        slug: z.string(),
        path: z.string(),
        url: z.string(),
        description: z.string().nullable(),
        icon: z.string().nullable(),
        pages: z.array(pageEntry),
        categories: z.array(z.looseObject({ id })).describe('Categories of the same form'),
      }),
    ),
    pagination,
  })
  .meta({ id: 'ContentsDocument' })

const pageDocumentSchema = z
  .object({
    id,
    title: z.string(),
    slug: z.string(),
    path: z.string(),
    url: z.string(),
    category_path: z.array(z.string()),
    excerpt: z.string().nullable(),
    cover_url: z.string().nullable(),
    body: z.string(),
    status: z.enum(PAGE_STATUSES),
    version: z.int(),
    created_at: moment,
    updated_at: moment,
    published_at: moment.nullable(),
    profile: publisher,
    reactions_url: z
      .string()
      .optional()
      .describe('Of pages of unlisted profiles only, whose reactions have no other address'),
  })
  .meta({ id: 'PageDocument' })

/** The document at a path of the content: a page, or the table of contents of a category. */
export const contentDocumentSchema = z
  .union([pageDocumentSchema, contentsDocumentSchema])
  .meta({ id: 'ContentDocument' })
