import type { JobStatus } from './store.ts'

/** They are about the profile of the job, and caused by who asked for it. */
export interface JobEvents {
  'jobs.job_finished': {
    readonly jobId: string
    readonly kind: string
    readonly status: Extract<JobStatus, 'succeeded' | 'failed' | 'cancelled'>
  }
}
