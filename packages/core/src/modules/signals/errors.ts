import { defineError } from '../../kernel/errors.ts'

export const tooManyStreams = defineError(
  'too_many_streams',
  429,
  'Too many event streams are open; close one and try again',
)
