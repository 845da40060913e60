import type { Negotiation } from '../../../ports/storage/commerce.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

/** Returns what deals are about, in their order: the name of a listed service, else the text of the offer. */
export type ServiceNames = (
  deals: readonly Pick<Negotiation, 'sellerProfileId' | 'service'>[],
) => Promise<readonly string[]>

/** Reads the names of services from the listings of their sellers. */
export const createServiceNames =
  ({ listings }: Pick<Readers<'negotiations' | 'listings'>, 'listings'>): ServiceNames =>
  (deals) =>
    Promise.all(
      deals.map(async ({ sellerProfileId, service }) => {
        const listing = service.startsWith('svc_') ? await listings.get(sellerProfileId, service) : undefined
        return listing?.details.name ?? service
      }),
    )
