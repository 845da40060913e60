import { z } from 'zod'
import { defineEvent } from '../../runtime/events/define-event.ts'

export const jobFinished = defineEvent('jobs.job_finished', {
  audience: 'account',
  subject: 'profile',
  data: z.object({ jobId: z.string(), kind: z.string(), status: z.enum(['succeeded', 'failed', 'cancelled']) }),
  summary: 'A job ended',
})

export const jobEvents = [jobFinished] as const
