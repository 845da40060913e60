import { coveringTiers, isOpen } from '../../../model/gate-rules.ts'
import type { GatedField } from '../../../model/gated-fields.ts'
import { fieldResource } from '../../../model/profile-fields.ts'
import { resourceName } from '../../../model/resource-name.ts'
import { tiersForUnproven } from '../../../model/unproven-reader.ts'
import type { PricedResourceReader } from '../../../ports/storage/priced-resources.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { SearchSource } from '../../../ports/storage/search.ts'
import {
  type EndpointListing,
  examplePath,
  type GatedResource,
  type Paywall,
  pricedGate,
  type Quote,
  type SoldEndpoint,
  type SoldTool,
} from '../../access/paywall/index.ts'
import { isOwnField, type ProfileService, type PublicProfile, withoutFields } from '../../profiles/profiles/index.ts'
import { contentPath, gatedContent } from '../../publishing/content/index.ts'
import { fieldOfProfile } from '../../publishing/profile-documents/index.ts'

/** A resource that a payment alone opens for a reader who has proven nothing, and what its 402 offers. */
export interface PricedResource {
  readonly kind: 'page' | 'file' | 'endpoint' | 'tool' | 'field'
  /** The name of the resource in gates. */
  readonly name: string
  /** Unique among the resources of its profile. */
  readonly id: string
  /** On the clean listener, or of the route of the host. */
  readonly path: string
  readonly title: string
  readonly profile: Profile
  readonly quote: Quote
  readonly updatedAt: Date
  /** Of an endpoint. */
  readonly listing?: EndpointListing | undefined
}

export interface CollectDeps {
  readonly read: { readonly pricedResources: PricedResourceReader }
  readonly paywall: Pick<Paywall, 'quote' | 'sold' | 'didOf'>
  readonly profiles: Pick<ProfileService, 'byDid' | 'getEvenIfUnlisted' | 'getDocument'>
  readonly isListed: (profile: Profile) => boolean | Promise<boolean>
  /** Whether lists hold only profiles of owners with a verified email address. */
  readonly verifiedOnly: boolean
  /** Whether the host may withhold resources from some readers. Then nothing is listed. */
  readonly hasRestrictions: boolean
  /** The origin of the routes of the host. */
  readonly origin: string
  readonly onError: (error: unknown) => void
}

/** Whether a field of a profile has no value: it is not for sale then. */
const isEmptyField = (profile: Profile, field: GatedField): boolean =>
  isOwnField(field.field) && JSON.stringify(withoutFields(profile, [field])) === JSON.stringify(profile)

/** The key of a page or file: `page_12`. */
export const sourceKey = ({ kind, id }: Pick<SearchSource, 'kind' | 'id'>): string => `${kind}_${id}`

/** The pages and files of a profile that are read in one step. */
const BATCH = 500
/** The newest pages and files of a profile that are looked at, priced or not. */
const MAX_SCANNED = 5_000
const NEWEST = { page: Number.MAX_SAFE_INTEGER, file: Number.MAX_SAFE_INTEGER }

/** The resource of a page or a file that lists show. */
function resourceOfSource({
  kind,
  id,
  profile,
  gates,
  slugs,
  title,
  excerpt,
}: SearchSource): GatedResource | undefined {
  if (kind === 'page' && slugs) {
    return { profile, role: undefined, ...gatedContent(profile, slugs, { title: title ?? '', excerpt }, []) }
  }
  if (kind !== 'file') return undefined
  // As in refusals: a file is named only where everyone may read the list of files.
  const list = fieldResource('files')
  const isNamed = gates === null || isOpen(gates, list, coveringTiers(gates, list))
  const description = isNamed && title !== null ? title : `File ${id}`
  const name = resourceName('files', [`f${id}`])
  return { profile, role: undefined, name, path: `/files/${id}`, description, preview: null }
}

