import { defineError } from '../../../kernel/errors.ts'

export const mediaIngestDisabled = defineError(
  'media_ingest_disabled',
  503,
  'Transcription is not configured on this service',
)
export const unsupportedMedia = defineError(
  'unsupported_media',
  415,
  'The file is not audio or video, or its duration cannot be determined',
)
export const mediaTooLong = defineError(
  'media_too_long',
  422,
  'The recording is longer than the plan of its owner allows',
  { planLimit: true },
)
export const transcriptionMinutesUsed = defineError(
  'transcription_minutes_used',
  409,
  'The owner of this profile does not have enough transcription minutes left this month',
  { planLimit: true },
)
export const transcriptNotFound = defineError('transcript_not_found', 404, 'This file has no transcript')
