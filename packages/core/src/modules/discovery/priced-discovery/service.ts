import type { Clock } from '../../../kernel/clock.ts'
import type { ContentSignal } from '../../../model/crawler-rules.ts'
import type { PricedResourceReader } from '../../../ports/storage/priced-resources.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import { contentPath } from '../../publishing/content/index.ts'
import { CATALOGUE } from './catalogue.routes.ts'
import type { Collector, PricedResource } from './collect-resources.ts'
import { createKeptDocuments } from './kept-documents.ts'
import { profileLicense, siteLicense } from './license-document.ts'
import { type DocumentInfo, MAX_PROFILE_OPERATIONS, profileDocument, siteDocument } from './openapi-document.ts'
import type { Operation } from './operations.ts'
import { exactOffers } from './payment-info.ts'

/** Sellers are ordered by their buyers of this time. */
const BUYERS_SINCE_MS = 90 * 86_400_000
/** The order of sellers is read from all receipts of that time, so it is kept longer than documents. */
const ORDER_KEPT_MS = 600_000
/** How many sellers are read: more than the document lists, because some have no offer. */
const MAX_SELLERS = 60
/** The most resources of one seller: as many as the document can list. */
const MAX_OF_SELLER = 24
const MAX_PROFILE_DOCUMENTS = 200

export interface PricedDiscoveryDeps {
  readonly read: { readonly pricedResources: PricedResourceReader }
  readonly clock: Clock
  readonly collector: Collector
  readonly info: (registered: readonly Operation[]) => DocumentInfo
  readonly publicUrl: string
  readonly verifiedOnly: boolean
  readonly isListed: (profile: Profile) => boolean | Promise<boolean>
  /** Whether the service has a catalogue, which documents name for what they leave out. */
  readonly hasCatalogue: boolean
  /** How crawlers may use the content of the service. */
  readonly signal: ContentSignal
}

/** Builds the OpenAPI documents of what is for sale. Each is at most a minute old. */
export function createPricedDiscovery(deps: PricedDiscoveryDeps) {
  const { read, clock, collector, info, publicUrl, verifiedOnly, isListed, hasCatalogue, signal } = deps
  const orders = createKeptDocuments<readonly number[]>(clock, 1, ORDER_KEPT_MS)
  // The resources are the same for all listeners, the documents name the listener.
  const sites = createKeptDocuments<Omit<Parameters<typeof siteDocument>[1], 'free'>>(clock, 1)
  const siteDocuments = createKeptDocuments<Buffer>(clock, 20)
  const profileDocuments = createKeptDocuments<Buffer>(clock, MAX_PROFILE_DOCUMENTS)
  const x402Sellers = createKeptDocuments<boolean>(clock, MAX_PROFILE_DOCUMENTS)
  const profileLicenses = createKeptDocuments<Buffer | undefined>(clock, MAX_PROFILE_DOCUMENTS)

  const readOrder = () =>
    orders.get('', () => {
      const since = new Date(clock().getTime() - BUYERS_SINCE_MS)
      return read.pricedResources.listSellers({ limit: MAX_SELLERS, since, verifiedOnly })
    })

  async function collectSite() {
    const endpoints = await collector.endpoints()
    const sellers: (readonly PricedResource[])[] = []
    for (const profileId of await readOrder()) {
      if (sellers.length === MAX_OF_SELLER) break
      const { resources } = await collector.ofProfile(profileId, MAX_OF_SELLER)
      if (resources.length > 0) sellers.push(resources)
    }
    return { endpoints, sellers, more: publicUrl + (hasCatalogue ? CATALOGUE : '/llms.txt') }
  }

  const urlOf = (profile: Profile) => publicUrl + profilePath(profile)

  return {
    /** Returns the terms of the service as RSL; undefined while no page or file is listed with a price. */
    async license(): Promise<Buffer | undefined> {
      const { sellers } = await sites.get('', collectSite)
      const urls = sellers.flatMap(([first]) => (first ? [urlOf(first.profile)] : []))
      return urls.length === 0 ? undefined : siteLicense(publicUrl, signal, urls)
    },

    /** Returns the terms of a profile as RSL; undefined while it sells no page and no file. */
    licenseOfProfile: (profile: Profile): Promise<Buffer | undefined> =>
      profileLicenses.get(`${profile.id} ${profile.updatedAt.getTime()}`, async () => {
        if (!(await isListed(profile))) return undefined
        const { resources } = await collector.ofProfile(profile.id, MAX_PROFILE_OPERATIONS)
        return resources.length === 0 ? undefined : profileLicense(publicUrl, signal, resources)
      }),

    /** Whether a page or file of a profile is sold by x402 now. */
    sellsByX402: (profile: Profile): Promise<boolean> =>
      x402Sellers.get(`${profile.id} ${profile.updatedAt.getTime()}`, async () => {
        if (!(await isListed(profile))) return false
        const { resources } = await collector.ofProfile(profile.id, MAX_OF_SELLER)
        return resources.some(({ quote }) => exactOffers(quote).length > 0)
      }),

    /**
     * Returns the document of the service, for a listener.
     *
     * @param serverUrl - the URL of the listener, without a trailing slash
     * @param free - the free operations of the listener
     */
    site: (serverUrl: string, free: () => readonly Operation[]): Promise<Buffer> =>
      siteDocuments.get(serverUrl, async () => {
        const operations = free()
        const parts = await sites.get('', collectSite)
        return siteDocument(info(operations), { ...parts, free: operations })(serverUrl)
      }),

    /**
     * Returns the document of a profile.
     *
     * @param serverUrl - the URL of the listener, without a trailing slash
     */
    ofProfile(profile: Profile, serverUrl: string): Promise<Buffer> {
      const path = profilePath(profile)
      // A profile that is renamed, hidden or changed is another document.
      const key = [profile.id, profile.updatedAt.getTime(), serverUrl].join(' ')
      return profileDocuments.get(key, async () => {
        const listed = await isListed(profile)
        const [{ resources, hasMore }, fields] = listed
          ? await Promise.all([collector.ofProfile(profile.id, MAX_PROFILE_OPERATIONS), collector.fieldsOf(profile)])
          : [{ resources: [], hasMore: false }, []]
        const more = hasCatalogue
          ? `${publicUrl}${CATALOGUE}?profile=${path.slice(1)}`
          : `${serverUrl}${contentPath(profile, [])}`
        const about = { ...info([]), title: profile.fullName ?? profile.username }
        return profileDocument(about, serverUrl + path, { path, fields, resources, hasMore, more })
      })
    },
  }
}

export type PricedDiscoveryService = ReturnType<typeof createPricedDiscovery>
