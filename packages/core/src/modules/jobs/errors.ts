import { defineError } from '../../kernel/errors.ts'

export const jobNotFound = defineError('job_not_found', 404, 'There is no such job')
export const jobEnded = defineError('job_ended', 409, 'This job has ended')
export const tooManyJobs = defineError(
  'too_many_jobs',
  429,
  'Too many of your jobs are waiting; ask again when some of them are done',
)
export const jobsDisabled = defineError('jobs_disabled', 503, 'This service does no work in the background')

/** What the record of a job that failed says, when there is nothing its owner can do about it. */
export const jobFailed = defineError('job_failed', 500, 'Something went wrong on our side; nothing came of this job')
export const jobTimedOut = defineError('job_timed_out', 504, 'This job took longer than jobs of its kind may')