/** Finds what is for sale, with the offers of its 402. */
export function createCollector(deps: CollectDeps) {
  const { read, paywall, profiles, isListed, verifiedOnly, hasRestrictions, origin, onError } = deps

  /** Leaves out a resource of which a rail fails to make the offers: documents are built without it. */
  const unlessFailed = (priced: Promise<PricedResource | undefined>): Promise<PricedResource | undefined> =>
    priced.catch((error: unknown) => {
      onError(error)
      return undefined
    })

  async function priceSource(source: SearchSource): Promise<PricedResource | undefined> {
    const { kind, gates, profile, profileHasContent, ownerIsVerified, updatedAt } = source
    if (!profileHasContent || (verifiedOnly && !ownerIsVerified) || gates === null) return undefined
    const resource = resourceOfSource(source)
    if (!resource || tiersForUnproven(gates, resource.name).length === 0) return undefined
    const quote = await paywall.quote(resource)
    if (!quote) return undefined
    const { name, path, description: title } = resource
    const id = sourceKey(source)
    return { kind: kind === 'file' ? 'file' : 'page', name, id, path, title, profile, quote, updatedAt }
  }

  /** Returns the profile that is paid, unless public lists leave it out. */
  async function listedSeller(seller: number | string): Promise<Profile | undefined> {
    const found = typeof seller === 'number' ? profiles.getEvenIfUnlisted(seller) : profiles.byDid(seller)
    const profile = await found.catch(() => undefined)
    return profile && (await isListed(profile)) ? profile : undefined
  }

  async function priceTool({
    seller,
    resource: name,
    price,
    listing,
    charge,
    ...shown
  }: SoldTool): Promise<PricedResource | undefined> {
    const profile = await listedSeller(seller)
    if (!profile) return undefined
    const { url, description: title } = shown
    const gate = pricedGate(profile.id, name, price)
    const resource = { ...shown, profile, name, path: url, preview: null, role: undefined, gate, endpoint: listing }
    const quote = await paywall.quote(resource, charge)
    const id = name.replaceAll('.', '_')
    return quote && { kind: 'tool', name, id, path: url, title, profile, quote, updatedAt: profile.updatedAt }
  }

  async function priceEndpoint(sold: SoldEndpoint): Promise<PricedResource | undefined> {
    const { seller, listing, resource: name, description, mimeType, price, charge } = sold
    // A profile that a function returns depends on the request, so it cannot be listed.
    if (!listing || seller === undefined) return undefined
    const profile = await listedSeller(seller)
    if (!profile) return undefined
    const path = examplePath(listing)
    const gate = price && pricedGate(profile.id, name, price)
    const resource = {
      profile,
      name,
      path,
      url: origin + path,
      description,
      mimeType,
      preview: null,
      role: undefined,
      gate,
      endpoint: listing,
    }
    const quote = await paywall.quote(resource, charge)
    const id = name.replaceAll('.', '_')
    return (
      quote && {
        kind: 'endpoint',
        name,
        id,
        path: listing.path,
        title: listing.title,
        profile,
        quote,
        updatedAt: profile.updatedAt,
        listing,
      }
    )
  }

  async function priceField(document: PublicProfile, field: GatedField): Promise<PricedResource | undefined> {
    const { profile, gates } = document
    if (!gates || tiersForUnproven(gates, field.resource).length === 0) return undefined
    const resource = fieldOfProfile(document, field)
    const quote = await paywall.quote(resource)
    if (!quote) return undefined
    const { name, path, description: title } = resource
    const { updatedAt } = profile
    return { kind: 'field', name, id: name.replaceAll('.', '_'), path, title, profile, quote, updatedAt }
  }

  return {
    /** The priced fields of a profile that are not empty. */
    async fieldsOf({ type, username }: Pick<Profile, 'type' | 'username'>): Promise<readonly PricedResource[]> {
      if (hasRestrictions) return []
      const document = await profiles.getDocument(type, username)
      const sold = document.gated.filter((field) => !isEmptyField(document.profile, field))
      const priced = await Promise.all(sold.map((field) => unlessFailed(priceField(document, field))))
      return priced.filter((each) => each !== undefined)
    },

    /**
     * Returns a page or file with its offers; undefined when it is not for sale to everyone.
     *
     * @throws what rails throw that cannot make their offers
     */
    ofSource: async (source: SearchSource): Promise<PricedResource | undefined> =>
      hasRestrictions ? undefined : priceSource(source),

    /** The same for a route of the host. */
    ofEndpoint: async (sold: SoldEndpoint): Promise<PricedResource | undefined> =>
      hasRestrictions ? undefined : priceEndpoint(sold),

    /** The same for a tool for assistants. */
    ofTool: async (sold: SoldTool): Promise<PricedResource | undefined> =>
      hasRestrictions ? undefined : priceTool(sold),

    /** The listed endpoints of the host, in the order of their registration. */
    async endpoints(): Promise<readonly PricedResource[]> {
      if (hasRestrictions) return []
      const priced = await Promise.all(paywall.sold.list().map((sold) => unlessFailed(priceEndpoint(sold))))
      return priced.filter((each) => each !== undefined)
    },

    /**
     * The priced pages and files of a profile, newest first.
     *
     * @returns at most `limit` of them, and whether there may be more
     */
    async ofProfile(
      profileId: number,
      limit: number,
    ): Promise<{ readonly resources: readonly PricedResource[]; readonly hasMore: boolean }> {
      const resources: PricedResource[] = []
      if (hasRestrictions) return { resources, hasMore: false }
      let before = NEWEST
      for (let scanned = 0; scanned < MAX_SCANNED; scanned += BATCH) {
        const ids = await read.pricedResources.listNewest([profileId], { limit: BATCH, before })
        const sources = await read.pricedResources.listSources(ids)
        const sorted = sources.toSorted((left, right) => left.kind.localeCompare(right.kind) || right.id - left.id)
        // Pages come before files, each newest first.
        for (const source of [
          ...sorted.filter(({ kind }) => kind === 'page'),
          ...sorted.filter(({ kind }) => kind === 'file'),
        ]) {
          const priced = await unlessFailed(priceSource(source))
          if (!priced) continue
          if (resources.length === limit) return { resources, hasMore: true }
          resources.push(priced)
        }
        if (ids.page.length < BATCH && ids.file.length < BATCH) return { resources, hasMore: false }
        before = { page: ids.page.at(-1) ?? 0, file: ids.file.at(-1) ?? 0 }
      }
      return { resources, hasMore: true }
    },
  }
}

export type Collector = ReturnType<typeof createCollector>

/** The depth of a page below `/content`. */
export const depthOf = ({ profile, path }: PricedResource): number =>
  path.slice(contentPath(profile, []).length).split('/').length - 1
