import { z } from 'zod'
import { listResponse } from '../../../http/documents/lists.ts'
import { notCode, refuseAsCode } from '../../../http/embedding.ts'
import { scriptRoute } from '../../../http/html/script.routes.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { fileQuotaReached } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { IMAGE_WIDTHS } from '../../../model/image-widths.ts'
import { incompleteUpload, rangeNotSatisfiable, storageError } from '../../../ports/blob-store.ts'
import { imageBroken, imageTooLarge } from '../../../ports/image-processor.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { GATE_ERRORS } from '../../access/paywall/index.ts'
import { linkQuery, notProfileOwner, profileMoved, profileNotFound, typeOf } from '../../profiles/profiles/index.ts'
import {
  ambiguousUsername,
  batchTooLarge,
  fileChanged,
  fileInfected,
  fileKindDiffers,
  fileNotFound,
  filesDisabled,
  fileTooLarge,
  fileTypeMismatch,
  locationNotRemovable,
  scannerUnavailable,
  uploadStalled,
  uploadTargetUnavailable,
} from './errors.ts'
import { etagOf } from './file-etag.ts'
import { PICTURE_SIZES } from './picture-sizes.ts'
import {
  contentForm,
  contentParams,
  fileChanges,
  fileList,
  fileListParams,
  fileListQuery,
  fileParams,
  fileRecord,
  managedFilesQuery,
  serializeStoredFile,
  serializeUpload,
  uploadAnswer,
  uploadForm,
} from './schemas.ts'
import { UPLOADS_SCRIPT } from './screens/upload-island.ts'
import { type SendFileServices, sendFile } from './send-file.ts'
import { takeReplacement, takeUpload } from './upload-request.ts'

