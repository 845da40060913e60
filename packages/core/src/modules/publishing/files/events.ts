import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const ofProfile = { audience: 'internal', subject: 'profile', invalidates: ['profile'] } as const

export const fileStored = defineEvent('files.file_stored', {
  ...ofProfile,
  data: z.object({ fileId: z.int(), size: z.int() }),
  summary: 'A file was uploaded',
})

export const imagesFound = defineEvent('files.images_found', {
  ...ofProfile,
  data: z.object({ pageIds: z.array(z.int()) }),
  summary: 'The images of pages that an earlier release stored were found',
})

export const fileEvents = [fileStored, imagesFound] as const
