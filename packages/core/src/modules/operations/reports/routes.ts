import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { Report } from '../../../ports/storage/reports.ts'
import {
  activeProfileHeader,
  notProfileOwner,
  type ProfileService,
  profileNotFound,
} from '../../profiles/profiles/index.ts'
import { type FeedService, postNotFound, postParams } from '../../publishing/feed/index.ts'
import {
  conversationClosed,
  conversationNotFound,
  conversationParams,
  type MessageService,
  messageNotFound,
} from '../../trade/messages/index.ts'
import { anotherReportOpen, cannotReportItself, reportNotFound, tooManyReports } from './errors.ts'
import {
  conversationReportBody,
  decisionBody,
  ownReportSchema,
  postReportBody,
  reportList,
  reportParams,
  reportSchema,
  reportsQuery,
} from './schemas.ts'
import { serializeOwnReport, serializeReport } from './serialize.ts'
import type { ReportService } from './service.ts'

export interface ReportRouteServices {
  readonly reports: ReportService
  readonly profiles: Pick<ProfileService, 'didOf' | 'urlOf'>
  /** Undefined when the module is switched off; then it has nothing to report. */
  readonly messages?: MessageService | undefined
  readonly feed?: FeedService | undefined
}

/** Routes to report messages and posts, and routes for administrators to decide reports. */
export function reportRoutes(app: EepRoutes, { reports, profiles, messages, feed }: ReportRouteServices): void {
  const REFUSALS = [cannotReportItself, tooManyReports]
  const answers = { 200: ownReportSchema, 201: ownReportSchema }

  if (messages) {
    app.post(
      '/messages/conversations/:id/report',
      {
        config: routeConfig({
          auth: 'key',
          scope: 'write:messages',
          tag: 'messages',
          operationId: 'reportConversation',
          summary: 'Report a conversation or a message in it',
          errors: [
            ...[conversationNotFound, messageNotFound, conversationClosed, notProfileOwner, profileNotFound],
            ...REFUSALS,
          ],
        }),
        schema: {
          headers: activeProfileHeader,
          params: conversationParams,
          body: conversationReportBody,
          response: answers,
        },
      },
      async (request, reply) => {
        const { reason, message_id: messageId } = request.body
        const activeProfileId = request.headers['x-active-profile-id']
        const who = { caller: callerOf(request), activeProfileId }
        const { report, isNew } = await reports.reportConversation(
          messages,
          request.params.id,
          { reason, messageId },
          who,
        )
        reply.code(isNew ? 201 : 200)
        return serializeOwnReport(report)
      },
    )
  }

  if (feed) {
    app.post(
      '/feed/:id/report',
      {
        config: routeConfig({
          auth: 'key',
          scope: 'write:feed',
          tag: 'feed',
          operationId: 'reportPost',
          summary: 'Report a post; 200 if the caller has an open report about it',
          errors: [postNotFound, ...REFUSALS],
        }),
        schema: { params: postParams, body: postReportBody, response: answers },
      },
      async (request, reply) => {
        const { id } = request.params
        const { report, isNew } = await reports.reportPost(feed, id, request.body.reason, callerOf(request))
        reply.code(isNew ? 201 : 200)
        return serializeOwnReport(report)
      },
    )
  }

  const shared = { auth: 'admin', tag: 'admin' } as const
  const record = (report: Report) => serializeReport(report, profiles)

  app.get(
    '/admin/reports',
    {
      config: routeConfig({
        ...shared,
        operationId: 'listReports',
        summary: 'List the reports of messages and posts, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: reportsQuery, response: { 200: reportList } },
    },
    async (request, reply) => {
      const { status, ...page } = request.query
      reply.header('cache-control', 'private, no-store')
      return listResponse(await reports.list({ status }, page), record)
    },
  )

  app.get(
    '/admin/reports/:id',
    {
      config: routeConfig({ ...shared, operationId: 'getReport', summary: 'Get a report', errors: [reportNotFound] }),
      schema: { params: reportParams, response: { 200: reportSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return record(await reports.get(request.params.id))
    },
  )

  app.put(
    '/admin/reports/:id',
    {
      config: routeConfig({
        ...shared,
        operationId: 'updateReport',
        summary: 'Set the status and note of a report',
        errors: [reportNotFound, anotherReportOpen],
      }),
      schema: { params: reportParams, body: decisionBody, response: { 200: reportSchema } },
    },
    async (request) => record(await reports.decide(request.params.id, request.body, callerOf(request))),
  )
}
