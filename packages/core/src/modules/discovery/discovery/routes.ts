import { z } from 'zod'
import { DOCUMENT_TYPES, formatQuery, invalidFormat } from '../../../http/documents/negotiation.ts'
import { sendDocument } from '../../../http/documents/public-document.ts'
import { type OpenApiDocument, openApiPath } from '../../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../../http/openapi/registered-route.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { DocsUi } from '../../../ports/docs-ui.ts'
import type { Paywall } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { didDocumentPath } from '../../profiles/profiles/index.ts'
import { agentRoutes } from './agent.routes.ts'
import { AI_CATALOG } from './ai-catalog.ts'
import { createDocumentRoutes } from './document-routes.ts'
import { registrySchema } from './eep-registry.ts'
import { errorDocument, errorListDocument, paymentGuideDocument } from './public-documents.ts'
import { referenceRoutes } from './reference.routes.ts'
import { rootRoutes } from './root.routes.ts'
import type { RobotsText } from './root-files.ts'
import {
  aiCatalogSchema,
  didDocumentSchema,
  errorListSchema,
  errorSchema,
  jwksSchema,
  manifestSchema,
  paymentGuideSchema,
} from './schemas.ts'
import type { DiscoveryService } from './service.ts'
import { skillRoutes } from './skills.routes.ts'
import { discoverRoute } from './start.routes.ts'

export interface DiscoveryRoutesOptions {
  /** False leaves `/`, `/robots.txt`, `/sitemap.xml` and `/llms.txt` to the host. */
  readonly rootFiles: boolean
  /** Whether the index of agent skills is served. */
  readonly skills: boolean
  /** Whether the AI Catalog is served. */
  readonly aiCatalog: boolean
  /** The interface that the host brings for the API reference. */
  readonly docsUi: DocsUi | undefined
  /** The OpenAPI document of the listener, and its routes; complete once it is ready. */
  readonly openApi: () => Promise<OpenApiDocument>
  readonly registered: () => readonly RegisteredRoute[]
}

export interface DiscoveryServices {
  readonly discovery: DiscoveryService
  readonly profiles: ProfileService
  readonly paywall: Paywall
}

/** Routes that clients read first: manifests, keys, and the guides to payments and errors. Returns the text of `robots.txt`. */
export function discoveryRoutes(
  app: EepRoutes,
  services: DiscoveryServices,
  { rootFiles, skills, aiCatalog, docsUi, openApi, registered }: DiscoveryRoutesOptions,
): { readonly robotsTxt: RobotsText } {
  const { discovery } = services
  const served = createDocumentRoutes(app, registered)
  const { offer, document, protocol } = served

  if (rootFiles) rootRoutes(app, services, served)
  agentRoutes(app, services, served)
  if (skills) skillRoutes(app, services, served)
  if (aiCatalog) {
    protocol(
      AI_CATALOG,
      { operationId: 'getAiCatalog', summary: 'Get what the service has for agents (AI Catalog)' },
      { title: 'AI Catalog', schema: aiCatalogSchema },
      () => discovery.aiCatalog(offer()),
    )
  }
  referenceRoutes(app, services, served, { docsUi, openApi })

  discoverRoute(app, services, served)
  protocol(
    '/.well-known/eep.json',
    { operationId: 'getManifest', summary: 'Get the EEP manifest' },
    { title: 'EEP manifest', schema: manifestSchema },
    () => discovery.manifest(offer()),
  )
  const { registry } = discovery
  if (registry) {
    protocol(
      '/.well-known/eep-registry.json',
      { operationId: 'getRegistry', summary: 'Get the description of the registry' },
      { title: 'EEP registry', schema: registrySchema },
      () => registry,
    )
  }
  protocol(
    '/.well-known/jwks.json',
    { operationId: 'getPublicKeys', summary: 'Get the public keys that sign receipts' },
    { title: 'Public keys', jsonType: 'application/jwk-set+json', schema: jwksSchema },
    discovery.publicKeys,
  )
  protocol(
    didDocumentPath(discovery.publicUrl),
    { operationId: 'getServiceDidDocument', summary: 'Get the DID document of the service' },
    { title: 'DID document', jsonType: 'application/did+json', schema: didDocumentSchema },
    discovery.didDocument,
  )
  document(
    '/docs/payments',
    { operationId: 'getPaymentGuide', summary: 'Get the payment guide, step by step' },
    paymentGuideSchema,
    () => paymentGuideDocument(discovery.paymentGuide(offer())),
  )

  const urlOf = (code: string) => `${discovery.publicUrl}/docs/errors/${code}`
  document('/docs/errors', { operationId: 'listErrorCodes', summary: 'List all error codes' }, errorListSchema, () =>
    errorListDocument(discovery.errors(), urlOf),
  )
  app.get(
    '/docs/errors/:code',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId: 'getErrorCode',
        summary: 'Get an error code',
        errors: [notFound, invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: {
        params: z.object({ code: z.string().max(64) }),
        querystring: formatQuery,
        response: { 200: errorSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const entry = discovery.error(request.params.code)
      const answering = registered()
        .filter(({ config: { errors } }) => errors?.some(({ code }) => code === entry.code))
        .map(({ method, path }) => `${method} ${openApiPath(path)}`)
      return sendDocument(request, reply, errorDocument(entry, urlOf(entry.code), answering))
    },
  )
  return { robotsTxt: (prefix) => discovery.robots(offer(), { prefix, hasLicense: discovery.licences.last() }) }
}
