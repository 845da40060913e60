import { z } from 'zod'
import type { Link } from '../../../http/documents/links.ts'
import { DOCUMENT_TYPES, formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { type PublicDocument, sendDocument } from '../../../http/documents/public-document.ts'
import { sendProtocolDocument, sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { openApiPath } from '../../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../../http/openapi/registered-route.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { type Offer, offerOf } from './available-routes.ts'
import { documentsOf } from './capabilities.ts'

/** The OpenAPI description of a document. */
export type Described = Pick<RouteConfig, 'operationId' | 'summary' | 'aliasOf'>

/** The options of a document in one format. */
export interface TextOptions {
  readonly type: string
  readonly schema: z.ZodType
}

/** The options of a document of a protocol. */
export interface ProtocolOptions {
  /** The heading of the Markdown. */
  readonly title: string
  /** The media type of the JSON. Default: `application/json`. */
  readonly jsonType?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly schema: z.ZodType
}

const CACHE_CONTROL = 'public, max-age=300'

/** Serves the documents of the service. They are generated at their first use, from the registered routes. */
export function createDocumentRoutes(app: EepRoutes, registered: () => readonly RegisteredRoute[]) {
  const offer = lazy(
    (): Offer =>
      offerOf(
        registered()
          .filter(({ config }) => !config.unavailable)
          .map(({ method, path, config: { auth, operationId, tag, summary, limit } }) => ({
            method,
            path: openApiPath(path),
            auth,
            operationId,
            tag,
            summary,
            limit,
          })),
      ),
  )
  const documents = lazy(() => documentsOf(offer()))
  const links = lazy((): readonly Link[] =>
    documents().map(({ path, rel, type, title }) => ({ rel, href: path, type, title })),
  )

  const inFormats = (described: Described, produces: readonly string[], schema: z.ZodType) => ({
    config: routeConfig({ ...described, auth: 'none', tag: 'discovery', errors: [invalidFormat], produces }),
    schema: { querystring: formatQuery, response: { 200: schema, 304: z.undefined() } },
  })

  return {
    offer,
    documents,
    links,

    /** As Markdown, JSON or TOON. */
    document(path: string, described: Described, schema: z.ZodType, make: () => PublicDocument) {
      const made = lazy(make)
      app.get(path, inFormats(described, DOCUMENT_TYPES, schema), async (request, reply) =>
        sendDocument(request, reply, made()),
      )
    },

    /** A document of a protocol: JSON by default, Markdown and TOON on request. */
    protocol(path: string, described: Described, options: ProtocolOptions, make: () => unknown) {
      const { title, jsonType, headers, schema } = options
      const body = lazy(() => Buffer.from(JSON.stringify(make())))
      app.get(path, inFormats(described, protocolTypes(jsonType), schema), async (request, reply) =>
        sendProtocolDocument(request, reply, {
          body: body(),
          title,
          type: jsonType,
          cacheControl: CACHE_CONTROL,
          headers,
        }),
      )
    },

    /** Text in one format. */
    text(path: string, described: Described, { type, schema }: TextOptions, make: () => string) {
      const body = lazy(make)
      const media = type.replace(/;.*/, '')
      app.get(
        path,
        {
          config: routeConfig({ ...described, auth: 'none', tag: 'discovery', produces: [media] }),
          schema: { response: { 200: schema, 304: z.undefined() } },
        },
        async (request, reply) => sendWithEtag(request, reply, { body: body(), type, cacheControl: CACHE_CONTROL }),
      )
    },
  }
}

export type DocumentRoutes = ReturnType<typeof createDocumentRoutes>
