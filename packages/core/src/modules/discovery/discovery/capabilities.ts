import { FORMATS } from '../../../http/documents/negotiation.ts'
import { EEP_VERSION } from '../../../http/pipeline/protocol-version.ts'
import { PREFIX_BY_TYPE, PROFILE_TYPES } from '../../../model/profile-type.ts'
import { schemaPath } from '../../../model/type-data/index.ts'
import { type AssistantAddresses, assistantsOf, MCP_CARD, OAUTH_GUIDE } from './assistants.ts'
import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'
import { type PaymentGuide, paymentGuideOf } from './payment-guide.ts'
import type { SoldSummary } from './sold-endpoints.ts'

export interface DiscoveryLink {
  readonly rel: string
  readonly url: string
  readonly title: string
}

/** The capabilities of the service, for agents. */
export interface Capabilities extends AssistantAddresses {
  readonly name: string
  readonly description: string
  readonly did: string
  readonly eep_version: string
  readonly profile_types: readonly {
    readonly type: string
    readonly prefix: string
    readonly url: string
    /** The URL of the JSON Schema of its `type_data`. */
    readonly schema: string
  }[]
  readonly formats: readonly { readonly format: string; readonly media_type: string }[]
  readonly authentication: readonly { readonly carrier: string; readonly use: string }[]
  readonly payment: PaymentGuide & { readonly docs_url: string }
  readonly rate_limits: {
    readonly window_seconds: number
    readonly groups: readonly { readonly group: string; readonly requests: number }[]
    readonly keys: readonly { readonly tier: string; readonly requests: number }[]
    readonly headers: readonly string[]
  }
  readonly errors: { readonly body: string; readonly problem: string; readonly catalogue: string }
  readonly features: readonly {
    readonly feature: string
    readonly routes: readonly { readonly route: string; readonly auth: string; readonly summary: string }[]
  }[]
  /** Routes of the host that are sold. */
  readonly sold: readonly SoldSummary[]
  readonly links: readonly DiscoveryLink[]
}

/** A document that describes the service. */
export interface DiscoveryDocument {
  readonly path: string
  readonly rel: string
  readonly title: string
  /** Its media type, if clients look for documents of that type. */
  readonly type?: string
  /** It also has an HTML page. */
  readonly page?: boolean
}

/** The documents for agents, in reading order. */
const DOCUMENTS: readonly DiscoveryDocument[] = [
  { path: '/.well-known/eep.json', rel: 'eep', title: 'Manifest of the protocol' },
  { path: '/.well-known/eep/agent-guide.md', rel: 'help', title: 'Guide for agents', page: true },
  { path: '/discover', rel: 'describedby', title: 'Capabilities of this service', page: true },
  { path: '/docs/openapi.json', rel: 'service-desc', title: 'Every route, as OpenAPI 3.1' },
  { path: '/llms.txt', rel: 'alternate', title: 'Overview for language models' },
  { path: '/llms-full.txt', rel: 'alternate', title: 'Overview with the text of profiles and open pages' },
  { path: '/robots.txt', rel: 'robots', title: 'Rules for crawlers' },
  { path: '/sitemap.xml', rel: 'sitemap', title: 'Every public address' },
  { path: '/openapi.json', rel: 'service-desc', title: 'Resources for sale and their prices, as OpenAPI 3.1' },
  { path: '/discovery/resources', rel: 'service-meta', title: 'Catalogue of what clients of x402 can buy' },
  { path: '/feed', rel: 'alternate', title: 'The posts of all public profiles, newest first', page: true },
  {
    path: '/opensearch.xml',
    rel: 'search',
    title: 'How to search in profiles, pages, posts and files, as OpenSearch 1.1',
    type: 'application/opensearchdescription+xml',
  },
  { path: MCP_CARD, rel: 'service-desc', title: 'Server for assistants (MCP)' },
  { path: OAUTH_GUIDE, rel: 'service-doc', title: 'How programs sign in (OAuth)' },
  { path: '/docs/asyncapi.json', rel: 'service-desc', title: 'Streams and their events, as AsyncAPI 3' },
  { path: '/agents.txt', rel: 'agents', title: 'Entry points and pacing' },
  { path: '/.well-known/agent-card.json', rel: 'agent-card', title: 'Agent card (A2A)' },
  { path: '/.well-known/api-catalog', rel: 'api-catalog', title: 'API catalogue (RFC 9727)' },
  { path: '/docs', rel: 'service-doc', title: 'API reference', page: true },
  { path: '/docs/payments', rel: 'payment', title: 'How to pay', page: true },
  { path: '/docs/errors', rel: 'errors', title: 'Every error code', page: true },
  { path: '/.well-known/jwks.json', rel: 'jwks', title: 'Keys that sign receipts' },
]

