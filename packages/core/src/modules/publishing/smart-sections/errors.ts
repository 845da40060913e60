import { defineError } from '../../../kernel/errors.ts'

export const staleSections = defineError(
  'sections_version_mismatch',
  412,
  'The sections have changed since you read them; read them again',
)
