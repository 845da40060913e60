import { ORIGIN, siteOf, type TestAnswers } from './site-fixture.ts'

const DID = 'did:web:site.example:u:ada'
const HEADERS = {
  'eep-version': '0.1',
  'eep-entity-did': DID,
  etag: '"v1"',
  'cache-control': 'no-cache',
  ratelimit: '"default";r=9;t=60',
  link: `</eep/subscribe>; rel="subscribe", </eep/stream>; rel="monitor", </u/ada/card.json>; rel="agent-card", </.well-known/eep.json>; rel="eep", </gates>; rel="gates"`,
}

/** The member `eep` of the entity. */
const EEP_MEMBER = {
  version: '0.1',
  endpoint: `${ORIGIN}/u/ada`,
  supported_delivery: ['sse'],
  identity: { did: DID },
}

export const MANIFEST = {
  did: 'did:web:site.example',
  eep_version: '0.1',
  layers: {
    layer1: `${ORIGIN}/discover`,
    layer2_sse: `${ORIGIN}/eep/stream`,
    layer2_webhook: `${ORIGIN}/eep/subscribe`,
    layer3_ws: 'wss://site.example/eep/pulse',
  },
  supported_content_types: ['text/markdown', 'application/json'],
  event_types: [{ type: 'entity.updated' }],
  pqc_ready: false,
  x402_enabled: true,
}

/** An entity that answers as EEP requires, with changes of its headers. */
export const entity =
  (changes: Readonly<Record<string, string>> = {}, without: readonly string[] = []): TestAnswers[string] =>
  ({ headers }) => {
    const kept = Object.fromEntries(
      Object.entries({ ...HEADERS, ...changes }).filter(([name]) => !without.includes(name)),
    )
    if (headers['eep-version'] === '9.9') {
      return { status: 505, body: { error: 'eep_version_not_supported', supported_versions: ['0.1'] } }
    }
    if (headers['if-none-match'] === '"v1"') return { status: 304, headers: kept }
    if (headers.accept === 'text/markdown') return { type: 'text/markdown', body: '# Ada', headers: kept }
    return { body: { eep: EEP_MEMBER }, headers: kept }
  }

const REFUSAL = {
  error: 'access_restricted',
  title: 'Payment Required',
  status: 402,
  resource: 'content.paid',
  current_tier: 'public',
  required_tier: 'reader',
  unmet_requirements: [{ type: 'payment' }],
}

const COMPLETE: TestAnswers = {
  '/.well-known/eep.json': { body: MANIFEST },
  '/.well-known/agent-card.json': { body: { 'x-eep': { source_did: 'did:web:site.example' } } },
  '/.well-known/jwks.json': { body: { keys: [] } },
  '/.well-known/did.json': { body: { id: 'did:web:site.example' } },
  '/sitemap.xml': `<urlset><url><loc>${ORIGIN}/about</loc></url><url><loc>${ORIGIN}/u/ada</loc></url></urlset>`,
  '/llms.txt': '# Site\n\n- [Paid](/u/ada/paid): gated\n',
  '/about': 'About',
  '/u/ada': entity(),
  '/u/ada/paid': { status: 402 },
  '/gates': { body: { default_tier: 'public', tiers: { public: { requirements: [], access: ['profile.*'] } } } },
  '/eep/subscriptions': { status: 401 },
  '/eep/events?limit=1': { status: 401 },
  '/eep/pulse': { status: 426 },
  '/eep/content/u/ada/paid': { status: 402, type: 'application/problem+json', body: REFUSAL },
  '/eep/audit-log': { status: 401 },
  [`/eep/services/${encodeURIComponent(DID)}`]: { body: { entity_did: DID, services: [] } },
  [`/eep/trust-status?agent_did=${encodeURIComponent('did:web:unknown-agent.example')}`]: {
    body: { agent_did: 'did:web:unknown-agent.example', trust_state: 'cold_start' },
  },
}

/** A site that conforms to EEP at every level, with changes of its responses. */
export const eepSite = (changes: TestAnswers = {}, page = '/') => siteOf({ ...COMPLETE, ...changes }, page)
