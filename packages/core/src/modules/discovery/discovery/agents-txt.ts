import { inline } from '../../../kernel/markdown.ts'
import { PREFIX_BY_TYPE } from '../../../model/profile-type.ts'
import { assistantLines, assistantsOf } from './assistants.ts'
import type { Offer } from './available-routes.ts'
import { type RateInfo, ratesOf } from './capabilities.ts'
import type { ServiceInfo } from './manifest.ts'

/** The entry points for agents, in the order in which to read them. */
const ENTRY_POINTS = [
  ['Manifest', '/.well-known/eep.json'],
  ['Guide', '/.well-known/eep/agent-guide.md'],
  ['Capabilities', '/discover'],
  ['OpenAPI', '/docs/openapi.json'],
  ['Paid', '/openapi.json'],
  ['Catalogue', '/discovery/resources'],
  ['LLMs', '/llms.txt'],
  ['Robots', '/robots.txt'],
  ['Sitemap', '/sitemap.xml'],
  ['Agent-Card', '/.well-known/agent-card.json'],
  ['Agent-Skills', '/.well-known/agent-skills/index.json'],
  ['API-Catalog', '/.well-known/api-catalog'],
  ['Errors', '/docs/errors'],
  ['Payments', '/docs/payments'],
] as const

/** The requests that every profile answers, and their routes. */
const PATTERNS = [
  ['Profile', ''],
  ['Contents', '/content'],
  ['Page', '/content/{path}'],
  ['Changelog', '/changelog'],
  ['Freshness', '/freshness'],
  ['DID-Document', '/did.json'],
  ['Agent-Card', '/agent-card.json'],
] as const

/** `/agents.txt`: entry points, patterns of addresses, and rate limits. */
export function agentsTxt(info: ServiceInfo, offer: Offer, rates: RateInfo, x402Versions: readonly number[]): string {
  const { name, publicUrl, did } = info
  const lines = (entries: readonly (readonly [string, string])[]) => entries.map(([key, value]) => `${key}: ${value}`)
  const prefixes = offer.has('/{prefix}/{username}') ? Object.entries(PREFIX_BY_TYPE) : []
  const limits = ratesOf(rates, offer)
  const groups = [
    [`# ${inline(name)}`, '# For programs that read or act here for a user.', `DID: ${did}`],
    [
      '# Entry points, in the order in which to read them',
      ...lines(ENTRY_POINTS.filter(([, path]) => offer.has(path)).map(([key, path]) => [key, publicUrl + path])),
      ...lines(assistantLines(assistantsOf(info, offer))),
    ],
    [
      '# Patterns; Markdown by default: ?format=json, ?format=toon, or Accept',
      ...lines(
        PATTERNS.map(([key, below]) => [key, `/{prefix}/{username}${below}`] as const)
          .filter(([, path]) => offer.has(path))
          .map(([key, path]) => [key, publicUrl + path]),
      ),
      ...prefixes.map(([type, prefix]) => `Prefix: ${prefix} (${type})`),
    ],
    ...(x402Versions.length > 0 ? [['# Payments', `x402-Versions: ${x402Versions.join(', ')}`]] : []),
    [
      '# Rate limits, also in X-RateLimit-* and RateLimit of every response, and in Retry-After of a 429',
      ...limits.groups.map(
        ({ group, requests }) => `Limit: ${requests} requests in ${rates.windowSeconds} s (${group})`,
      ),
      ...limits.keys.map(
        ({ tier, requests }) => `Limit: ${requests} requests in ${rates.windowSeconds} s (API key, ${tier})`,
      ),
    ],
  ]
  return `${groups.map((group) => group.join('\n')).join('\n\n')}\n`
}
