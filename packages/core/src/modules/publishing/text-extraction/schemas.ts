import { z } from 'zod'
import { formatQuery } from '../../../http/documents/negotiation.ts'
import { linkQuery } from '../../profiles/profiles/index.ts'
import { textEncoding } from '../files/index.ts'

/** The formats of texts by name. */
const NAMED = ['markdown', 'text', 'html', 'json'] as const
export type TextFormat = (typeof NAMED)[number] | 'toon'

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const textParams = z.object({ id: z.coerce.number().pipe(id) })
export const textQuery = formatQuery.extend({
  ...linkQuery.shape,
  to: z.enum(NAMED).optional().describe('Wins over `format`'),
})

export const textRecord = z
  .object({
    markdown: z.string(),
    warnings: z.array(z.string()),
    encoding: textEncoding.nullable().describe('Of a text that is not UTF-8; null for other files'),
    source: z.object({ file_id: z.int(), filename: z.string(), content_type: z.string(), sha256: z.string() }),
  })
  .meta({ id: 'ExtractedText' })

export const CONVERSIONS = NAMED
export type Conversion = (typeof CONVERSIONS)[number]

export const convertBody = z.strictObject({
  file_id: id,
  to: z.enum(CONVERSIONS).default('markdown').describe('The format of the result'),
})

/** The stored input of a conversion job. */
export const conversionInput = z.object({ file_id: id, to: z.enum(CONVERSIONS) })
