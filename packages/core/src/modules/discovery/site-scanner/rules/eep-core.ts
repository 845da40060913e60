import { eepManifest, entityMember, problemOf, unsupportedVersion } from '../eep-documents.ts'
import { findEntity, getEntity } from '../entity-page.ts'
import { relationsOf } from '../link-header-values.ts'
import { type Probe, probeLevel } from '../probes.ts'
import { fail, type SiteRule, skip } from '../rule.ts'
import { describe, isRecord, jsonOf, mediaTypeOf, type Site, type SiteAnswer } from '../site.ts'

const RELATIONS = ['subscribe', 'monitor', 'agent-card', 'eep'] as const
const HEADERS = ['eep-version', 'eep-entity-did', 'etag', 'cache-control'] as const

const missingOf = (answer: SiteAnswer) => HEADERS.filter((name) => !answer.headers.has(name))

/** The probes of an entity. */
function entityProbes(site: Site, entity: SiteAnswer): readonly Probe[] {
  return [
    {
      name: 'headers of an entity',
      ask: () => {
        const rels = relationsOf(entity.headers.get('link'))
        const missing = [
          ...missingOf(entity),
          ...RELATIONS.filter((rel) => !rels.has(rel)).map((rel) => `rel="${rel}"`),
        ]
        return missing.length > 0 ? `missing ${missing.join(', ')}` : undefined
      },
    },
    { name: 'member eep', ask: () => problemOf(entityMember, jsonOf(entity)?.eep) },
    {
      name: 'Markdown of an entity',
      ask: async () => {
        const answer = await site.get(entity.url, { accept: 'text/markdown' })
        if (answer.is !== 'answer' || answer.status !== 200 || mediaTypeOf(answer) !== 'text/markdown')
          return describe(answer)
        const missing = missingOf(answer)
        return missing.length > 0 ? `missing ${missing.join(', ')}` : undefined
      },
    },
    {
      name: 'conditional request',
      ask: async () => {
        const tag = entity.headers.get('etag') ?? '"none"'
        const answer = await site.get(entity.url, { accept: 'application/json', 'if-none-match': tag })
        return answer.is === 'answer' && answer.status === 304 ? undefined : describe(answer)
      },
    },
    {
      name: 'unsupported version',
      ask: async () => {
        const answer = await site.get(entity.url, { accept: 'application/problem+json', 'eep-version': '9.9' })
        if (answer.is !== 'answer' || answer.status !== 505) return describe(answer)
        return problemOf(unsupportedVersion, jsonOf(answer))
      },
    },
    {
      name: 'rate limits',
      ask: () => {
        const limits = entity.headers.get('ratelimit') ?? entity.headers.get('ratelimit-limit')
        return limits === undefined ? 'no RateLimit header' : undefined
      },
    },
  ]
}

const isServed = async (site: Site, path: string) => {
  const answer = await site.get(path)
  return answer.is === 'answer' && answer.status === 200 && jsonOf(answer) ? undefined : describe(answer)
}

/** The checks of EEP Core. */
export const eepCore: SiteRule = {
  id: 'eep-core',
  category: 'protocol',
  summary: 'The site conforms to EEP 0.1 at the level Core',
  weight: 6,
  fix: 'Publish /.well-known/eep.json, and serve each entity with the headers, representations and versions that EEP Core requires.',
  doc: 'https://eep.dev/',
  async check(site) {
    const manifest = await site.get('/.well-known/eep.json')
    if (manifest.is !== 'answer') return skip(manifest.reason)
    if (manifest.status !== 200) {
      return fail('The site has no manifest of EEP.', describe(manifest))
    }
    const entity = await findEntity(site)
    if (!entity) return fail('No entity was found. Scan the URL of an entity, or list entities in the sitemap.')
    return probeLevel('Core', [
      { name: 'manifest', ask: () => problemOf(eepManifest, jsonOf(manifest)) },
      ...entityProbes(site, entity),
      {
        name: 'agent card',
        ask: async () => {
          const answer = await site.get('/.well-known/agent-card.json')
          const eep = answer.is === 'answer' ? jsonOf(answer)?.['x-eep'] : undefined
          return isRecord(eep) && typeof eep.source_did === 'string' ? undefined : 'no x-eep.source_did'
        },
      },
      { name: 'keys', ask: () => isServed(site, '/.well-known/jwks.json') },
      { name: 'DID document', ask: () => isServed(site, '/.well-known/did.json') },
      {
        name: 'entity as JSON',
        ask: async () => {
          const answer = await getEntity(site, entity.url)
          return answer.is === 'answer' && mediaTypeOf(answer) === 'application/json' ? undefined : describe(answer)
        },
      },
    ])
  },
}
