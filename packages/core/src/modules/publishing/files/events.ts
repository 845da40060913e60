import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const ofProfile = { audience: 'internal', subject: 'profile', invalidates: ['profile'] } as const

export const fileStored = defineEvent('files.file_stored', {
  ...ofProfile,
  data: z.object({ fileId: z.int(), size: z.int() }),
  summary: 'A file was uploaded',
})

export const fileEvents = [fileStored] as const
