import { z } from 'zod'
import { NAMES_NOTHING, namesSomething, newPageBody, publishTime } from './schemas.ts'

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
    publish_at: z.null().optional().describe('Null cancels the scheduled publication'),
  })
  .refine(namesSomething, NAMES_NOTHING)

export const publishBody = z
  .strictObject({
    publish_at: publishTime.optional().describe('When to publish it, at most a year ahead. Default: now'),
  })
  .nullish()

export const draftRecord = z
  .object({
    page_id: z.int(),
    title: z.string(),
    body: z.string(),
    excerpt: z.string().nullable(),
    cover_url: z.string().nullable(),
    base_version: z.int(),
    publish_at: moment.nullable().describe('When it will be published; null when that is not scheduled'),
    updated_at: moment,
    updated_by: z.string().nullable().describe('The account that saved it last; null after it was erased'),
  })
  .meta({ id: 'PageDraft' })
