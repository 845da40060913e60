import type { Caller } from '../../../model/caller.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import type { Minutes } from '../../../ports/storage/media.ts'
import type { IngestRequest } from './service.ts'

/** The methods of `app.eep.media`. */
export interface MediaApi {
  /** Whether a transcriber, a blob store and a job queue are configured. */
  readonly isEnabled: boolean
  /**
   * Requests the transcript of a file for an editor of its profile. Returns the job, or the one that already transcribes the
   * same bytes in the same language: concurrent calls share it, and a stored transcript costs no minutes.
   *
   * @throws `media_ingest_disabled`, `file_not_found`, `not_profile_owner`, `unsupported_media`, `media_too_long`,
   * `transcription_minutes_used`, `too_many_jobs`
   */
  ingest(request: IngestRequest, caller: Caller): Promise<Job>
  /** Returns how many minutes of transcription an account has used in this month, and how many its jobs have reserved. */
  minutesUsed(accountId: string): Promise<Minutes>
}
