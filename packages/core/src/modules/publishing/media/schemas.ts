import { z } from 'zod'
import type { Transcript } from '../../../ports/storage/media.ts'

const isLanguage = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const mediaParams = z.object({ fileId: z.coerce.number().pipe(id) })

/** A language as BCP 47. */
export const language = z.string().min(2).max(35).refine(isLanguage, 'Not a language of BCP 47: `en`, `pt-BR`')

export const ingestBody = z.strictObject({
  file_id: id,
  language: language.optional().describe('The spoken language, as BCP 47. Default: detected'),
})

export const transcriptRecord = z
  .object({
    file_id: z.int(),
    language: z.string().nullable(),
    duration_seconds: z.number(),
    text: z.string(),
    segments: z.array(z.object({ start_seconds: z.number(), end_seconds: z.number(), text: z.string() })),
  })
  .meta({ id: 'Transcript' })

/** A transcript as JSON. */
export const serializeTranscript = (transcript: Transcript): z.input<typeof transcriptRecord> => ({
  file_id: transcript.fileId,
  language: transcript.language,
  duration_seconds: transcript.durationSeconds,
  text: transcript.text,
  segments: transcript.segments.map(({ startSeconds, endSeconds, text }) => ({
    start_seconds: startSeconds,
    end_seconds: endSeconds,
    text,
  })),
})
