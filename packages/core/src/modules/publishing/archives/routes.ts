import { z } from 'zod'
import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { fileQuotaReached } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { isProvedRecently } from '../../../model/recent-proof.ts'
import { incompleteUpload, rangeNotSatisfiable, storageError } from '../../../ports/blob-store.ts'
import { jobSchema, jobsDisabled, serializeJob, tooManyJobs } from '../../jobs/index.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { uploadStalled } from '../files/index.ts'
import { archivesDisabled, archiveTooLarge, exportNotFound, importNotFound, tooManyExports } from './errors.ts'
import { takeArchive } from './import-request.ts'
import {
  exportBody,
  exportedData,
  exportList,
  exportParams,
  exportQuery,
  exportsQuery,
  importForm,
  importParams,
  serializeExport,
} from './schemas.ts'
import { sendExport } from './send-export.ts'
import type { ArchiveService } from './service.ts'

/** Routes of exports and imports. */
export function archiveRoutes(
  app: EepRoutes,
  { archives }: { readonly archives: ArchiveService },
  { clock }: { readonly clock: Clock },
): void {
  const shared = { tag: 'export', unavailable: !archives.isEnabled } as const

  app.post(
    '/export',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        limit: 'files',
        recent: true,
        operationId: 'createExport',
        summary: 'Export a profile or the whole account in the background',
        errors: [profileNotFound, notProfileOwner, tooManyJobs, tooManyExports, jobsDisabled, archivesDisabled],
      }),
      schema: { body: exportBody, response: { 202: jobSchema } },
    },
    async (request, reply) => {
      const { profile_id: profileId, format } = request.body
      const caller = callerOf(request)
      const job = await (profileId === undefined
        ? archives.requestAccountExport(format, caller)
        : archives.requestExport({ profileId, format }, caller))
      return reply.code(202).header('location', `${request.eep.basePath}/jobs/${job.id}`).send(serializeJob(job))
    },
  )

  app.get(
    '/export',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        operationId: 'listExports',
        summary: 'List the exports that the caller requested, newest first',
        errors: [profileNotFound, notProfileOwner, invalidCursor, archivesDisabled],
      }),
      schema: { querystring: exportsQuery, response: { 200: exportList } },
    },
    async (request, reply) => {
      // The addresses open whole archives.
      reply.header('cache-control', 'private, no-store')
      const { profile_id: profileId, ...page } = request.query
      const caller = callerOf(request)
      const isProved = isProvedRecently(caller, clock())
      return listResponse(await archives.listExports({ profileId }, page, caller), (listed) =>
        serializeExport(listed, isProved),
      )
    },
  )

  app.post(
    '/import',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        limit: 'files',
        operationId: 'importProfile',
        summary: 'Upload an export, and import it as a new profile in the background',
        form: importForm,
        errors: [
          archiveTooLarge,
          fileQuotaReached,
          incompleteUpload,
          uploadStalled,
          tooManyJobs,
          jobsDisabled,
          storageError,
          archivesDisabled,
        ],
      }),
      schema: { response: { 202: jobSchema } },
    },
    async (request, reply) => {
      const job = await takeArchive(request, reply, archives)
      return reply.code(202).header('location', `${request.eep.basePath}/jobs/${job.id}`).send(serializeJob(job))
    },
  )

  app.post(
    '/import/:jobId',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        operationId: 'importCheckedArchive',
        summary: 'Use the archive that a dry run kept for an import',
        errors: [importNotFound, fileQuotaReached, tooManyJobs, jobsDisabled, archivesDisabled],
      }),
      schema: { params: importParams, response: { 202: jobSchema } },
    },
    async (request, reply) => {
      const job = await archives.importChecked(request.params.jobId, callerOf(request))
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
        response: { 200: exportedData, 206: z.any() },
      },
    },
    async (request, reply) => {
      const { jobId, blob } = request.params
      const { expires, signature } = request.query
      return sendExport(request, reply, await archives.findExport({ jobId, blob, expires }, signature))
    },
  )
}
