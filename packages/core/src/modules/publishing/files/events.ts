import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const fileStored = defineEvent('files.file_stored', {
  audience: 'internal',
  subject: 'profile',
  invalidates: ['profile'],
  data: z.object({ fileId: z.int(), size: z.int() }),
  summary: 'A file was uploaded',
})

export const fileEvents = [fileStored] as const
