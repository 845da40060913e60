import { asJson, type JsonObject } from '../../../kernel/json.ts'
import { AI_CATALOG } from './ai-catalog.ts'
import { MCP_CARD, OAUTH_GUIDE } from './assistants.ts'
import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'
import { SKILLS_INDEX } from './skills.ts'

/** The media type of `/.well-known/api-catalog` (RFC 9727, 4.2). */
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

const RELATIONS = [
  ['service-desc', '/docs/openapi.json', 'application/json'],
  ['service-desc', '/openapi.json', 'application/json'],
  ['service-desc', MCP_CARD, 'application/json'],
  ['service-doc', '/docs', 'text/html'],
  ['service-doc', '/.well-known/eep/agent-guide.md', 'text/markdown'],
  ['service-doc', OAUTH_GUIDE, 'text/markdown'],
  ['service-meta', '/.well-known/eep.json', 'application/json'],
  ['service-meta', '/.well-known/agent-card.json', 'application/json'],
  ['service-meta', SKILLS_INDEX, 'application/json'],
  ['service-meta', AI_CATALOG, 'application/json'],
  ['service-meta', '/discovery/resources', 'application/json'],
  ['search', '/ask', 'application/json'],
  ['status', '/health/ready', 'application/json'],
] as const

/** The APIs of the service as a linkset (RFC 9264) with one entry. */
export function apiCatalog({ publicUrl }: ServiceInfo, offer: Offer): JsonObject {
  const offered = RELATIONS.filter(([, path]) => offer.has(path))
  const relations = Object.fromEntries(
    [...Map.groupBy(offered, ([relation]) => relation)].map(([relation, links]) => [
      relation,
      links.map(([, path, type]) => ({ href: publicUrl + path, type })),
    ]),
  )
  return asJson({ linkset: [{ anchor: `${publicUrl}/`, ...relations }] })
}
