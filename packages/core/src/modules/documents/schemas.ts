import { z } from 'zod'

export const TEXT_FORMATS = ['markdown', 'text', 'html', 'json'] as const
/** In which form a text is asked for. */
export type TextFormat = (typeof TEXT_FORMATS)[number]

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const textParams = z.object({ id: z.coerce.number().pipe(id) })
export const textQuery = z.object({
  format: z.enum(TEXT_FORMATS).optional().describe('Wins over Accept; Markdown without either'),
})

export const textRecord = z.object({
  markdown: z.string(),
  warnings: z.array(z.string()),
  source: z.object({ file_id: z.int(), filename: z.string(), content_type: z.string(), sha256: z.string() }),
})

export const CONVERSIONS = ['markdown', 'text', 'html'] as const
export type Conversion = (typeof CONVERSIONS)[number]

export const convertBody = z.strictObject({
  file_id: id,
  to: z.enum(CONVERSIONS).default('markdown').describe('What the address of the result answers with'),
})

/** What a job of a conversion is told, as it is stored. */
export const conversionInput = z.object({ file_id: id, to: z.enum(CONVERSIONS) })
