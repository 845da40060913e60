import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Caller } from '../../model/caller.ts'
import type { ServiceDetails } from '../../model/service-details.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Service } from '../../ports/storage/services.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import type { ProfileService } from '../profiles/index.ts'
import { serviceNotFound, tooManyServices } from './errors.ts'
import { serviceDelisted, serviceListed, serviceUpdated } from './events.ts'

export interface CatalogueDeps extends GuardedStorage<'negotiations' | 'services'> {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: Pick<ProfileService, 'byDid' | 'didOf' | 'lockFor' | 'require'>
}

/** What a profile sells, as everybody who may know of the profile reads it. */
export interface Catalogue {
  readonly entityDid: string
  readonly services: readonly Service[]
}

const MAX_SERVICES = 100

export function createCatalogueService({ read, write, clock, cache, profiles }: CatalogueDeps) {
  return {
    /** The catalogue of a profile: the same object until something about the profile changes. */
    async get(did: string, caller?: Caller | undefined): Promise<{ profile: Profile; catalogue: Catalogue }> {
      const profile = await profiles.byDid(did, caller)
      const { id: profileId } = profile
      const entityDid = profiles.didOf(profile)
      const catalogue = await cache.getOrLastSeen(`services:${profileId}:${entityDid}`, async () => ({
        value: { entityDid, services: await read.services.listOfProfile(profileId) },
        profileId,
      }))
      return { profile, catalogue }
    },

    /**
     * Lists a service.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `too_many_services`
     */
    async add(did: string, details: ServiceDetails, caller: Caller): Promise<Service> {
      const { id: profileId } = await profiles.byDid(did, caller)
      return write(async (tx, emit) => {
        await profiles.lockFor(tx, profileId, caller, 'gates.edit')
        if ((await tx.services.countOfProfile(profileId)) >= MAX_SERVICES) throw tooManyServices()
        const at = clock()
        const id = `svc_${randomUUID().replaceAll('-', '')}`
        const service = await tx.services.insert({ id, profileId, details, createdAt: at, updatedAt: at })
        emit(serviceListed, { serviceId: id }, { profileId, accountId: caller.account.id })
        return service
      })
    },

    /**
     * Replaces what is said of a service.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `service_not_found`
     */
    async replace(did: string, id: string, details: ServiceDetails, caller: Caller): Promise<Service> {
      const { id: profileId } = await profiles.byDid(did, caller)
      return write(async (tx, emit) => {
        await profiles.lockFor(tx, profileId, caller, 'gates.edit')
        const service = await tx.services.save(profileId, id, { details, updatedAt: clock() })
        if (!service) throw serviceNotFound()
        emit(serviceUpdated, { serviceId: id }, { profileId, accountId: caller.account.id })
        return service
      })
    },

    /**
     * Takes a service and its reviews out of the catalogue. Deals about it stay.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `service_not_found`
     */
    async remove(did: string, id: string, caller: Caller): Promise<void> {
      const { id: profileId } = await profiles.byDid(did, caller)
      await write(async (tx, emit) => {
        await profiles.lockFor(tx, profileId, caller, 'gates.edit')
        if (!(await tx.services.delete(profileId, id))) throw serviceNotFound()
        emit(serviceDelisted, { serviceId: id }, { profileId, accountId: caller.account.id })
      })
    },
  }
}

/** What profiles sell. */
export type CatalogueService = ReturnType<typeof createCatalogueService>