/** The discovery documents that exist, as paths. */
export const documentsOf = (offer: Offer) => DOCUMENTS.filter(({ path }) => offer.has(path))

/** The discovery documents that exist, as links. */
export const linksOf = ({ publicUrl }: ServiceInfo, offer: Offer): DiscoveryLink[] =>
  documentsOf(offer).map(({ path, rel, title }) => ({ rel, url: publicUrl + path, title }))

/** A kind of authentication, and a route that exists only when it is available. */
const carriersOf = (sessionCookie: string) => [
  {
    needs: '/auth/login',
    carrier: 'Authorization: Bearer <ACCESS_TOKEN>',
    use: 'A session: the token of register or login',
  },
  {
    needs: '/auth/login',
    carrier: `Cookie: ${sessionCookie}`,
    use: 'The same session in browsers; set by register and login',
  },
  {
    needs: '/api-keys',
    carrier: 'X-API-Key: <API_KEY>',
    use: 'Programs; created at /api-keys, also accepted as bearer token',
  },
]

const RATE_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

const featuresOf = ({ routes }: Offer) =>
  [...Map.groupBy(routes, ({ tag }) => tag)].map(([feature, ofFeature]) => ({
    feature,
    routes: ofFeature.map(({ method, path, auth, summary }) => ({ route: `${method} ${path}`, auth, summary })),
  }))

export interface RateInfo {
  readonly windowSeconds: number
  /** Requests per window of each group. */
  readonly groups: Readonly<Record<string, number>>
  /** Requests per window of an API key, by the tier of its account. */
  readonly keys: Readonly<Record<string, number>>
}

/** The rate limits that apply to a route of the service. */
export const ratesOf = ({ groups, keys }: RateInfo, offer: Offer) => ({
  groups: Object.entries(groups)
    .filter(([group]) => group !== 'exempt' && offer.countsIn(group))
    .map(([group, requests]) => ({ group, requests })),
  keys: offer.has('/api-keys', 'POST') ? Object.entries(keys).map(([tier, requests]) => ({ tier, requests })) : [],
})

export function capabilitiesOf(service: ServiceInfo, rates: RateInfo, docsUrl: string, offer: Offer): Capabilities {
  const { name, description, did, publicUrl, sessionCookie } = service
  return {
    name,
    description,
    did,
    eep_version: EEP_VERSION,
    profile_types: (offer.has('/{prefix}/{username}') ? PROFILE_TYPES : []).map((type) => ({
      type,
      prefix: PREFIX_BY_TYPE[type],
      url: `${publicUrl}/${PREFIX_BY_TYPE[type]}/{username}`,
      schema: `${publicUrl}${schemaPath(type)}`,
    })),
    formats: FORMATS.map(({ format, mediaType }) => ({ format, media_type: mediaType })),
    authentication: carriersOf(sessionCookie)
      .filter(({ needs }) => offer.has(needs, 'POST'))
      .map(({ carrier, use }) => ({ carrier, use })),
    ...assistantsOf(service, offer),
    payment: { docs_url: docsUrl, ...paymentGuideOf(service.rails, offer) },
    rate_limits: {
      window_seconds: rates.windowSeconds,
      ...ratesOf(rates, offer),
      headers: RATE_HEADERS,
    },
    errors: {
      body: '{"error":{"code","message","details?"}}',
      problem: 'application/problem+json (RFC 9457) when Accept names it',
      catalogue: `${publicUrl}/docs/errors`,
    },
    features: featuresOf(offer),
    sold: service.sold?.() ?? [],
    links: linksOf(service, offer),
  }
}

/** The start document: a summary of the service and its entry points. */
export interface Bootstrap {
  readonly name: string
  readonly description: string
  readonly did: string
  readonly eep_version: string
  readonly profile_url: string
  readonly formats: readonly string[]
  readonly start: readonly DiscoveryLink[]
}

export const bootstrapOf = (service: ServiceInfo, offer: Offer): Bootstrap => ({
  name: service.name,
  description: service.description,
  did: service.did,
  eep_version: EEP_VERSION,
  profile_url: `${service.publicUrl}/{prefix}/{username}`,
  formats: FORMATS.map(({ format }) => format),
  start: linksOf(service, offer),
})
