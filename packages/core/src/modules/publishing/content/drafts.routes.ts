import type { FastifyReply } from 'fastify'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { fileQuotaReached } from '../../../kernel/errors.ts'
import { notProfileOwner, type ProfileService } from '../../profiles/profiles/index.ts'
import { coverIdOf } from './cover.ts'
import { draftBody, draftRecord, publishBody } from './draft-schemas.ts'
import { draftTag, type ProfileDraft } from './drafts.ts'
import {
  draftNotFound,
  gatePermissionRequired,
  inThePast,
  invalidBaseVersion,
  invalidCover,
  pageNotFound,
  pageNotPublished,
  preconditionFailed,
  tooFarAhead,
} from './errors.ts'
import { createManagedPageSender, manageReading, manageWriting } from './page-responses.ts'
import { idParams, PAGE_REQUEST_BYTES, pageRecord, succeeded } from './schemas.ts'
import { serializeDraft } from './serialize.ts'
import type { ContentService } from './service.ts'

const OF_DRAFT = [pageNotFound, notProfileOwner, draftNotFound]

/** Routes of the drafts of published pages, for teams. */
export function draftRoutes(app: EepRoutes, { drafts }: ContentService, profiles: ProfileService): void {
  const sendPage = createManagedPageSender(profiles)
  const record = serializeDraft(profiles)

  function send(reply: FastifyReply, found: ProfileDraft) {
    reply.header('etag', draftTag(found.draft)).header('cache-control', 'private, no-cache')
    return record(found)
  }

  app.get(
    '/manage/pages/:id/draft',
    {
      config: manageReading({
        operationId: 'getPageDraft',
        summary: 'Get the draft of a published page',
        errors: OF_DRAFT,
      }),
      schema: { params: idParams, response: { 200: draftRecord } },
    },
    async (request, reply) => send(reply, await drafts.get(request.params.id, callerOf(request))),
  )

  app.put(
    '/manage/pages/:id/draft',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: manageWriting({
        operationId: 'savePageDraft',
        summary: 'Update or create the draft of a published page',
        errors: [
          pageNotFound,
          notProfileOwner,
          pageNotPublished,
          invalidBaseVersion,
          invalidCover,
          gatePermissionRequired,
          preconditionFailed,
          fileQuotaReached,
        ],
      }),
      schema: { params: idParams, body: draftBody, response: { 200: draftRecord } },
    },
    async (request, reply) => {
      const { cover_url, base_version: baseVersion, publish_at: publishAt, ...fields } = request.body
      const edits = { ...fields, baseVersion, publishAt, coverFileId: coverIdOf(cover_url, profiles.publicUrl) }
      return send(reply, await drafts.put(request.params.id, edits, callerOf(request), request.headers['if-match']))
    },
  )

  app.delete(
    '/manage/pages/:id/draft',
    {
      config: manageWriting({
        operationId: 'deletePageDraft',
        summary: 'Delete the draft of a published page',
        errors: [...OF_DRAFT, preconditionFailed],
      }),
      schema: { params: idParams, response: { 200: succeeded } },
    },
    async (request) => {
      await drafts.delete(request.params.id, callerOf(request), request.headers['if-match'])
      return { success: true as const }
    },
  )

  app.post(
    '/manage/pages/:id/draft/publish',
    {
      config: manageWriting({
        operationId: 'publishPageDraft',
        summary: 'Publish the draft of a page as its next version, now or at `publish_at`',
        errors: [
          ...OF_DRAFT,
          pageNotPublished,
          inThePast,
          tooFarAhead,
          invalidCover,
          gatePermissionRequired,
          preconditionFailed,
          fileQuotaReached,
        ],
      }),
      schema: { params: idParams, body: publishBody, response: { 200: pageRecord, 202: draftRecord } },
    },
    async (request, reply) => {
      const { id } = request.params
      const [caller, ifMatch, publishAt] = [callerOf(request), request.headers['if-match'], request.body?.publish_at]
      if (!publishAt) return sendPage(reply, await drafts.publish(id, caller, ifMatch))
      reply.code(202)
      return send(reply, await drafts.schedule(id, publishAt, caller, ifMatch))
    },
  )
}
