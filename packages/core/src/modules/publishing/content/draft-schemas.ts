import { z } from 'zod'
import { NAMES_NOTHING, namesSomething, newPageBody } from './schemas.ts'

const { title, body, excerpt, cover_url } = newPageBody.shape
const moment = z.iso.datetime()

export const draftBody = z
  .strictObject({
    title: title.optional(),
    body: body.optional(),
    excerpt,
    cover_url,
    base_version: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The version of the page that the draft changes. Default: unchanged; of a new draft the current version',
      ),
  })
  .refine(namesSomething, NAMES_NOTHING)

export const draftRecord = z
  .object({
    page_id: z.int(),
    title: z.string(),
    body: z.string(),
    excerpt: z.string().nullable(),
    cover_url: z.string().nullable(),
    base_version: z.int(),
    updated_at: moment,
    updated_by: z.string().nullable().describe('The account that saved it last; null after it was erased'),
  })
  .meta({ id: 'PageDraft' })
