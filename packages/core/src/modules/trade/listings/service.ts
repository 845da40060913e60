import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ListingDetails } from '../../../model/listing-details.ts'
import type { Listing } from '../../../ports/storage/listings.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { serviceChanged, serviceNotFound, tooManyServices } from './errors.ts'
import { listingCreated, listingDeleted, listingUpdated } from './events.ts'
import { newListingId } from './listing-id.ts'

export interface ListingDeps extends GuardedStorage<'negotiations' | 'listings'> {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: Pick<ProfileService, 'byDid' | 'didOf' | 'lockWithPermission' | 'requirePermission'>
}

/** The listings of a profile, for readers who may see the profile. */
export interface Catalogue {
  readonly entityDid: string
  readonly listings: readonly Listing[]
}

/** The maximum number of listings of a profile. */
export const MAX_LISTINGS = 100

/** What a change of a listing expects. */
export interface ListingPrecondition {
  /** When the listing was changed last. Default: any time. */
  readonly ifUnchanged?: Date | undefined
}

/** @throws `service_changed`; the profile is locked */
async function requireUnchanged(
  tx: Stores<'negotiations' | 'listings'>,
  { profileId, id, ifUnchanged }: { readonly profileId: number; readonly id: string } & ListingPrecondition,
): Promise<void> {
  const stored = ifUnchanged && (await tx.listings.get(profileId, id))
  if (stored && stored.updatedAt.getTime() !== ifUnchanged.getTime()) throw serviceChanged()
}

export function createListingService({ read, write, clock, cache, profiles }: ListingDeps) {
  return {
    /** The catalog of a profile, cached until the profile changes. */
    async get(did: string, caller?: Caller | undefined): Promise<{ profile: Profile; catalogue: Catalogue }> {
      const profile = await profiles.byDid(did, caller)
      const { id: profileId } = profile
      const entityDid = profiles.didOf(profile)
      const catalogue = await cache.getOrLastSeen(`listings:${profileId}:${entityDid}`, async () => ({
        value: { entityDid, listings: await read.listings.listOfProfile(profileId) },
        profileId,
      }))
      return { profile, catalogue }
    },

    /**
     * Creates a listing.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `too_many_services`
     */
    async add(did: string, details: ListingDetails, caller: Caller): Promise<Listing> {
      const { id: profileId } = await profiles.byDid(did, caller)
      return write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profileId, caller, 'gates.edit')
        if ((await tx.listings.countOfProfile(profileId)) >= MAX_LISTINGS) throw tooManyServices()
        const at = clock()
        const id = newListingId()
        const listing = await tx.listings.insert({ id, profileId, details, createdAt: at, updatedAt: at })
        emit(listingCreated, { serviceId: id }, { profileId, accountId: caller.account.id })
        return listing
      })
    },

    /**
     * Replaces the details of a listing.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `service_not_found`
     */
    async replace(
      did: string,
      id: string,
      { details, ifUnchanged }: { readonly details: ListingDetails } & ListingPrecondition,
      caller: Caller,
    ): Promise<Listing> {
      const { id: profileId } = await profiles.byDid(did, caller)
      return write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profileId, caller, 'gates.edit')
        await requireUnchanged(tx, { profileId, id, ifUnchanged })
        const listing = await tx.listings.save(profileId, id, { details, updatedAt: clock() })
        if (!listing) throw serviceNotFound()
        emit(listingUpdated, { serviceId: id }, { profileId, accountId: caller.account.id })
        return listing
      })
    },

    /**
     * Deletes a listing and its reviews. Deals about it are kept.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `service_not_found`
     */
    async remove(did: string, id: string, caller: Caller, { ifUnchanged }: ListingPrecondition = {}): Promise<void> {
      const { id: profileId } = await profiles.byDid(did, caller)
      await write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profileId, caller, 'gates.edit')
        await requireUnchanged(tx, { profileId, id, ifUnchanged })
        if (!(await tx.listings.delete(profileId, id))) throw serviceNotFound()
        emit(listingDeleted, { serviceId: id }, { profileId, accountId: caller.account.id })
      })
    },
  }
}

/** Listings of profiles. */
export type ListingService = ReturnType<typeof createListingService>
