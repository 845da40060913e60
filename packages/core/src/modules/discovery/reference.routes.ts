import { z } from 'zod'
import { html } from '../../http/html/html.ts'
import { DOCUMENT_TYPES, formatOf, formatQuery, invalidFormat, MEDIA_TYPES } from '../../http/negotiation.ts'
import { etagOf, sendDocument } from '../../http/public-document.ts'
import { type EepRoutes, routeConfig } from '../../http/routes.ts'
import { sendTagged } from '../../http/tagged-answer.ts'
import { notFound } from '../../kernel/errors.ts'
import { lazy } from '../../kernel/lazy.ts'
import type { DocsUi } from '../../ports/docs-ui.ts'
import { referenceDocument } from './public-documents.ts'
import { createReferenceFiles } from './reference-files.ts'
import { referenceSchema } from './schemas.ts'
import type { Served } from './served.ts'
import type { DiscoveryService } from './service.ts'

/** Allows scripts, styles and requests of this origin only. */
const policyOf = (publicUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Swagger UI sets styles on its elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const NAV = [
  ['Guide for agents', '/.well-known/eep/agent-guide.md'],
  ['Capabilities', '/discover'],
  ['Paying', '/docs/payments'],
  ['Errors', '/docs/errors'],
  ['OpenAPI', '/docs/openapi.json'],
] as const

const page = (name: string, basePath: string, { styles, scripts }: DocsUi) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${name}</title>
<link rel="icon" href="data:,">
${styles.map(
  (file) => html`<link rel="stylesheet" href="${basePath}/docs/assets/${file}">
`,
)}</head>
<body>
<nav class="bar" aria-label="Documents"><strong>${name}</strong>${NAV.map(([title, path]) => html` <a href="${basePath}${path}">${title}</a>`)}</nav>
<main id="reference"><p>This page needs JavaScript. <a href="${basePath}/discover">The capabilities</a> list the same operations.</p></main>
${scripts.map(
  (
    file,
  ) => html`<script src="${basePath}/docs/assets/${file}" data-description="${basePath}/docs/openapi.json"></script>
`,
)}</body>
</html>
`.markup

/** The API reference: a page for people if the host has one, and for agents the links to the same content. */
export function referenceRoutes(
  app: EepRoutes,
  { discovery }: { readonly discovery: DiscoveryService },
  { offer, links }: Served,
  docsUi: DocsUi | undefined,
): void {
  const document = lazy(() => referenceDocument(discovery.reference(offer()), links()))
  const headers = {
    'content-security-policy': policyOf(discovery.publicUrl),
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  }

  app.get(
    '/docs',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId: 'getReference',
        summary: 'Get the API reference; for browsers as a page',
        errors: [invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: { querystring: formatQuery, response: { 200: referenceSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      if (!docsUi || formatOf(request) !== 'html') return sendDocument(request, reply, document())
      const { name, basePath } = request.eep.site
      const body = page(name, basePath, docsUi)
      return sendTagged(request, reply, { body, type: MEDIA_TYPES.html, cacheControl: 'public, max-age=300', headers })
    },
  )

  if (!docsUi) return
  const referenceFile = createReferenceFiles(docsUi)
  app.get(
    '/docs/assets/:file',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId: 'getReferenceAsset',
        summary: 'Get a script or style sheet of the page at /docs',
        errors: [notFound],
        produces: ['text/javascript', 'text/css'],
      }),
      schema: { params: z.object({ file: z.string().max(64) }), response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const file = await referenceFile(request.params.file)
      if (!file) throw notFound()
      const { type, bytes, brotli } = file
      const takesBrotli = /(?:^|[,\s])br(?:$|[,;\s])/.test(String(request.headers['accept-encoding'] ?? ''))
      reply.headers({ 'x-content-type-options': 'nosniff', vary: 'Accept-Encoding' })
      return sendTagged(request, reply, {
        body: takesBrotli ? brotli : bytes,
        etag: etagOf(bytes),
        type,
        cacheControl: 'public, max-age=86400',
        headers: takesBrotli ? { 'content-encoding': 'br' } : {},
      })
    },
  )
}
