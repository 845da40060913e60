import { defineError } from '../../../kernel/errors.ts'

export const fileNotFound = defineError('file_not_found', 404, 'File not found')
export const fileChanged = defineError('file_changed', 412, 'The file has changed since you read it')
export const filesDisabled = defineError('files_disabled', 503, 'Files are not configured on this service')
export const fileTooLarge = defineError('file_too_large', 413, 'The file is larger than your plan allows', {
  planLimit: true,
})
export const batchTooLarge = defineError('batch_too_large', 413, 'The request has more files than your plan allows', {
  planLimit: true,
})
export const fileTypeMismatch = defineError(
  'file_type_mismatch',
  400,
  'The content of the file does not match its name or declared type',
)
export const fileKindDiffers = defineError(
  'file_kind_differs',
  409,
  'The new content is of another kind than the file; upload it as a separate file',
)
export const fileInfected = defineError('file_infected', 422, 'The malware scanner rejected the file')
export const scannerUnavailable = defineError(
  'scanner_unavailable',
  503,
  'Files cannot be scanned at the moment; try again later',
)
export const uploadStalled = defineError('upload_stalled', 408, 'Upload timed out')
export const ambiguousUsername = defineError(
  'ambiguous_username',
  400,
  'Several profiles have this username; send `profile_type` as well',
)
export const uploadTargetUnavailable = defineError(
  'upload_target_unavailable',
  409,
  'The profile was transferred or deleted during the upload',
)
export const locationNotRemovable = defineError(
  'location_not_removable',
  415,
  'The location cannot be removed from this file; convert it to JPEG or MP4, or remove the location first',
)
