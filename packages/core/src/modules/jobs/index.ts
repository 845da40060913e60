export { jobsDisabled, tooManyJobs } from './errors.ts'
export { jobSchema, serializeJob } from './schemas.ts'
export type { JobService } from './service.ts'
