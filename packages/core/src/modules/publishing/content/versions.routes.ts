import type { FastifyReply } from 'fastify'
import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { fileQuotaReached } from '../../../kernel/errors.ts'
import { notProfileOwner, type ProfileService } from '../../profiles/profiles/index.ts'
import { diffBusy, pageNotFound, preconditionFailed, versionNotFound } from './errors.ts'
import { createManagedPageSender, manageReading, manageWriting } from './page-responses.ts'
import {
  diffQuery,
  diffRecord,
  idParams,
  pageRecord,
  versionList,
  versionParams,
  versionRecord,
  versionsQuery,
} from './schemas.ts'
import { encodeDiff, serializeVersion, serializeVersionSummary } from './serialize.ts'
import type { ContentService } from './service.ts'

const OF_PAGE = [pageNotFound, notProfileOwner]

/** Routes of the versions of pages, for teams. */
export function versionRoutes(app: EepRoutes, { versions }: ContentService, profiles: ProfileService): void {
  const send = createManagedPageSender(profiles)

  app.get(
    '/manage/pages/:id/versions',
    {
      config: manageReading({
        operationId: 'listPageVersions',
        summary: 'List the versions of a page, newest first',
        errors: OF_PAGE,
      }),
      schema: { params: idParams, querystring: versionsQuery, response: { 200: versionList } },
    },
    async (request) =>
      listResponse(await versions.list(request.params.id, request.query, callerOf(request)), serializeVersionSummary),
  )

  app.get(
    '/manage/pages/:id/versions/:version',
    {
      config: manageReading({
        operationId: 'getPageVersion',
        summary: 'Get a version of a page',
        errors: [...OF_PAGE, versionNotFound],
      }),
      schema: { params: versionParams, response: { 200: versionRecord } },
    },
    async (request) => {
      const { id, version } = request.params
      return serializeVersion(await versions.get(id, version, callerOf(request)))
    },
  )

  app.get(
    '/manage/pages/:id/versions/:version/diff',
    {
      config: manageReading({
        operationId: 'comparePageVersions',
        summary: 'Get the diff of a version against the previous one, or against `from`',
        errors: [...OF_PAGE, versionNotFound, diffBusy],
      }),
      schema: { params: versionParams, querystring: diffQuery, response: { 200: diffRecord } },
    },
    async (request, reply) => {
      const { id, version } = request.params
      const diff = await versions.diff(id, { from: request.query.from, to: version }, callerOf(request))
      return sendJson(reply, encodeDiff(diff, ['title', 'excerpt', 'status']))
    },
  )

  app.post(
    '/manage/pages/:id/versions/:version/restore',
    {
      config: manageWriting({
        operationId: 'restorePageVersion',
        summary: 'Restore a version of a page as its newest version',
        errors: [...OF_PAGE, versionNotFound, preconditionFailed, fileQuotaReached],
      }),
      schema: { params: versionParams, response: { 200: pageRecord } },
    },
    async (request, reply) => {
      const { id, version } = request.params
      return send(reply, await versions.restore(id, version, callerOf(request), request.headers['if-match']))
    },
  )
}

/** Sends JSON that is encoded already, past the serializer of the route. */
const sendJson = (reply: FastifyReply, bytes: Buffer) => reply.type('application/json; charset=utf-8').send(bytes)
