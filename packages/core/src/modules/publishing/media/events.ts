import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const transcriptStored = defineEvent('media.transcript_stored', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ fileId: z.int() }),
  invalidates: ['profile'],
  summary: 'The transcript of a recording was stored',
})

export const mediaEvents = [transcriptStored] as const
