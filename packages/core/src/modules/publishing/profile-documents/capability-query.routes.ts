import { z } from 'zod'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import { profileMoved, profileNotFound } from '../../profiles/profiles/index.ts'
import { capabilityItems, matching } from './capability-query.ts'
import { shownTo } from './open-profile.ts'
import type { PublicReadServices } from './public.routes.ts'

const MAX_LIMIT = 50

const query = formatQuery.extend({
  query: z.string().min(1).max(128).optional(),
  category: z.string().min(1).max(64).optional(),
  gate_type: z.string().min(1).max(64).optional(),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(20),
})

const answer = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string().optional(),
        category: z.string(),
        gate_types: z.array(z.string()),
        access_patterns: z.array(z.string()),
      }),
    ),
    total: z.int(),
    page: z.int(),
    limit: z.int(),
    next_page_url: z.url().optional(),
  })
  .meta({ id: 'CapabilityQueryResult' })

/** The capability query of EEP v0.1 (12.4). */
export function capabilityQueryRoutes(app: EepRoutes, services: PublicReadServices): void {
  const { profiles } = services

  app.get(
    '/eep/capabilities/:did',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:profiles',
        tag: 'discovery',
        operationId: 'getEntityCapabilities',
        summary: 'Query the capabilities of an entity: its traits and what its tiers open, in pages',
        errors: [profileNotFound, profileMoved, invalidFormat],
        produces: protocolTypes(),
      }),
      schema: {
        params: z.object({ did: z.string().min(1).max(512) }),
        querystring: query,
        response: { 200: answer, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { page, limit, format, ...filter } = request.query
      const { type, username, visibility } = await profiles.byDid(request.params.did, request.eep.caller)
      const known = await profiles.getDocument(type, username, request.eep.caller)
      const { profile, restricted } = await shownTo(request, known, services)
      const found = matching(capabilityItems(profile, known.gates), filter)
      const next = new URLSearchParams({ page: String(page + 1), limit: String(limit) })
      const chosen = { ...filter, format }
      for (const [name, value] of Object.entries(chosen)) if (value !== undefined) next.set(name, value)
      const path = `/eep/capabilities/${encodeURIComponent(profiles.didOf(profile))}`
      const body = {
        items: found.slice((page - 1) * limit, page * limit),
        total: found.length,
        page,
        limit,
        ...(page * limit < found.length ? { next_page_url: `${profiles.publicUrl}${path}?${next}` } : {}),
      }
      return sendProtocolDocument(request, reply, {
        title: 'Capabilities',
        body,
        cacheControl: restricted ? 'private, no-cache' : CACHE_CONTROL[visibility],
        headers: robotsOf(visibility),
      })
    },
  )
}
