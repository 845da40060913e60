import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { withoutParameters } from '../../../http/documents/negotiation.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { chartSvg } from './chart.ts'
import { figuresExpired, invalidRange } from './errors.ts'
import { analyticsParams, analyticsQuery, analyticsSchema, chartQuery, liveAnalyticsSchema } from './schemas.ts'
import { analyticsCsv, serializeAnalytics, serializeLive } from './serialize.ts'
import type { AnalyticsService } from './service.ts'

export interface AnalyticsRouteServices {
  readonly analytics: AnalyticsService
}

const JSON_TYPE = 'application/json'
const CSV = 'text/csv'
const SVG = 'image/svg+xml'

const prefersCsv = (accept: string | undefined): boolean =>
  accept !== undefined &&
  new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaType([JSON_TYPE, CSV]) === CSV

/** Figures for the teams of profiles. */
export function analyticsRoutes(app: EepRoutes, { analytics }: AnalyticsRouteServices): void {
  const reading = { auth: 'key', scope: 'read:analytics', tag: 'analytics' } as const
  const errors = [notProfileOwner, profileNotFound, invalidRange, figuresExpired]

  app.get(
    '/analytics/profiles/:id',
    {
      config: routeConfig({
        ...reading,
        operationId: 'getAnalytics',
        tool: {
          title: 'Get analytics',
          description: 'Get reads, search hits and sales of a profile of the account in a period.',
          profile: 'id',
          openWorld: false,
        },
        summary: 'Get the reads, search hits and sales of a profile, as JSON or CSV; team only',
        errors,
        produces: [JSON_TYPE, CSV],
      }),
      schema: { params: analyticsParams, querystring: analyticsQuery, response: { 200: analyticsSchema } },
    },
    async (request, reply) => {
      const { metric, ...period } = request.query
      const found = await analytics.get(request.params.id, period, metric, callerOf(request))
      reply.header('vary', 'Accept')
      if (!prefersCsv(request.headers.accept)) return serializeAnalytics(found, metric)
      return (reply as FastifyReply)
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="analytics-${found.profile.id}.csv"`)
        .send(analyticsCsv(found, metric))
    },
  )

  app.get(
    '/analytics/profiles/:id/live',
    {
      config: routeConfig({
        ...reading,
        operationId: 'getLiveAnalytics',
        summary: 'Get the number of reads of a profile in the last 30 minutes; team only',
        errors: [notProfileOwner, profileNotFound],
      }),
      schema: { params: analyticsParams, response: { 200: liveAnalyticsSchema } },
    },
    async (request) => serializeLive(await analytics.live(request.params.id, callerOf(request))),
  )

  app.get(
    '/analytics/profiles/:id.svg',
    {
      config: routeConfig({
        ...reading,
        operationId: 'getAnalyticsChart',
        summary: 'Get one metric of a profile as a bar chart; team only',
        errors,
        produces: [SVG],
      }),
      schema: { params: analyticsParams, querystring: chartQuery, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const { metric, ...period } = request.query
      const { profile, series, totals, interval } = await analytics.get(
        request.params.id,
        period,
        [metric],
        callerOf(request),
      )
      const label = (at: Date) => at.toISOString().slice(0, interval === 'hour' ? 16 : 10)
      const name = profile.fullName ?? profile.username
      const figure = `${totals[metric]} ${metric}`
      const bars = series.map((each) => ({ label: label(each.at), value: each[metric] }))
      reply.type(SVG).header('content-security-policy', "default-src 'none'; sandbox")
      return reply.send(chartSvg({ name, figure, bars }))
    },
  )
}
