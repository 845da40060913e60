import type { PageLanguage } from '../../../model/messages.ts'
import { MCP_CARD, OAUTH_GUIDE } from './assistants.ts'
import { documentMessages } from './messages.ts'

/** The keys of the titles by the paths of the documents. */
const KEYS = {
  '/.well-known/eep.json': 'manifest',
  '/.well-known/eep/agent-guide.md': 'agentGuide',
  '/discover': 'capabilities',
  '/docs/openapi.json': 'openApi',
  '/openapi.json': 'pricedOpenApi',
  '/discovery/resources': 'pricedCatalogue',
  '/llms.txt': 'llms',
  '/llms-full.txt': 'llmsFull',
  '/robots.txt': 'robots',
  '/sitemap.xml': 'sitemap',
  '/feed': 'feed',
  '/opensearch.xml': 'openSearch',
  [MCP_CARD]: 'mcpCard',
  [OAUTH_GUIDE]: 'oauthGuide',
  '/docs/asyncapi.json': 'asyncApi',
  '/agents.txt': 'agents',
  '/.well-known/agent-card.json': 'agentCard',
  '/.well-known/api-catalog': 'apiCatalog',
  '/docs': 'reference',
  '/docs/payments': 'payments',
  '/docs/errors': 'errors',
  '/.well-known/jwks.json': 'keys',
} as const satisfies Readonly<Record<string, Parameters<ReturnType<typeof documentMessages>>[0]>>

/** The title of a document in the language of the page. */
export function documentTitle(page: PageLanguage, path: string, title: string): string {
  const key = (KEYS as Readonly<Record<string, (typeof KEYS)[keyof typeof KEYS]>>)[path]
  return key === undefined ? title : documentMessages(page)(key)
}
