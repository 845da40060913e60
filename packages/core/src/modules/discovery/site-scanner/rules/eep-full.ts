import { eepRegistry, problemOf, serviceList, trustStatus } from '../eep-documents.ts'
import { findEntity } from '../entity-page.ts'
import { probeLevel } from '../probes.ts'
import { readManifest } from '../read-manifest.ts'
import { fail, type SiteRule } from '../rule.ts'
import { describe, isMissing, jsonOf } from '../site.ts'

/** The DID of an agent that no site knows. */
const UNKNOWN_AGENT = 'did:web:unknown-agent.example'

/** The checks of EEP Full, beside those of Standard. */
export const eepFull: SiteRule = {
  id: 'eep-full',
  category: 'protocol',
  summary: 'The site conforms to EEP 0.1 at the level Full',
  weight: 3,
  fix: 'Offer the pulse (layer3_ws), a signed audit log, lists of services and the trust status of agents.',
  doc: 'https://eep.dev/',
  async check(site) {
    const { manifest, finding } = await readManifest(site)
    if (finding) return finding
    const entity = await findEntity(site)
    if (!entity) return fail('No entity was found. Scan the URL of an entity, or list entities in the sitemap.')
    const did = entity.headers.get('eep-entity-did') ?? ''
    const valid = async (path: string, schema: Parameters<typeof problemOf>[0]) => {
      const answer = await site.get(path)
      if (answer.is !== 'answer' || answer.status !== 200) return describe(answer)
      return problemOf(schema, jsonOf(answer))
    }
    return probeLevel('Full', [
      {
        name: 'pulse',
        ask: () => (manifest.layers.layer3_ws === undefined ? 'no layer3_ws in the manifest' : undefined),
      },
      {
        name: 'audit log',
        ask: async () => {
          const answer = await site.get('/eep/audit-log')
          const isProtected = answer.is === 'answer' && (answer.status === 401 || answer.status === 403)
          return isProtected ? undefined : describe(answer)
        },
      },
      { name: 'services', ask: () => valid(`/eep/services/${encodeURIComponent(did)}`, serviceList) },
      {
        name: 'trust status',
        ask: () => valid(`/eep/trust-status?agent_did=${encodeURIComponent(UNKNOWN_AGENT)}`, trustStatus),
      },
      {
        name: 'registry',
        ask: async () => {
          // Only registries have it.
          const answer = await site.get('/.well-known/eep-registry.json')
          if (isMissing(answer)) return undefined
          return answer.is === 'answer' ? problemOf(eepRegistry, jsonOf(answer)) : answer.reason
        },
      },
    ])
  },
}
