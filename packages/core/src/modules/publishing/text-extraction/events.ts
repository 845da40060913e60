import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const textExtracted = defineEvent('files.text_extracted', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ fileId: z.int() }),
  summary: 'The text of a file was extracted',
})

export const textExtractionEvents = [textExtracted] as const
