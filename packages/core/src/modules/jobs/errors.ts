import { defineError } from '../../kernel/errors.ts'

export const jobNotFound = defineError('job_not_found', 404, 'Job not found')
export const jobEnded = defineError('job_ended', 409, 'This job has ended')
export const tooManyJobs = defineError(
  'too_many_jobs',
  429,
  'Too many of your jobs are waiting; try again when some of them have finished',
)
export const jobsDisabled = defineError('jobs_disabled', 503, 'Background jobs are not available on this service')

/** The error of a failed job when its owner cannot do anything about it. */
export const jobFailed = defineError('job_failed', 500, 'The job failed because of an internal error')
export const jobTimedOut = defineError('job_timed_out', 504, 'The job exceeded the time limit of its kind')
