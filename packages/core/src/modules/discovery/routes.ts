import { z } from 'zod'
import { type PublicDocument, sendDocument } from '../../http/document.ts'
import { DOCUMENT_TYPES, formatQuery, invalidFormat } from '../../http/negotiation.ts'
import { openApiPath, type RegisteredRoute } from '../../http/openapi.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { sendTagged } from '../../http/tagged-answer.ts'
import { notFound } from '../../kernel/errors.ts'
import { once } from '../../kernel/once.ts'
import { documentsOf } from './capabilities.ts'
import { didDocumentPath } from './did-document.ts'
import {
  bootstrapDocument,
  capabilitiesDocument,
  errorDocument,
  errorListDocument,
  paymentGuideDocument,
} from './document.ts'
import { type Offer, offerOf } from './offered-route.ts'
import {
  bootstrapSchema,
  capabilitiesSchema,
  didDocumentSchema,
  errorListSchema,
  errorSchema,
  jwksSchema,
  manifestSchema,
  paymentGuideSchema,
} from './schemas.ts'
import type { DiscoveryService } from './service.ts'

export interface DiscoveryRoutesOptions {
  /** False leaves `/` to the host. */
  readonly siteFiles: boolean
  /** The routes of the listener; complete once it is ready. */
  readonly registered: () => readonly RegisteredRoute[]
}

/** What strangers read first: manifests, keys and the explanations of payments and errors. */
export function discoveryRoutes(
  app: EepRoutes,
  { discovery }: { readonly discovery: DiscoveryService },
  { siteFiles, registered }: DiscoveryRoutesOptions,
): void {
  const offer = once(
    (): Offer =>
      offerOf(
        registered().map(({ method, path, facts: { auth, tag, summary } }) => ({
          method,
          path: openApiPath(path),
          auth,
          tag,
          summary,
        })),
      ),
  )
  const links = once(() => documentsOf(offer()).map(({ path, rel, title }) => ({ rel, href: path, title })))

  const document = (path: string, summary: string, schema: z.ZodType, make: () => PublicDocument) => {
    const made = once(make)
    app.get(
      path,
      {
        config: facts({ auth: 'none', tag: 'discovery', summary, errors: [invalidFormat], produces: DOCUMENT_TYPES }),
        schema: { querystring: formatQuery, response: { 200: schema } },
      },
      async (request, reply) => sendDocument(request, reply, made()),
    )
  }
  const json = (path: string, summary: string, schema: z.ZodType, make: () => unknown, type = 'application/json') => {
    const body = once(() => JSON.stringify(make()))
    app.get(
      path,
      {
        config: facts({ auth: 'none', tag: 'discovery', summary, produces: [type] }),
        schema: { response: { 200: schema } },
      },
      async (request, reply) => sendTagged(request, reply, { body: body(), type, cacheControl: 'public, max-age=300' }),
    )
  }

  if (siteFiles) {
    document('/', 'Who this is and where to go on', bootstrapSchema, () =>
      bootstrapDocument(discovery.bootstrap(offer()), links()),
    )
  }
  document('/discover', 'What this service can do', capabilitiesSchema, () =>
    capabilitiesDocument(discovery.capabilities(offer()), links()),
  )
  json('/.well-known/eep.json', 'The manifest of the protocol', manifestSchema, () => discovery.manifest(offer()))
  json(
    '/.well-known/jwks.json',
    'The keys that sign receipts',
    jwksSchema,
    discovery.publicKeys,
    'application/jwk-set+json',
  )
  json(
    didDocumentPath(discovery.publicUrl),
    'The DID document of the service',
    didDocumentSchema,
    discovery.didDocument,
    'application/did+json',
  )
  document('/docs/payments', 'How to pay, step by step', paymentGuideSchema, () =>
    paymentGuideDocument(discovery.paymentGuide(offer())),
  )

  const urlOf = (code: string) => `${discovery.publicUrl}/docs/errors/${code}`
  document('/docs/errors', 'Every error code', errorListSchema, () => errorListDocument(discovery.errors(), urlOf))
  app.get(
    '/docs/errors/:code',
    {
      config: facts({
        auth: 'none',
        tag: 'discovery',
        summary: 'One error code',
        errors: [notFound, invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: {
        params: z.object({ code: z.string().max(64) }),
        querystring: formatQuery,
        response: { 200: errorSchema },
      },
    },
    async (request, reply) => {
      const entry = discovery.error(request.params.code)
      const answering = registered()
        .filter(({ facts: { errors } }) => errors?.some(({ code }) => code === entry.code))
        .map(({ method, path }) => `${method} ${openApiPath(path)}`)
      return sendDocument(request, reply, errorDocument(entry, urlOf(entry.code), answering))
    },
  )
}
