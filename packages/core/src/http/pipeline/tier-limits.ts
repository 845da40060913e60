import { z } from 'zod'
import type { PlanQuota } from '../../model/plan.ts'

const count = z.int().min(0)

/** The limits of a plan on the wire. */
export const tierLimitsShape = {
  max_files: count,
  max_batch_files: count,
  max_batch_size_mb: count,
  max_storage_mb: count,
  max_audio_upload_mb: count,
  max_video_upload_mb: count,
  max_media_size_mb: count.describe('The larger of audio and video, for older clients'),
  transcription_minutes_per_month: count,
  max_media_duration_minutes_per_file: count,
}

/** Serializes the limits of a plan. */
export const serializeTierLimits = (limits: PlanQuota) => ({
  max_files: limits.maxFiles,
  max_batch_files: limits.maxBatchFiles,
  max_batch_size_mb: limits.maxBatchSizeMb,
  max_storage_mb: limits.maxStorageMb,
  max_audio_upload_mb: limits.maxAudioUploadMb,
  max_video_upload_mb: limits.maxVideoUploadMb,
  max_media_size_mb: Math.max(limits.maxAudioUploadMb, limits.maxVideoUploadMb),
  transcription_minutes_per_month: limits.transcriptionMinutesPerMonth,
  max_media_duration_minutes_per_file: limits.maxMediaDurationMinutesPerFile,
})
