import { listResponse } from '../../http/documents/lists.ts'
import { callerOf } from '../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../http/routes.ts'
import { invalidCursor } from '../../kernel/page.ts'
import { jobEnded, jobNotFound, jobsDisabled } from './errors.ts'
import { jobList, jobParams, jobSchema, jobsQuery, serializeJob } from './schemas.ts'
import type { JobService } from './service.ts'

export interface JobRouteServices {
  readonly jobs: JobService
}

/** Routes of background jobs. */
export function jobRoutes(app: EepRoutes, { jobs }: JobRouteServices): void {
  const shared = { auth: 'key', tag: 'jobs', unavailable: !jobs.isEnabled } as const

  app.get(
    '/jobs',
    {
      config: routeConfig({
        ...shared,
        scope: 'read:content',
        operationId: 'listJobs',
        summary: 'List the jobs of the caller, newest first',
        errors: [invalidCursor, jobsDisabled],
      }),
      schema: { querystring: jobsQuery, response: { 200: jobList } },
    },
    async (request) => listResponse(await jobs.list(request.query, callerOf(request)), serializeJob),
  )

  app.get(
    '/jobs/:id',
    {
      config: routeConfig({
        ...shared,
        scope: 'read:content',
        operationId: 'getJob',
        summary: 'Get a job with its progress and result',
        errors: [jobNotFound, jobsDisabled],
      }),
      schema: { params: jobParams, response: { 200: jobSchema } },
    },
    async (request) => serializeJob(await jobs.get(request.params.id, callerOf(request))),
  )

  app.delete(
    '/jobs/:id',
    {
      config: routeConfig({
        ...shared,
        scope: 'write:content',
        operationId: 'cancelJob',
        summary: 'Cancel a job',
        errors: [jobNotFound, jobEnded, jobsDisabled],
      }),
      schema: { params: jobParams, response: { 200: jobSchema } },
    },
    async (request) => serializeJob(await jobs.cancel(request.params.id, callerOf(request))),
  )
}
