import { defineError } from '../../../kernel/errors.ts'

export const tooManyStreams = defineError(
  'too_many_streams',
  429,
  'Too many event streams are open; close one and try again',
  { planLimit: true },
)
export const retentionWindowExceeded = defineError(
  'retention_window_exceeded',
  410,
  'Events after this one are no longer kept, or it never existed; continue after oldest_retained_event_id',
)
export const unknownEventType = defineError('unknown_event_type', 404, 'No event has this type')
