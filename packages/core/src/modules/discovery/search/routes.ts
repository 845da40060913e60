import { z } from 'zod'
import { paginationOf } from '../../../http/documents/lists.ts'
import { DOCUMENT_TYPES, formatOf, invalidFormat } from '../../../http/documents/negotiation.ts'
import { sendDocument } from '../../../http/documents/public-document.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { reportSearch } from '../../../http/pipeline/count-visits.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { searchTimeout } from '../../../ports/search-index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { invalidSearchQuery, searchDisabled, semanticSearchDisabled, semanticSearchUnavailable } from './errors.ts'
import { openSearchDescription } from './opensearch-description.ts'
import { searchAnswer, searchQuery, suggestAnswer, suggestQuery } from './schemas.ts'
import { searchDocument } from './search-document.ts'
import { accessedSource } from './search-visits.ts'
import { serializeResults, serializeSuggestion } from './serialize.ts'
import type { SearchService } from './service.ts'

interface SearchRouteServices {
  /** Undefined without a search index. */
  readonly search: SearchService | undefined
  readonly profiles: ProfileService
}

const DESCRIPTION = 'application/opensearchdescription+xml'

/** The query string of a page of results, without its format. */
function parametersOf(query: z.output<typeof searchQuery>, cursor: string | undefined): string {
  const { q = '', scope, mode, profile_type, limit, facets, gated } = query
  const given = { q, scope, mode, profile_type, limit: String(limit), facets: facets?.join(), gated, cursor }
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) parameters.set(name, value)
  return String(parameters)
}

/** Search, suggestions, and the OpenSearch description. */
export function searchRoutes(app: EepRoutes, services: SearchRouteServices, name: string): void {
  const { profiles } = services
  const { publicUrl } = profiles
  const shared = { auth: 'none', tag: 'search', unavailable: services.search === undefined } as const
  const limited = { ...shared, limit: 'search' } as const

  function requireSearch(): SearchService {
    if (!services.search) throw searchDisabled()
    return services.search
  }

  app.get(
    '/search',
    {
      config: routeConfig({
        ...limited,
        scope: 'read:content',
        operationId: 'search',
        summary: 'Search profiles, pages, posts and files',
        produces: DOCUMENT_TYPES,
        errors: [
          invalidSearchQuery,
          invalidCursor,
          invalidFormat,
          searchDisabled,
          searchTimeout,
          semanticSearchDisabled,
          semanticSearchUnavailable,
          unauthenticated,
        ],
      }),
      schema: { querystring: searchQuery, response: { 200: searchAnswer, 304: z.undefined() } },
    },
    async (request, reply) => {
      const search = requireSearch()
      const { query } = request
      const { q, scope, mode, limit, cursor, facets, gated } = query
      const isSearched = q !== undefined && q.trim() !== ''
      if (!isSearched && formatOf(request) !== 'html')
        throw invalidSearchQuery({ message: 'q must have 1 to 256 characters' })
      const results = isSearched
        ? await search.search(
            {
              q,
              scope,
              mode,
              limit,
              cursor,
              facets,
              gated,
              profileType: query.profile_type,
              isConsistent: query.consistency === 'strong',
            },
            request.eep.caller,
          )
        : ({ items: [], total: 0, mode: 'keyword' } as const)
      if (isSearched) {
        reportSearch(request, { query: q, isFirstPage: cursor === undefined }, results.items.map(accessedSource))
      }
      const next = results.nextCursor === undefined ? undefined : `/search?${parametersOf(query, results.nextCursor)}`
      const answer = serializeResults(results, profiles)
      const asked = isSearched ? { q, parameters: parametersOf(query, cursor) } : undefined
      const document = searchDocument({ asked, answer, next, publicUrl })
      return sendDocument(request, reply, document, { restricted: gated !== undefined })
    },
  )

  app.get(
    '/search/suggest',
    {
      config: routeConfig({
        ...limited,
        operationId: 'suggestSearch',
        summary: 'List at most eight titles that complete a query',
        errors: [searchDisabled, searchTimeout],
      }),
      schema: { querystring: suggestQuery, response: { 200: suggestAnswer } },
    },
    async (request, reply) => {
      const suggestions = await requireSearch().suggest(request.query.q)
      reply.header('cache-control', 'public, no-cache')
      return {
        data: suggestions.map((suggestion) => serializeSuggestion(suggestion, profiles)),
        pagination: paginationOf({ total: suggestions.length }),
      }
    },
  )

  app.get(
    '/opensearch.xml',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getOpenSearchDescription',
        summary: 'Get the OpenSearch 1.1 description',
        errors: [searchDisabled],
        produces: [DESCRIPTION],
      }),
      schema: { response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      requireSearch()
      const body = openSearchDescription(name, publicUrl)
      return sendWithEtag(request, reply, { body, type: DESCRIPTION, cacheControl: 'public, max-age=86400' })
    },
  )
}
