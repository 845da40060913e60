import { defineError } from '../../kernel/errors.ts'

export const fileNotFound = defineError('file_not_found', 404, 'There is no such file')
export const fileChanged = defineError('file_changed', 412, 'The file is not the one you have')
export const filesDisabled = defineError('files_disabled', 503, 'This service keeps no files')
export const fileTooLarge = defineError('file_too_large', 413, 'The file is larger than your tier allows')
export const batchTooLarge = defineError(
  'batch_too_large',
  413,
  'These are more files per request than your tier allows',
)
export const fileTypeMismatch = defineError('file_type_mismatch', 400, 'The file is not what its name says')
export const fileInfected = defineError('file_infected', 422, 'The scanner found something harmful in the file')
export const scannerUnavailable = defineError('scanner_unavailable', 503, 'Files cannot be scanned at present')
export const uploadStalled = defineError('upload_stalled', 408, 'The upload does not come on')
export const ambiguousUsername = defineError(
  'ambiguous_username',
  400,
  'Several profiles have this username; name the `profile_type` too',
)
export const uploadTargetUnavailable = defineError(
  'upload_target_unavailable',
  409,
  'The profile was transferred or deleted during the upload',
)
