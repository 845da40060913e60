import { z } from 'zod'
import { allowAllOrigins } from '../../../http/documents/allow-all-origins.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { isFreePath } from '../../../http/free-path.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import { searchTimeout } from '../../../ports/search-index.ts'
import type { Catalogue } from './catalogue.ts'
import { clampedNumber, readFilters } from './catalogue-query.ts'
import {
  DEFAULT_LIMIT,
  foundResourcesAnswer,
  MAX_LIMIT,
  MAX_OFFSET,
  resourcesAnswer,
  resourcesQuery,
  searchResourcesQuery,
} from './catalogue-schemas.ts'

/** The address of the catalogue. */
export const CATALOGUE = '/discovery/resources'
const SEARCH = '/discovery/search'
const TAG = 'discovery'

const limitOf = (value: unknown) => clampedNumber(value, { least: 1, most: MAX_LIMIT, fallback: DEFAULT_LIMIT })
const unappliedOf = (names: readonly string[]) => (names.length > 0 ? { unappliedFilters: names } : {})

/** The catalogue of what is for sale, in the form of the x402 extension `bazaar`. A path that the host serves itself is left out. */
export function catalogueRoutes(
  app: EepRoutes,
  catalogue: Catalogue,
  logger: Pick<EepLogger, 'warn'> | undefined,
): void {
  const { find } = catalogue
  const isFree = (path: string) => isFreePath(app, logger, { path, option: 'pricedDiscovery.catalogue' })

  if (isFree(CATALOGUE)) {
    app.get(
      CATALOGUE,
      {
        config: routeConfig({
          auth: 'none',
          tag: TAG,
          operationId: 'listPricedResources',
          summary: 'List what clients of x402 can buy',
        }),
        schema: { querystring: resourcesQuery, response: { 200: resourcesAnswer, 304: z.undefined() } },
      },
      async (request, reply) => {
        const query: Readonly<Record<string, unknown>> = request.query
        const limit = limitOf(query.limit)
        const offset = clampedNumber(query.offset, { least: 0, most: MAX_OFFSET, fallback: 0 })
        const asked = readFilters(query, ['limit', 'offset'])
        const { items, total } = await catalogue.list(asked, { limit, offset })
        const body = { x402Version: 2, items, pagination: { limit, offset, total }, ...unappliedOf(asked.unapplied) }
        allowAllOrigins(reply)
        return sendWithEtag(request, reply, { body, cacheControl: 'public, max-age=60' })
      },
    )
  }

  if (!find || !isFree(SEARCH)) return
  app.get(
    SEARCH,
    {
      config: routeConfig({
        auth: 'none',
        limit: 'search',
        tag: TAG,
        operationId: 'searchPricedResources',
        summary: 'Search what clients of x402 can buy',
        errors: [invalidCursor, searchTimeout],
      }),
      schema: { querystring: searchResourcesQuery, response: { 200: foundResourcesAnswer, 304: z.undefined() } },
    },
    async (request, reply) => {
      const { query, cursor, ...others } = request.query
      const limit = limitOf(others.limit)
      const asked = readFilters(others, ['limit'])
      const { items, nextCursor } = await find(asked, { query, limit, cursor })
      const body = {
        x402Version: 2,
        resources: items,
        pagination: nextCursor === undefined ? null : { limit: items.length, cursor: nextCursor },
        ...(nextCursor !== undefined && items.length < limit && { partialResults: true }),
        ...unappliedOf(asked.unapplied),
      }
      allowAllOrigins(reply)
      return sendWithEtag(request, reply, { body, cacheControl: 'public, no-cache' })
    },
  )
}
