import { eepPaymentRequired, gateConfig, problemOf } from '../eep-documents.ts'
import { findEntity } from '../entity-page.ts'
import { linkValues } from '../link-header-values.ts'
import { findPaidPage } from '../paid-page.ts'
import { probeLevel } from '../probes.ts'
import { readManifest } from '../read-manifest.ts'
import { fail, type SiteRule } from '../rule.ts'
import { describe, jsonOf, mediaTypeOf, type SiteResponse } from '../site.ts'

/** Whether a route exists and asks for credentials. */
const isProtected = (response: SiteResponse): boolean =>
  response.is === 'answer' && (response.status === 401 || response.status === 403)

/** The checks of EEP Standard, beside those of Core. */
export const eepStandard: SiteRule = {
  id: 'eep-standard',
  category: 'protocol',
  summary: 'The site conforms to EEP 0.1 at the level Standard',
  weight: 4,
  fix: 'Offer subscriptions, streams and gates: layer2_sse and layer2_webhook in the manifest, and gated content in the closed forms of EEP.',
  doc: 'https://eep.dev/',
  async check(site) {
    const { manifest, finding } = await readManifest(site)
    if (finding) return finding
    const { layers, event_types: types, event_catalog_url: catalog } = manifest
    const entity = await findEntity(site)
    if (!entity) return fail('No entity was found. Scan the URL of an entity, or list entities in the sitemap.')
    const paid = await findPaidPage(site)
    return probeLevel('Standard', [
      { name: 'stream', ask: () => (layers.layer2_sse === undefined ? 'no layer2_sse in the manifest' : undefined) },
      {
        name: 'subscriptions',
        ask: async () => {
          if (layers.layer2_webhook === undefined) return 'no layer2_webhook in the manifest'
          const answer = await site.get('/eep/subscriptions')
          return isProtected(answer) ? undefined : describe(answer)
        },
      },
      {
        name: 'history',
        ask: async () => {
          const answer = await site.get('/eep/events?limit=1')
          const isRoute = answer.is === 'answer' && [200, 400, 401, 403].includes(answer.status)
          return isRoute ? undefined : describe(answer)
        },
      },
      {
        name: 'event types',
        ask: () => ((types?.length ?? 0) > 0 || catalog !== undefined ? undefined : 'no event_types in the manifest'),
      },
      {
        name: 'pulse',
        ask: async () => {
          if (layers.layer3_ws === undefined) return undefined
          const answer = await site.get(layers.layer3_ws.replace(/^ws/, 'http'))
          return answer.is === 'answer' && answer.status === 426 ? undefined : describe(answer)
        },
      },
      {
        name: 'gates',
        ask: async () => {
          const link = linkValues(entity.headers.get('link')).find(({ rels }) => rels.includes('gates'))
          // An entity without gates is open.
          if (!link) return undefined
          if (!URL.canParse(link.href, entity.url)) return `${link.href} is not a URL`
          const answer = await site.get(new URL(link.href, entity.url).href)
          if (answer.is !== 'answer' || answer.status !== 200) return describe(answer)
          return problemOf(gateConfig, jsonOf(answer))
        },
      },
      {
        name: 'gated content',
        ask: async () => {
          if (!paid) return undefined
          const answer = await site.get(`/eep/content${new URL(paid.url).pathname}`)
          if (answer.is !== 'answer' || answer.status !== 402) return describe(answer)
          if (mediaTypeOf(answer) !== 'application/problem+json') return describe(answer)
          return problemOf(eepPaymentRequired, jsonOf(answer))
        },
      },
    ])
  },
}
