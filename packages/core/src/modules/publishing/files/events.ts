import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const fileStored = defineEvent('files.file_stored', {
  audience: 'internal',
  subject: 'profile',
  invalidates: ['profile'],
  data: z.object({ fileId: z.int(), size: z.int() }),
  summary: 'A file was uploaded',
})

export const fileUpdated = defineEvent('files.file_updated', {
  audience: 'internal',
  subject: 'profile',
  invalidates: ['profile'],
  data: z.object({ fileId: z.int(), fields: z.array(z.enum(['filename', 'alt', 'content'])) }),
  summary: 'A file was renamed or described, or its content was replaced',
})

/** Emitted for a file that is deleted by itself or with a change of its profile. */
export const fileDeleted = defineEvent('files.file_deleted', {
  audience: 'internal',
  subject: 'profile',
  invalidates: ['profile'],
  data: z.object({ fileId: z.int() }),
  summary: 'A file was deleted',
})

export const fileEvents = [fileStored, fileUpdated, fileDeleted] as const
