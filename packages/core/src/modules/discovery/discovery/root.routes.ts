import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { icoFile } from '../../../http/html/icon.ts'
import { DEFAULT_APPEARANCE } from '../../../http/html/style.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { memoized } from '../../../kernel/memoized.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { assistantsOf } from './assistants.ts'
import type { DocumentRoutes } from './document-routes.ts'
import type { DiscoveryService } from './service.ts'
import { SITE_SITEMAP } from './sitemap.ts'
import { startRoute } from './start.routes.ts'

const PLAIN = 'text/plain; charset=utf-8'
const XML = 'application/xml'
const ICO = 'image/x-icon'

/** Lists are generated at most once a minute, so more frequent requests return the same. */
const LISTED = 'public, max-age=60'

const cursorQuery = z.object({ cursor: z.string().min(1).max(512).optional() })
const partParams = z.object({ part: z.coerce.number().int().min(0).max(1_000_000_000) })

/** The files at the root of a site, where clients expect them. A host with its own site keeps its own. */
export function rootRoutes(
  app: EepRoutes,
  { discovery }: { readonly discovery: DiscoveryService },
  { offer, documents, links }: DocumentRoutes,
): void {
  const { siteIndex } = discovery
  const tag = 'discovery'

  startRoute(app, { discovery }, { offer, links })
  const assistants = lazy(() => assistantsOf(discovery, offer()))
  const robots = {
    licensed: lazy(() => discovery.robots(offer(), { prefix: app.prefix, hasLicense: true })),
    unlicensed: lazy(() => discovery.robots(offer(), { prefix: app.prefix })),
  }
  app.get(
    '/robots.txt',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getRobotsTxt',
        summary: 'Get the rules for crawlers',
        produces: ['text/plain'],
      }),
      schema: { response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const isLicensed = await discovery.licences.current()
      const body = isLicensed ? robots.licensed() : robots.unlicensed()
      return sendWithEtag(request, reply, { body, type: PLAIN, cacheControl: 'public, max-age=300' })
    },
  )

  const icon = memoized(icoFile)
  app.get(
    '/favicon.ico',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getFavicon',
        summary: 'Get the icon of the site, or a redirect to the logo of the host',
        produces: [ICO],
      }),
      schema: { response: { 200: z.string(), 302: z.undefined(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const { site } = request.eep
      const { accent } = (site.appearance ?? DEFAULT_APPEARANCE).light
      const cacheControl = 'public, max-age=86400'
      if (site.logoPath) return reply.header('cache-control', cacheControl).redirect(hrefOn(site, site.logoPath), 302)
      return sendWithEtag(request, reply, { body: icon(accent), type: ICO, cacheControl })
    },
  )
  if (!discovery.hasSiteIndex) return

  app.get(
    '/llms.txt',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getLlmsTxt',
        summary: 'Get the service and its profiles for language models',
        errors: [invalidCursor],
        produces: ['text/plain'],
      }),
      schema: { querystring: cursorQuery, response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const body = await siteIndex.llms(request.query.cursor, documents(), assistants())
      return sendWithEtag(request, reply, { body, type: PLAIN, cacheControl: LISTED })
    },
  )

  app.get(
    '/llms-full.txt',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getLlmsFullTxt',
        summary: 'Get the profiles with their public text for language models',
        errors: [invalidCursor],
        produces: ['text/plain'],
      }),
      schema: { querystring: cursorQuery, response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const body = await siteIndex.llmsFull(request.query.cursor)
      return sendWithEtag(request, reply, { body, type: PLAIN, cacheControl: LISTED })
    },
  )

  app.get(
    '/sitemap.xml',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getSitemap',
        summary: 'Get the sitemap of all public URLs, or the index of its parts',
        produces: [XML],
      }),
      schema: { response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const body = await siteIndex.sitemap(documents())
      return sendWithEtag(request, reply, { body, type: XML, cacheControl: LISTED })
    },
  )

  app.get(
    SITE_SITEMAP,
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getSiteSitemap',
        summary: 'Get the sitemap of the service documents',
        produces: [XML],
      }),
      schema: { response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const body = await siteIndex.siteSitemap(documents())
      return sendWithEtag(request, reply, { body, type: XML, cacheControl: LISTED })
    },
  )

  for (const kind of ['profiles', 'pages'] as const) {
    app.get(
      `/sitemap-${kind}-:part.xml`,
      {
        config: routeConfig({
          auth: 'none',
          tag,
          operationId: kind === 'profiles' ? 'getProfilesSitemap' : 'getPagesSitemap',
          summary: `Get a part of the sitemap of ${kind}`,
          errors: [notFound],
          produces: [XML],
        }),
        schema: { params: partParams, response: { 200: z.string(), 304: z.undefined() } },
      },
      async (request, reply) => {
        const body = await siteIndex.sitemapPart(kind, request.params.part)
        return sendWithEtag(request, reply, { body, type: XML, cacheControl: LISTED })
      },
    )
  }
}
