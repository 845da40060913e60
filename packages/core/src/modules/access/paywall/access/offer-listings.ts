import type { PurchaseListing } from '../../../../ports/purchase.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { GatedResource } from './resource.ts'

/** Returns the URL of the terms of a resource for crawlers. */
export type FindLicense = (resource: Pick<GatedResource, 'profile' | 'name'>) => Promise<string | undefined>

/** Returns the entry of a resource in catalogues. */
export type DescribeListing = (resource: GatedResource, gate: Gate) => Promise<PurchaseListing | undefined>

/**
 * The entries of resources in catalogues, which a module of a wing that may import this one adds. Without one, offers have no such entry.
 */
export function createOfferListings() {
  let describe: DescribeListing | undefined
  let findLicense: FindLicense | undefined
  return {
    /** Sets the function that describes resources. Called while modules are created, once. */
    describeBy(given: DescribeListing): void {
      describe = given
    },
    /** Sets the function that finds the terms of resources. Called while modules are created, once. */
    licenseBy(given: FindLicense): void {
      findLicense = given
    },
    /** Returns the URL of the terms of a resource for crawlers; undefined for one without. An error never keeps content from its buyer. */
    licenseOf: async (resource: Pick<GatedResource, 'profile' | 'name'>): Promise<string | undefined> =>
      findLicense?.(resource).catch(() => undefined),
    /** Returns the entry of a resource. Called once a second at most for what a gate sells; see the cache of offers. */
    of: async (resource: GatedResource, gate: Gate): Promise<PurchaseListing | undefined> => describe?.(resource, gate),
  }
}

export type OfferListings = ReturnType<typeof createOfferListings>
