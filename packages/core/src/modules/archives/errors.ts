import { defineError } from '../../kernel/errors.ts'

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
