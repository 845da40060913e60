import { z } from 'zod'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, routeConfig } from '../../http/routes.ts'
import { rangeNotSatisfiable, storageError } from '../../ports/blob-store.ts'
import { jobSchema, jobsDisabled, serializeJob, tooManyJobs } from '../jobs/index.ts'
import { notProfileOwner, profileNotFound } from '../profiles/index.ts'
import { archivesDisabled, exportNotFound } from './errors.ts'
import { exportBody, exportParams, exportQuery } from './schemas.ts'
import { sendExport } from './send-export.ts'
import type { ArchiveService } from './service.ts'

/** Routes of exports and imports. */
export function archiveRoutes(app: EepRoutes, { archives }: { readonly archives: ArchiveService }): void {
  // Without an archive format the routes only answer 503, so they are not documented.
  const shared = { tag: 'export', ...(archives.isEnabled ? {} : { alias: true }) } as const

  app.post(
    '/export',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        limit: 'files',
        operationId: 'exportProfile',
        summary: 'Export a profile in the background; the result of the job has the address of the archive',
        errors: [profileNotFound, notProfileOwner, tooManyJobs, jobsDisabled, archivesDisabled],
      }),
      schema: { body: exportBody, response: { 202: jobSchema } },
    },
    async (request, reply) => {
      const { profile_id: profileId, format } = request.body
      const job = await archives.requestExport({ profileId, format }, callerOf(request))
      return reply.code(202).header('location', `${request.eep.basePath}/jobs/${job.id}`).send(serializeJob(job))
    },
  )

  app.get(
    '/export/:jobId/:blob',
    {
      compress: false,
      config: routeConfig({
        ...shared,
        auth: 'none',
        operationId: 'downloadExport',
        summary: 'Download an export, or a byte range of it, from its signed address',
        secrets: ['blob', 'signature'],
        errors: [exportNotFound, rangeNotSatisfiable, storageError, archivesDisabled],
        produces: ['application/zip', 'application/json'],
      }),
      schema: {
        params: exportParams,
        querystring: exportQuery,
        response: { 200: z.any(), 206: z.any() },
      },
    },
    async (request, reply) => {
      const { jobId, blob } = request.params
      const { expires, signature } = request.query
      return sendExport(request, reply, await archives.findExport({ jobId, blob, expires }, signature))
    },
  )
}
