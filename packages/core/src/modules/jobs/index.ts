export { jobsDisabled, tooManyJobs } from './errors.ts'
export { jobRecord, jobSchema } from './schemas.ts'
export type { JobService } from './service.ts'
