import { z } from 'zod'
import type { Link } from '../../http/links.ts'
import { DOCUMENT_TYPES, formatQuery, invalidFormat } from '../../http/negotiation.ts'
import { openApiPath, type RegisteredRoute } from '../../http/openapi.ts'
import { type PublicDocument, sendDocument } from '../../http/public-document.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../http/routes.ts'
import { sendTagged } from '../../http/tagged-answer.ts'
import { lazy } from '../../kernel/lazy.ts'
import { documentsOf } from './capabilities.ts'
import { type Offer, offerOf } from './offered-route.ts'

/** The OpenAPI description of a document. */
export type Described = Pick<RouteConfig, 'operationId' | 'summary' | 'aliasOf'>

/** The common options of documents that are generated once. */
export interface TextOptions {
  readonly type: string
  readonly cacheControl?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly schema: z.ZodType
}

/** Serves the documents of the service. They are generated at their first use, from the registered routes. */
export function serve(app: EepRoutes, registered: () => readonly RegisteredRoute[]) {
  const offer = lazy(
    (): Offer =>
      offerOf(
        registered()
          .filter(({ config }) => !config.unavailable)
          .map(({ method, path, config: { auth, tag, summary, limit } }) => ({
            method,
            path: openApiPath(path),
            auth,
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

  return {
    offer,
    documents,
    links,

    /** As Markdown, JSON or TOON. */
    document(path: string, described: Described, schema: z.ZodType, make: () => PublicDocument) {
      const made = lazy(make)
      app.get(
        path,
        {
          config: routeConfig({
            ...described,
            auth: 'none',
            tag: 'discovery',
            errors: [invalidFormat],
            produces: DOCUMENT_TYPES,
          }),
          schema: { querystring: formatQuery, response: { 200: schema, 304: z.undefined() } },
        },
        async (request, reply) => sendDocument(request, reply, made()),
      )
    },

    /** In one format: text unchanged, other values as JSON. */
    text(
      path: string,
      described: Described,
      { type, schema, cacheControl = 'public, max-age=300', headers }: TextOptions,
      make: () => unknown,
    ) {
      const body = lazy(() => {
        const made = make()
        return typeof made === 'string' ? made : JSON.stringify(made)
      })
      const media = type.replace(/;.*/, '')
      app.get(
        path,
        {
          config: routeConfig({ ...described, auth: 'none', tag: 'discovery', produces: [media] }),
          schema: { response: { 200: schema, 304: z.undefined() } },
        },
        async (request, reply) => sendTagged(request, reply, { body: body(), type, cacheControl, headers }),
      )
    },
  }
}

export type Served = ReturnType<typeof serve>
