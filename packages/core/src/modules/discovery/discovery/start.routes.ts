import { z } from 'zod'
import { DOCUMENT_TYPES, formatOf, formatQuery, invalidFormat } from '../../../http/documents/negotiation.ts'
import { type PublicDocument, sendDocument } from '../../../http/documents/public-document.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { DocumentRoutes } from './document-routes.ts'
import type { NewProfile } from './home-page.ts'
import { bootstrapDocument } from './public-documents.ts'
import { bootstrapSchema } from './schemas.ts'
import type { DiscoveryService } from './service.ts'

const NONE: readonly NewProfile[] = []

/** `GET /`: for programs the entry points of the service, for people its start page with new profiles. */
export function startRoute(
  app: EepRoutes,
  { discovery }: { readonly discovery: DiscoveryService },
  { offer, links }: Pick<DocumentRoutes, 'offer' | 'links'>,
): void {
  const data = lazy(() => discovery.bootstrap(offer()))
  const document = lazy(() => bootstrapDocument(data(), links(), NONE))
  let page: { readonly newest: readonly NewProfile[]; readonly document: PublicDocument } | undefined

  /** While the storage is unavailable, the page has no profiles. */
  async function readNewest(): Promise<readonly NewProfile[]> {
    try {
      return await discovery.siteIndex.newest()
    } catch (error) {
      if (isEepError(error) && error.status === 503) return NONE
      throw error
    }
  }

  /** The same document as long as the list is the same, so that its page is rendered once. */
  async function documentForPeople(): Promise<PublicDocument> {
    const newest = discovery.hasSiteIndex ? await readNewest() : NONE
    if (page?.newest !== newest) {
      // Sitemaps and this page may be a minute old.
      const made = { ...bootstrapDocument(data(), links(), newest), cacheControl: 'public, max-age=60' }
      page = { newest, document: made }
    }
    return page.document
  }

  app.get(
    '/',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId: 'getStart',
        summary: 'Get the start document: the service and its entry points; for browsers a page with new profiles',
        errors: [invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: { querystring: formatQuery, response: { 200: bootstrapSchema, 304: z.undefined() } },
    },
    async (request, reply) =>
      sendDocument(request, reply, formatOf(request) === 'html' ? await documentForPeople() : document()),
  )
}
