import { z } from 'zod'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendProtocolDocument, sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { addressRefused } from '../../../runtime/outbound/index.ts'
import { jobSchema, jobsDisabled, serializeJob, tooManyJobs } from '../../jobs/index.ts'
import { scanBadge } from './badge.ts'
import { siteScanLimitReached, siteScanNotFound, siteScannerDisabled, siteScanRunning } from './errors.ts'
import { SITE_RULES } from './rules/index.ts'
import {
  reportOf,
  scanBody,
  scanParams,
  serializeSiteRules,
  serializeSiteScan,
  siteRuleList,
  siteScanSchema,
} from './schemas.ts'
import type { SiteScanner } from './service.ts'

const SVG = 'image/svg+xml; charset=utf-8'
const HARMLESS = { 'content-security-policy': "default-src 'none'", 'x-robots-tag': 'noindex' }
/** A finished scan does not change, but it is deleted after 30 days. */
const FINISHED = 'public, max-age=3600'

/** Routes of scans of sites. */
export function siteScannerRoutes(app: EepRoutes, { siteScanner }: { readonly siteScanner: SiteScanner }): void {
  const shared = { tag: 'scanner', unavailable: !siteScanner.isEnabled } as const

  app.post(
    '/scanner',
    {
      config: routeConfig({
        ...shared,
        auth: 'key',
        scope: 'write:content',
        operationId: 'scanSite',
        summary: 'Scan a site for agent readiness in the background',
        errors: [addressRefused, siteScanRunning, siteScanLimitReached, tooManyJobs, jobsDisabled, siteScannerDisabled],
      }),
      schema: { body: scanBody, response: { 202: jobSchema } },
    },
    async (request, reply) => {
      const job = await siteScanner.request(request.body.url, callerOf(request))
      return reply.code(202).header('location', `${request.eep.basePath}/jobs/${job.id}`).send(serializeJob(job))
    },
  )

  app.get(
    '/scanner/rules',
    {
      config: routeConfig({
        ...shared,
        auth: 'none',
        operationId: 'listSiteRules',
        summary: 'List the rules of site scans with their weights, and the name of the scanner in robots.txt',
        errors: [siteScannerDisabled, invalidFormat],
        produces: protocolTypes(),
      }),
      schema: { querystring: formatQuery, response: { 200: siteRuleList, 304: z.undefined() } },
    },
    async (request, reply) => {
      if (!siteScanner.isEnabled) throw siteScannerDisabled()
      const body = JSON.stringify(serializeSiteRules(SITE_RULES))
      return sendProtocolDocument(request, reply, { title: 'Rules of site scans', body, cacheControl: FINISHED })
    },
  )

  app.get(
    '/scanner/:id',
    {
      config: routeConfig({
        ...shared,
        auth: 'none',
        operationId: 'getSiteScan',
        summary: 'Get a site scan with its score and checks; anyone who has its id can read it',
        errors: [siteScanNotFound, siteScannerDisabled, invalidFormat],
        produces: protocolTypes(),
      }),
      schema: {
        params: scanParams,
        querystring: formatQuery,
        response: { 200: siteScanSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const job = await siteScanner.get(request.params.id)
      return sendProtocolDocument(request, reply, {
        title: 'Site scan',
        body: serializeSiteScan(job),
        cacheControl: job.finishedAt ? FINISHED : 'no-store',
        headers: { 'x-robots-tag': 'noindex' },
      })
    },
  )

  app.get(
    '/scanner/:id/badge.svg',
    {
      config: routeConfig({
        ...shared,
        auth: 'none',
        operationId: 'getSiteScanBadge',
        summary: 'Get a badge with the grade and score of a site scan',
        errors: [siteScanNotFound, siteScannerDisabled],
        produces: ['image/svg+xml'],
      }),
      schema: { params: scanParams, response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const job = await siteScanner.get(request.params.id)
      return sendWithEtag(request, reply, {
        body: scanBadge(job.status, reportOf(job)),
        type: SVG,
        cacheControl: job.finishedAt ? FINISHED : 'no-cache',
        headers: HARMLESS,
      })
    },
  )
}
