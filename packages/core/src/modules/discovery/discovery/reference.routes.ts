import { z } from 'zod'
import {
  DOCUMENT_TYPES,
  formatOf,
  formatQuery,
  invalidFormat,
  MEDIA_TYPES,
} from '../../../http/documents/negotiation.ts'
import { etagOf, sendDocument } from '../../../http/documents/public-document.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { html } from '../../../http/html/html.ts'
import { scriptSources } from '../../../http/html/script-sources.ts'
import type { Site } from '../../../http/html/view.ts'
import type { OpenApiDocument } from '../../../http/openapi/openapi.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { memoized } from '../../../kernel/memoized.ts'
import type { DocsUi } from '../../../ports/docs-ui.ts'
import type { DocumentRoutes } from './document-routes.ts'
import { readReference } from './operation-reference.ts'
import { operationDocument, referenceDocument } from './reference-documents.ts'
import { createReferenceFiles } from './reference-files.ts'
import { operationSchema, referenceSchema } from './schemas.ts'
import type { DiscoveryService } from './service.ts'

/** Allows the scripts of the interface by their paths, as uploaded files have the same origin, and requests of this origin. */
const policyOf = (site: Site, { scripts }: DocsUi) =>
  [
    "default-src 'none'",
    `script-src ${scripts.flatMap((file) => scriptSources(site, `/docs/assets/${file}`)).join(' ') || "'none'"}`,
    // Interfaces such as Swagger UI set styles on their elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(site.publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The page of an interface that the host brings. */
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
<main id="reference"><p>This page needs JavaScript. <a href="${basePath}/discover">The capabilities</a> list the same operations.</p></main>
${scripts.map(
  (
    file,
  ) => html`<script src="${basePath}/docs/assets/${file}" data-description="${basePath}/docs/openapi.json"></script>
`,
)}</body>
</html>
`.markup

/** Operations whose documents are cached. There are a few hundred. */
const MAX_KEPT_OPERATIONS = 64

/** The API reference: the list of operations, a page for each, and instead of the list the interface of a host. */
export function referenceRoutes(
  app: EepRoutes,
  { discovery }: { readonly discovery: DiscoveryService },
  { offer, links }: DocumentRoutes,
  { docsUi, openApi }: { readonly docsUi: DocsUi | undefined; readonly openApi: () => Promise<OpenApiDocument> },
): void {
  const { publicUrl } = discovery
  const tag = 'discovery'
  const reference = lazy(async () => readReference(await openApi()))
  const document = lazy(async () =>
    referenceDocument((await reference()).entries, discovery.reference(offer()), links()),
  )
  const ofInterface = {
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  }

  app.get(
    '/docs',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getReference',
        summary: 'Get the API reference; for browsers a page with every operation',
        errors: [invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: { querystring: formatQuery, response: { 200: referenceSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      if (!docsUi || formatOf(request) !== 'html') return sendDocument(request, reply, await document())
      const { site } = request.eep
      const body = page(site.name, site.basePath, docsUi)
      const headers = { ...ofInterface, 'content-security-policy': policyOf(site, docsUi) }
      return sendWithEtag(request, reply, {
        body,
        type: MEDIA_TYPES.html,
        cacheControl: 'public, max-age=300',
        headers,
      })
    },
  )

  const documentOf = lazy(async () => {
    const { operation } = await reference()
    return memoized((id: string) => operationDocument(operation(id), publicUrl), MAX_KEPT_OPERATIONS)
  })
  app.get(
    '/docs/operations/:operationId',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getOperationReference',
        summary: 'Get the reference of an operation: its parameters, body, responses and an example',
        errors: [notFound, invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: {
        params: z.object({ operationId: z.string().max(64) }),
        querystring: formatQuery,
        response: { 200: operationSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => sendDocument(request, reply, (await documentOf())(request.params.operationId)),
  )

  if (!docsUi) return
  const referenceFile = createReferenceFiles(docsUi)
  app.get(
    '/docs/assets/:file',
    {
      config: routeConfig({
        auth: 'none',
        tag,
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
      return sendWithEtag(request, reply, {
        body: takesBrotli ? brotli : bytes,
        etag: etagOf(bytes),
        type,
        cacheControl: 'public, max-age=86400',
        headers: takesBrotli ? { 'content-encoding': 'br' } : {},
      })
    },
  )
}
