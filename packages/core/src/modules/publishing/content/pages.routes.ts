import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { fileQuotaReached, invalidTransition } from '../../../kernel/errors.ts'
import { notProfileOwner, type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { coverIdOf } from './cover.ts'
import {
  gatePermissionRequired,
  inThePast,
  invalidCover,
  pageNotDraft,
  pageNotFound,
  preconditionFailed,
  slugTaken,
  tooFarAhead,
  unknownCategory,
} from './errors.ts'
import { createManagedPageSender, manageReading, manageWriting } from './page-responses.ts'
import type { PageEdits } from './pages.ts'
import {
  idParams,
  newPageBody,
  PAGE_REQUEST_BYTES,
  pageChangesBody,
  pageList,
  pageRecord,
  pagesQuery,
  succeeded,
} from './schemas.ts'
import { serializePageSummary } from './serialize.ts'
import type { ContentService } from './service.ts'

const OF_PAGE = [pageNotFound, notProfileOwner]

/** The pages of a profile, for its team. */
export function pageRoutes(app: EepRoutes, { pages }: ContentService, profiles: ProfileService): void {
  const summary = serializePageSummary(profiles)
  const send = createManagedPageSender(profiles)

  app.get(
    '/manage/pages',
    {
      config: manageReading({
        operationId: 'listPages',
        summary: 'List the pages of a profile in any status',
        errors: [profileNotFound, notProfileOwner, unknownCategory],
      }),
      schema: { querystring: pagesQuery, response: { 200: pageList } },
    },
    async (request) => {
      const { profile_id: profileId, category_id: categoryId, ...query } = request.query
      const categoryIds = categoryId === undefined ? undefined : [categoryId === 'top' ? null : categoryId]
      return listResponse(await pages.list({ profileId, categoryIds, ...query }, callerOf(request)), summary)
    },
  )

  app.post(
    '/manage/pages',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: manageWriting({
        operationId: 'createPage',
        summary: 'Create a page',
        errors: [
          profileNotFound,
          notProfileOwner,
          unknownCategory,
          slugTaken,
          invalidCover,
          gatePermissionRequired,
          fileQuotaReached,
        ],
      }),
      schema: { body: newPageBody, response: { 201: pageRecord } },
    },
    async (request, reply) => {
      const {
        profile_id: profileId,
        category_id: categoryId = null,
        excerpt = null,
        cover_url,
        ...draft
      } = request.body
      const coverFileId = coverIdOf(cover_url, profiles.publicUrl)
      reply.code(201)
      return send(
        reply,
        await pages.create({ profileId, categoryId, excerpt, coverFileId, ...draft }, callerOf(request)),
      )
    },
  )

  app.get(
    '/manage/pages/:id',
    {
      config: manageReading({ operationId: 'getPage', summary: 'Get a page', errors: OF_PAGE }),
      schema: { params: idParams, response: { 200: pageRecord } },
    },
    async (request, reply) => send(reply, await pages.get(request.params.id, callerOf(request))),
  )

  app.put(
    '/manage/pages/:id',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: manageWriting({
        operationId: 'updatePage',
        summary:
          'Update fields of a page. Each save is a version; with `autosave` those of one author within five minutes are one; `If-Match` prevents lost updates',
        errors: [
          ...OF_PAGE,
          unknownCategory,
          slugTaken,
          invalidTransition,
          pageNotDraft,
          inThePast,
          tooFarAhead,
          invalidCover,
          gatePermissionRequired,
          preconditionFailed,
          fileQuotaReached,
        ],
      }),
      schema: { params: idParams, body: pageChangesBody, response: { 200: pageRecord } },
    },
    async (request, reply) => {
      const { category_id: categoryId, cover_url, autosave, publish_at: publishAt, ...fields } = request.body
      const edits: PageEdits = {
        categoryId,
        coverFileId: coverIdOf(cover_url, profiles.publicUrl),
        publishAt,
        ...fields,
      }
      const options = { ifMatch: request.headers['if-match'], autosave }
      return send(reply, await pages.update(request.params.id, edits, callerOf(request), options))
    },
  )

  app.delete(
    '/manage/pages/:id',
    {
      config: manageWriting({
        operationId: 'deletePage',
        summary: 'Delete a page and its versions',
        errors: [...OF_PAGE, preconditionFailed],
      }),
      schema: { params: idParams, response: { 200: succeeded } },
    },
    async (request) => {
      await pages.delete(request.params.id, callerOf(request), request.headers['if-match'])
      return { success: true as const }
    },
  )
}
