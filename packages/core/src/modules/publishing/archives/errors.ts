import { defineError } from '../../../kernel/errors.ts'

export const archivesDisabled = defineError(
  'archives_disabled',
  503,
  'Exports and imports are not configured on this service',
)
export const exportNotFound = defineError(
  'export_not_found',
  404,
  'This export does not exist or its address has expired',
)
export const tooManyExports = defineError(
  'too_many_exports',
  429,
  'Daily limit of exports reached; download the last one, or try again tomorrow',
)
export const archiveTooLarge = defineError('archive_too_large', 413, 'The archive is larger than your plan allows')
export const archiveTampered = defineError(
  'archive_tampered',
  400,
  'The archive was changed after it was exported: a member or the signature does not match the manifest',
)
export const importNotFound = defineError(
  'import_not_found',
  404,
  'This dry run does not exist, or its archive is no longer stored; upload the archive again',
)
