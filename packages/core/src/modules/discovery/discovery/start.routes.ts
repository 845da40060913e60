import { z } from 'zod'
import { DOCUMENT_TYPES, formatOf, formatQuery, invalidFormat } from '../../../http/documents/negotiation.ts'
import { type PublicDocument, sendDocument } from '../../../http/documents/public-document.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { DocumentRoutes } from './document-routes.ts'
import type { NewProfile } from './home-page.ts'
import { bootstrapDocument, capabilitiesDocument } from './public-documents.ts'
import { bootstrapSchema, capabilitiesSchema } from './schemas.ts'
import type { DiscoveryService } from './service.ts'

const NONE: readonly NewProfile[] = []

interface StartServices {
  readonly discovery: DiscoveryService
}

/** A document whose page for people also has the newest profiles. */
interface Start {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly schema: z.ZodType
  make(newest: readonly NewProfile[]): PublicDocument
}

function addStart(
  app: EepRoutes,
  { discovery }: StartServices,
  { path, operationId, summary, schema, make }: Start,
): void {
  const document = lazy(() => make(NONE))
  let page: { readonly newest: readonly NewProfile[]; readonly document: PublicDocument } | undefined

  /** While the storage is unavailable, the pages have no profiles. */
  async function readNewest(): Promise<readonly NewProfile[]> {
    try {
      return discovery.hasSiteIndex ? await discovery.siteIndex.newest() : NONE
    } catch (error) {
      if (isEepError(error) && error.status === 503) return NONE
      throw error
    }
  }

  /** The same document as long as the list is the same, so that its page is rendered once. */
  async function documentForPeople(): Promise<PublicDocument> {
    const newest = await readNewest()
    if (page?.newest !== newest) {
      // Sitemaps and these pages may be a minute old.
      page = { newest, document: { ...make(newest), cacheControl: 'public, max-age=60' } }
    }
    return page.document
  }

  app.get(
    path,
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId,
        summary,
        errors: [invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: { querystring: formatQuery, response: { 200: schema, 304: z.undefined() } },
    },
    async (request, reply) =>
      sendDocument(request, reply, formatOf(request) === 'html' ? await documentForPeople() : document()),
  )
}

type Served = Pick<DocumentRoutes, 'offer' | 'links'>

/** `GET /`: for programs the entry points of the service, for people its start page with new profiles. */
export function startRoute(app: EepRoutes, services: StartServices, { offer, links }: Served): void {
  const data = lazy(() => services.discovery.bootstrap(offer()))
  addStart(app, services, {
    path: '/',
    operationId: 'getStart',
    summary: 'Get the start document; for browsers a page with new profiles',
    schema: bootstrapSchema,
    make: (newest) => bootstrapDocument(data(), links(), newest),
  })
}

/** `GET /discover`: the capabilities of the service, for people below a search and new profiles. */
export function discoverRoute(app: EepRoutes, services: StartServices, { offer, links }: Served): void {
  const data = lazy(() => services.discovery.capabilities(offer()))
  addStart(app, services, {
    path: '/discover',
    operationId: 'getCapabilities',
    summary: 'Get the capabilities of the service; for browsers below new profiles',
    schema: capabilitiesSchema,
    make: (newest) => capabilitiesDocument(data(), links(), newest),
  })
}
