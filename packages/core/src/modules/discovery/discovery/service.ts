import type { Clock } from '../../../kernel/clock.ts'
import { errorDefinitions, notFound } from '../../../kernel/errors.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { CrawlerRules } from '../../../model/crawler-rules.ts'
import type { PaymentRail } from '../../../ports/payment-rail.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { SmartSectionReader } from '../../../ports/storage/smart-sections.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { SoldEndpoint } from '../../access/paywall/index.ts'
import { serviceDid, serviceDidDocument } from '../../profiles/profiles/index.ts'
import { profileCard, serviceCard } from './agent-card.ts'
import { agentGuide } from './agent-guide.ts'
import { agentsTxt } from './agents-txt.ts'
import { aiCatalog } from './ai-catalog.ts'
import { apiCatalog } from './api-catalog.ts'
import type { Offer } from './available-routes.ts'
import { bootstrapOf, capabilitiesOf, linksOf, type RateInfo } from './capabilities.ts'
import { type RobotsOptions, robotsTxt } from './crawlers.ts'
import { type RegistryOptions, registryOf } from './eep-registry.ts'
import { catalogueOf } from './error-catalogue.ts'
import { createLicences } from './licences.ts'
import type { PageRules } from './llms.ts'
import { manifestOf, type ServiceInfo } from './manifest.ts'
import { paymentGuideOf, x402VersionsOf } from './payment-guide.ts'
import { createSiteIndex } from './site-index.ts'
import { skillsOf } from './skills.ts'
import { soldSummary } from './sold-endpoints.ts'

export interface DiscoveryDeps {
  readonly settings: {
    readonly name: string
    readonly description: string
    readonly publicUrl: string
    readonly sessionCookie: string
    readonly rails: readonly PaymentRail[]
    readonly isSandbox: boolean
    readonly crawlers: CrawlerRules
    readonly eventTypes: ServiceInfo['eventTypes']
    readonly dpv: ServiceInfo['dpv']
    readonly registry: RegistryOptions | undefined
  }
  /** Its `siteIndex` throws where the storage has no such group. */
  readonly read: Pick<Readers<'siteIndex'>, 'siteIndex'>
  /** The sections of profiles; undefined in a service without them. */
  readonly sectionsOf?: SmartSectionReader['listOfProfiles'] | undefined
  /** Whether the storage has the group `siteIndex`. Sitemaps and lists for language models need it. */
  readonly hasSiteIndex: boolean
  readonly clock: Clock
  /** A cache that contains only lists. */
  readonly cache: ReadCache
  readonly content: PageRules
  /** Whether lists hold only profiles of owners with a verified email address: where the service can send the emails for it. */
  readonly verifiedOnly: boolean
  /** The routes of the host that are sold. */
  readonly sold: () => readonly SoldEndpoint[]
  /** The URL of the payment guide. */
  readonly docsUrl: string
  readonly keyring: Pick<Keyring, 'publicKeys'>
  readonly rates: RateInfo
}

/** Describes the service, its capabilities and its public content, from its configuration and registered routes. */
export function createDiscoveryService({
  settings,
  docsUrl,
  keyring,
  sold,
  rates,
  hasSiteIndex,
  ...deps
}: DiscoveryDeps) {
  const { name, description, publicUrl, sessionCookie, rails, isSandbox, crawlers, eventTypes, dpv, registry } =
    settings
  const did = serviceDid(publicUrl)
  const info: ServiceInfo = {
    name,
    description,
    publicUrl,
    did,
    sessionCookie,
    rails,
    isSandbox,
    eventTypes,
    dpv,
    sold: () => sold().map((each) => soldSummary(each, publicUrl)),
  }
  const capabilities = (offer: Offer) => capabilitiesOf(info, rates, docsUrl, offer)
  const errors = () => catalogueOf(errorDefinitions())

  return {
    publicUrl,
    bootstrap: (offer: Offer) => bootstrapOf(info, offer),
    /** The description of the registry that the service operates; undefined when it operates none. */
    registry: registry && registryOf(registry, did),
    manifest: (offer: Offer) => manifestOf(info, offer),
    capabilities,
    paymentGuide: (offer: Offer) => paymentGuideOf(rails, offer),
    publicKeys: () => ({ keys: keyring.publicKeys }),
    didDocument: () => serviceDidDocument(did, publicUrl, keyring.publicKeys),
    guide: (offer: Offer) => agentGuide({ service: info, offer, capabilities: capabilities(offer), errors: errors() }),
    agents: (offer: Offer) => agentsTxt(info, offer, rates, x402VersionsOf(rails)),
    robots: (offer: Offer, options: RobotsOptions) => robotsTxt(info, offer, crawlers, options),
    /** The terms of the service for crawlers, which another module has. */
    licences: createLicences(),
    agentCard: (offer: Offer) => serviceCard(info, offer),
    profileCard: (offer: Offer, profile: Profile, profileDid: string) => profileCard(info, offer, profile, profileDid),
    apiCatalog: (offer: Offer) => apiCatalog(info, offer),
    skills: (offer: Offer) => skillsOf(info, offer),
    aiCatalog: (offer: Offer) => aiCatalog(info, offer, skillsOf(info, offer), deps.clock()),
    /** The lists of all public content. */
    siteIndex: createSiteIndex({ ...deps, service: info }),
    hasSiteIndex,
    /** The documents that describe the interface. */
    reference: (offer: Offer) => linksOf(info, offer),
    errors,
    /** One entry of the catalog. Throws `not_found` for an unknown code. */
    error(code: string) {
      const entry = errors().find((one) => one.code === code)
      if (!entry) throw notFound({ message: 'Unknown error code' })
      return entry
    },
  }
}

export type DiscoveryService = ReturnType<typeof createDiscoveryService>
