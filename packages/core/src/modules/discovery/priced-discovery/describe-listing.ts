import type { GateConfig } from '../../../model/gate-config.ts'
import { tiersForUnproven } from '../../../model/unproven-reader.ts'
import type { PurchaseListing } from '../../../ports/purchase.ts'
import type { Gate } from '../../../ports/storage/gates.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GatedResource } from '../../access/paywall/index.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import { endpointBazaar, resourceBazaar, toolBazaar } from './bazaar.ts'
import { type ServiceInfo, sellerInfo } from './resource-info.ts'

export interface ListingDeps {
  readonly publicUrl: string
  readonly service: ServiceInfo
  /** Whether public lists hold a profile. Cached until the profile or its owner changes. */
  readonly isListed: (profile: Profile) => boolean | Promise<boolean>
  /** The gate that a profile configured. */
  readonly gateOf: (profileId: number) => Gate | undefined | Promise<Gate | undefined>
  /** Whether the host may withhold resources from some readers. Then documents that all readers share list nothing. */
  readonly hasRestrictions: boolean
}

/** The first words of the names of resources that the service itself serves. */
const OF_SERVICE = /^(?:content|files|profile)(?:\.|$)/

const textOf = (preview: unknown): string | null => (typeof preview === 'string' ? preview : null)

/** Returns a function that describes resources for catalogues: the seller, and for listed resources how they are requested. */
export function createListingDescriber({ publicUrl, service, isListed, gateOf, hasRestrictions }: ListingDeps) {
  const bazaarOf = ({ name, path, url = publicUrl + path, description: title, preview, endpoint }: GatedResource) => {
    if (endpoint) return 'toolName' in endpoint ? toolBazaar(endpoint) : endpointBazaar(endpoint)
    // A file of an unlisted profile has a key in its path, but such a profile is not listed.
    return OF_SERVICE.test(name) ? resourceBazaar({ name, url, title, excerpt: textOf(preview) }) : undefined
  }

  const isListable = async ({ profile, name }: GatedResource, config: GateConfig): Promise<boolean> =>
    !hasRestrictions && tiersForUnproven(config, name).length > 0 && (await isListed(profile))

  return async (resource: GatedResource, gate: Gate): Promise<PurchaseListing> => {
    const { profile } = resource
    const own = resource.gate ? await gateOf(profile.id) : gate
    const info = sellerInfo(profile, own?.config, service)
    const bazaar = (await isListable(resource, gate.config)) ? bazaarOf(resource) : undefined
    return bazaar ? { ...info, bazaar } : info
  }
}

/**
 * Returns a function that finds the terms of a resource as RSL: the document of its seller, for pages and files that a reader who proves
 * nothing can buy. Undefined for others.
 */
export function createLicenseFinder({ publicUrl, isListed, gateOf, hasRestrictions }: Omit<ListingDeps, 'service'>) {
  return async ({ profile, name }: Pick<GatedResource, 'profile' | 'name'>): Promise<string | undefined> => {
    if (hasRestrictions || !LICENSED.test(name)) return undefined
    const gate = await gateOf(profile.id)
    if (!gate || tiersForUnproven(gate.config, name).length === 0 || !(await isListed(profile))) return undefined
    return `${publicUrl}${profilePath(profile)}/license.xml`
  }
}

/** The first words of the names of pages and files. */
const LICENSED = /^(?:content|files)\./
