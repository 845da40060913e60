import { z } from 'zod'
import { notCode, refuseAsCode } from '../../../http/embedding.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { rangeNotSatisfiable, storageError } from '../../../ports/blob-store.ts'
import { GATE_ERRORS } from '../../access/paywall/index.ts'
import { jobSchema, serializeJob, tooManyJobs } from '../../jobs/index.ts'
import { linkQuery, notProfileOwner } from '../../profiles/profiles/index.ts'
import { fileChanged, fileNotFound, filesDisabled, type SendFileServices, sendFile } from '../files/index.ts'
import {
  mediaIngestDisabled,
  mediaTooLong,
  transcriptionMinutesUsed,
  transcriptNotFound,
  unsupportedMedia,
} from './errors.ts'
import { ingestBody, mediaParams, transcriptRecord } from './schemas.ts'
import { type SendTranscriptServices, sendTranscript, TRANSCRIPT_TYPES } from './send-transcript.ts'

/** Routes of recordings and their transcripts. */
export function mediaRoutes(app: EepRoutes, services: SendFileServices & SendTranscriptServices): void {
  const { files, media } = services
  const tag = 'files'
  const ofFiles = { unavailable: !files.isEnabled }
  const ofTranscripts = { unavailable: !media.isEnabled }

  app.get(
    '/media/:fileId',
    {
      compress: false,
      onRequest: refuseAsCode,
      config: routeConfig({
        tag,
        ...ofFiles,
        auth: 'none',
        scope: 'read:files',
        operationId: 'getMedia',
        summary: 'Stream a recording or video, or a byte range of it',
        errors: [fileNotFound, notCode, fileChanged, rangeNotSatisfiable, storageError, filesDisabled, ...GATE_ERRORS],
        produces: ['*/*'],
      }),
      schema: {
        params: mediaParams,
        querystring: linkQuery,
        response: { 200: z.any(), 206: z.any(), 304: z.undefined() },
      },
    },
    async (request, reply) =>
      sendFile(
        request,
        reply,
        services,
        await media.find(request.params.fileId, request.eep.caller, request.query.key),
      ),
  )

  app.post(
    '/media',
    {
      config: routeConfig({
        tag,
        ...ofTranscripts,
        auth: 'bearer',
        appScope: 'write:files',
        limit: 'files',
        operationId: 'transcribeMedia',
        summary: 'Create a transcript of a recording or video in the background',
        errors: [
          fileNotFound,
          notProfileOwner,
          unsupportedMedia,
          mediaTooLong,
          transcriptionMinutesUsed,
          tooManyJobs,
          storageError,
          mediaIngestDisabled,
        ],
      }),
      schema: { body: ingestBody, response: { 202: jobSchema } },
    },
    async (request, reply) => {
      const { file_id: fileId, language } = request.body
      const job = await media.ingest({ fileId, language }, callerOf(request))
      return reply.code(202).header('location', `${request.eep.basePath}/jobs/${job.id}`).send(serializeJob(job))
    },
  )

  app.get(
    '/media/:fileId/transcript',
    {
      onRequest: refuseAsCode,
      config: routeConfig({
        tag,
        ...ofTranscripts,
        auth: 'none',
        scope: 'read:files',
        operationId: 'getTranscript',
        summary: 'Get the transcript of a recording or video as JSON, Markdown or WebVTT',
        errors: [fileNotFound, notCode, transcriptNotFound, filesDisabled, mediaIngestDisabled, ...GATE_ERRORS],
        produces: TRANSCRIPT_TYPES,
      }),
      schema: { params: mediaParams, querystring: linkQuery, response: { 200: transcriptRecord, 304: z.undefined() } },
    },
    async (request, reply) =>
      sendTranscript(
        request,
        reply,
        services,
        await media.find(request.params.fileId, request.eep.caller, request.query.key),
      ),
  )
}