/** Routes of files. */
export function fileRoutes(app: EepRoutes, services: SendFileServices): void {
  const { files, profiles } = services
  const { publicUrl, linkKeys } = profiles
  const keysOf =
    ({ id, visibility }: Profile) =>
    (file: StoredFile): string | undefined =>
      visibility === 'unlisted' ? linkKeys.keyOf('file', id, file.id) : undefined
  const shared = { tag: 'files', unavailable: !files.isEnabled } as const
  const ofUploads = [
    fileTypeMismatch,
    imageBroken,
    locationNotRemovable,
    incompleteUpload,
    uploadStalled,
    fileTooLarge,
    fileQuotaReached,
    uploadTargetUnavailable,
    imageTooLarge,
    fileInfected,
    storageError,
    scannerUnavailable,
    filesDisabled,
  ]
  const reading = [fileNotFound, notCode, fileChanged, rangeNotSatisfiable, storageError, filesDisabled, ...GATE_ERRORS]

  scriptRoute(app, UPLOADS_SCRIPT, {
    operationId: 'getUploadScript',
    summary: 'Get the script that uploads files with progress',
  })

  app.post(
    '/files',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        appScope: 'write:files',
        limit: 'files',
        operationId: 'uploadFile',
        summary: 'Upload files to a profile; several files return `{files: […]}`',
        form: uploadForm,
        errors: [...ofUploads, profileNotFound, notProfileOwner, ambiguousUsername, batchTooLarge],
      }),
      schema: { response: { 200: uploadAnswer } },
    },
    async (request, reply) => {
      const taken = await takeUpload(request, reply, files)
      const keyOf = taken[0] && keysOf(await profiles.get(taken[0].profileId, callerOf(request)))
      const stored = taken.map((file) => serializeUpload(file, publicUrl, keyOf?.(file)))
      const [only, ...others] = stored
      return only && others.length === 0 ? only : { files: stored }
    },
  )

  const bytes = (route: Pick<RouteConfig, 'auth' | 'operationId' | 'summary' | 'unavailable'>) => ({
    compress: false as const,
    onRequest: refuseAsCode,
    config: routeConfig({
      ...shared,
      ...route,
      scope: 'read:files',
      errors: reading,
      produces: ['*/*'],
    }),
  })
  const sent = { 200: z.any(), 206: z.any(), 304: z.undefined() }

  app.get(
    '/files/:id',
    {
      ...bytes({ auth: 'none', operationId: 'getFile', summary: 'Download a file or a byte range of it' }),
      schema: { params: fileParams, querystring: linkQuery, response: sent },
    },
    async (request, reply) =>
      sendFile(request, reply, services, await files.find(request.params.id, request.eep.caller, request.query.key)),
  )

  const sized = { small: ['getSmallImage', 'narrow'], large: ['getLargeImage', 'wide'] } as const
  for (const size of PICTURE_SIZES) {
    const [operationId, place] = sized[size]
    const summary = `Get an image for a ${place} place on a page, at most ${IMAGE_WIDTHS[size]} pixels wide where the service draws it`
    app.get(
      `/files/:id/${size}`,
      {
        ...bytes({ auth: 'none', operationId, summary, unavailable: !files.hasSizes }),
        schema: { params: fileParams, querystring: linkQuery, response: sent },
      },
      async (request, reply) => {
        const found = await files.find(request.params.id, request.eep.caller, request.query.key)
        if (!found.file.contentType.startsWith('image/')) throw fileNotFound()
        return sendFile(request, reply, services, found, size)
      },
    )
  }

  app.get(
    '/files/:fileId/content',
    {
      ...bytes({ auth: 'key', operationId: 'getFileContent', summary: 'Download a file for display in a browser' }),
      schema: { params: contentParams, querystring: linkQuery, response: sent },
    },
    async (request, reply) =>
      sendFile(
        request,
        reply,
        services,
        await files.find(request.params.fileId, request.eep.caller, request.query.key),
      ),
  )

  app.delete(
    '/files/:id',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        limit: 'files',
        operationId: 'deleteFile',
        summary: 'Delete a file as the owner of its profile',
        errors: [fileNotFound, notProfileOwner, filesDisabled],
      }),
      schema: { params: fileParams, response: { 200: z.object({ success: z.literal(true) }).meta({ id: 'Success' }) } },
    },
    async (request) => {
      await files.delete(request.params.id, callerOf(request), { action: 'files.own' })
      return { success: true as const }
    },
  )

  app.get(
    '/files/list/:prefix/:slug',
    {
      config: routeConfig({
        ...shared,
        auth: 'key',
        scope: 'read:files',
        operationId: 'listFiles',
        summary: 'List the files of a profile as its owner, newest first',
        errors: [profileNotFound, profileMoved, notProfileOwner, invalidCursor, filesDisabled],
      }),
      schema: { params: fileListParams, querystring: fileListQuery, response: { 200: fileList } },
    },
    async (request) => {
      const { prefix, slug } = request.params
      const caller = callerOf(request)
      const profile = await profiles.find(typeOf(prefix), slug, caller)
      const page = await files.list(profile, request.query, caller)
      const keyOf = keysOf(profile)
      return listResponse(page, (file) => serializeStoredFile(file, publicUrl, keyOf(file)))
    },
  )

  app.get(
    '/manage/files',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        operationId: 'listManagedFiles',
        summary: 'List the files of a profile as a member of its team, newest first',
        errors: [profileNotFound, notProfileOwner, invalidCursor, filesDisabled],
      }),
      schema: { querystring: managedFilesQuery, response: { 200: fileList } },
    },
    async (request) => {
      const { profile_id: profileId, ...query } = request.query
      const { profile, page } = await files.listForTeam(profileId, query, callerOf(request))
      const keyOf = keysOf(profile)
      return listResponse(page, (file) => serializeStoredFile(file, publicUrl, keyOf(file)))
    },
  )

  app.patch(
    '/manage/files/:id',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        appScope: 'write:files',
        operationId: 'updateManagedFile',
        summary: 'Rename a file, or describe what an image shows, as an editor of its profile',
        errors: [fileNotFound, notProfileOwner, fileTypeMismatch, fileChanged, storageError, filesDisabled],
      }),
      schema: { params: fileParams, body: fileChanges, response: { 200: fileRecord } },
    },
    async (request) => {
      const { file, linkKey } = await files.update(request.params.id, request.body, callerOf(request))
      return serializeStoredFile(file, publicUrl, linkKey)
    },
  )

  app.put(
    '/manage/files/:id/content',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        limit: 'files',
        operationId: 'replaceFileContent',
        summary: 'Replace the content of a file by one of the same kind; its id and gates stay',
        form: contentForm,
        errors: [...ofUploads, fileNotFound, notProfileOwner, fileChanged, fileKindDiffers],
      }),
      schema: { params: fileParams, response: { 200: fileRecord } },
    },
    async (request, reply) => {
      const file = await takeReplacement(request, reply, files, request.params.id)
      const profile = await profiles.get(file.profileId, callerOf(request))
      reply.header('etag', etagOf(file)).header('cache-control', 'private, no-cache')
      return serializeStoredFile(file, publicUrl, keysOf(profile)(file))
    },
  )

  app.delete(
    '/manage/files/:id',
    {
      config: routeConfig({
        ...shared,
        auth: 'bearer',
        appScope: 'write:files',
        limit: 'files',
        operationId: 'deleteManagedFile',
        summary: 'Delete a file as an editor of its profile',
        errors: [fileNotFound, notProfileOwner, filesDisabled],
      }),
      schema: { params: fileParams, response: { 200: z.object({ success: z.literal(true) }).meta({ id: 'Success' }) } },
    },
    async (request) => {
      await files.delete(request.params.id, callerOf(request), { action: 'files.edit' })
      return { success: true as const }
    },
  )
}
