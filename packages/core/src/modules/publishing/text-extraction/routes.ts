import { z } from 'zod'
import { invalidFormat } from '../../../http/documents/negotiation.ts'
import { notCode, refuseAsCode } from '../../../http/embedding.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { storageError } from '../../../ports/blob-store.ts'
import { conversionFailed, documentTooLarge, unsupportedDocument } from '../../../ports/document-converter.ts'
import { GATE_ERRORS, requireAccess } from '../../access/paywall/index.ts'
import { jobSchema, jobsDisabled, serializeJob, tooManyJobs } from '../../jobs/index.ts'
import { type FileService, fileNotFound, filesDisabled, gatedFile } from '../files/index.ts'
import { conversionDisabled, conversionPending } from './errors.ts'
import { convertBody, textParams, textQuery, textRecord } from './schemas.ts'
import { type SendTextServices, sendText, TEXT_TYPES } from './send-text.ts'

/** The texts of files. */
export function textExtractionRoutes(
  app: EepRoutes,
  services: SendTextServices & { readonly files: FileService },
): void {
  const { textExtraction, files, paywall, profiles } = services
  const shared = { tag: 'files', unavailable: !textExtraction.isEnabled } as const
  const ofFile = [fileNotFound, unsupportedDocument, filesDisabled, conversionDisabled, ...GATE_ERRORS]

  app.get(
    '/files/:id/markdown',
    {
      onRequest: refuseAsCode,
      config: routeConfig({
        ...shared,
        auth: 'none',
        scope: 'read:files',
        operationId: 'getFileText',
        summary: 'Get the text of a document as Markdown, plain text, HTML, JSON or TOON',
        errors: [
          invalidFormat,
          notCode,
          ...ofFile,
          documentTooLarge,
          conversionFailed,
          conversionPending,
          storageError,
        ],
        produces: TEXT_TYPES,
      }),
      schema: { params: textParams, querystring: textQuery, response: { 200: textRecord, 304: z.undefined() } },
    },
    async (request, reply) => {
      const found = await files.find(request.params.id, request.eep.caller, request.query.key)
      return sendText(request, reply, services, found, request.query.to)
    },
  )

  app.post(
    '/convert',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        appScope: 'write:files',
        limit: 'files',
        operationId: 'convertFile',
        summary: 'Extract the text of a document in the background',
        errors: [...ofFile, tooManyJobs, jobsDisabled],
      }),
      schema: { body: convertBody, response: { 202: jobSchema } },
    },
    async (request, reply) => {
      const { file_id: fileId, to } = request.body
      const caller = callerOf(request)
      const found = await files.find(fileId, caller)
      textExtraction.assertReadable(found.file)
      // Only a GET can take a payment, so a gated file is refused here with its price.
      const resource = gatedFile(found, await profiles.roleOf(found.profile, caller), paywall)
      const access = await requireAccess(request, reply, paywall, resource)
      if (access.is !== 'granted') throw access.refusal
      const job = await textExtraction.request(found.file, to, caller.account.id)
      return reply.code(202).header('location', `${request.eep.basePath}/jobs/${job.id}`).send(serializeJob(job))
    },
  )
}
