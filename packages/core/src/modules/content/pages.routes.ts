import type { FastifyReply } from 'fastify'
import { listing } from '../../http/listing.ts'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, facts, type RouteFacts } from '../../http/routes.ts'
import { notProfileOwner, type ProfileService, profileNotFound } from '../profiles/index.ts'
import {
  invalidTransition,
  pageNotFound,
  preconditionFailed,
  slugTaken,
  unknownCategory,
  versionNotFound,
} from './errors.ts'
import type { PageEdits, PlacedPage } from './pages.ts'
import { pageRecordOf, pageSummaryOf, versionRecordOf, versionSummaryOf } from './records.ts'
import {
  deleted,
  idParams,
  newPageBody,
  PAGE_REQUEST_BYTES,
  pageChangesBody,
  pageList,
  pageRecord,
  pagesQuery,
  slugQuery,
  slugRecord,
  versionList,
  versionParams,
  versionRecord,
  versionsQuery,
} from './schemas.ts'
import type { ContentService } from './service.ts'
import { suggestSlug } from './slug.ts'
import { versionTag } from './version-tag.ts'

const manage = (route: Pick<RouteFacts, 'summary' | 'errors'>) => facts({ ...route, auth: 'bearer', tag: 'content' })

const OF_PAGE = [pageNotFound, notProfileOwner]

/** The pages of a profile, for its team. */
export function pageRoutes(app: EepRoutes, { pages }: ContentService, profiles: ProfileService): void {
  const summary = pageSummaryOf(profiles)
  const record = pageRecordOf(profiles)

  const send = (reply: FastifyReply, placed: PlacedPage) => {
    reply.header('etag', versionTag(placed.page.version)).header('cache-control', 'private, no-cache')
    return record(placed)
  }

  app.get(
    '/manage/pages',
    {
      config: manage({
        summary: 'The pages of a profile, whatever their status',
        errors: [profileNotFound, notProfileOwner],
      }),
      schema: { querystring: pagesQuery, response: { 200: pageList } },
    },
    async (request) => {
      const { profile_id: profileId, ...query } = request.query
      return listing(await pages.list({ profileId, ...query }, callerOf(request)), summary)
    },
  )

  app.post(
    '/manage/pages',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: manage({
        summary: 'Make a page',
        errors: [profileNotFound, notProfileOwner, unknownCategory, slugTaken],
      }),
      schema: { body: newPageBody, response: { 201: pageRecord } },
    },
    async (request, reply) => {
      const { profile_id: profileId, category_id: categoryId = null, excerpt = null, ...draft } = request.body
      reply.code(201)
      return send(reply, await pages.create({ profileId, categoryId, excerpt, ...draft }, callerOf(request)))
    },
  )

  app.get(
    '/manage/pages/:id',
    {
      config: manage({ summary: 'A page', errors: OF_PAGE }),
      schema: { params: idParams, response: { 200: pageRecord } },
    },
    async (request, reply) => send(reply, await pages.get(request.params.id, callerOf(request))),
  )

  app.put(
    '/manage/pages/:id',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: manage({
        summary: 'Save the named fields of a page as a new version; `If-Match` guards against overwriting',
        errors: [...OF_PAGE, unknownCategory, slugTaken, invalidTransition, preconditionFailed],
      }),
      schema: { params: idParams, body: pageChangesBody, response: { 200: pageRecord } },
    },
    async (request, reply) => {
      const { category_id: categoryId, ...fields } = request.body
      const edits: PageEdits = { categoryId, ...fields }
      return send(reply, await pages.update(request.params.id, edits, callerOf(request), request.headers['if-match']))
    },
  )

  app.delete(
    '/manage/pages/:id',
    {
      config: manage({ summary: 'Remove a page with its versions', errors: [...OF_PAGE, preconditionFailed] }),
      schema: { params: idParams, response: { 200: deleted } },
    },
    async (request) => {
      await pages.delete(request.params.id, callerOf(request), request.headers['if-match'])
      return { success: true as const }
    },
  )

  app.get(
    '/manage/pages/:id/versions',
    {
      config: manage({ summary: 'The versions of a page, newest first', errors: OF_PAGE }),
      schema: { params: idParams, querystring: versionsQuery, response: { 200: versionList } },
    },
    async (request) =>
      listing(await pages.listVersions(request.params.id, request.query, callerOf(request)), versionSummaryOf),
  )

  app.get(
    '/manage/pages/:id/versions/:version',
    {
      config: manage({ summary: 'What a page said in a version', errors: [...OF_PAGE, versionNotFound] }),
      schema: { params: versionParams, response: { 200: versionRecord } },
    },
    async (request) => {
      const { id, version } = request.params
      return versionRecordOf(await pages.getVersion(id, version, callerOf(request)))
    },
  )

  app.post(
    '/manage/pages/:id/versions/:version/restore',
    {
      config: manage({
        summary: 'Save what a page said in a version as its newest version',
        errors: [...OF_PAGE, versionNotFound, preconditionFailed],
      }),
      schema: { params: versionParams, response: { 200: pageRecord } },
    },
    async (request, reply) => {
      const { id, version } = request.params
      return send(reply, await pages.restoreVersion(id, version, callerOf(request), request.headers['if-match']))
    },
  )

  app.get(
    '/manage/slug-preview',
    {
      config: manage({ summary: 'The slug that a title suggests' }),
      schema: { querystring: slugQuery, response: { 200: slugRecord } },
    },
    async (request) => ({ slug: suggestSlug(request.query.title, 'page') }),
  )
}
