import { fileQuotaReached } from '../../../kernel/errors.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import { profileNotFound } from './errors.ts'

const MEGABYTE = 1_048_576

export interface StorageQuotaDeps {
  readonly read: Readers
  readonly planLimits: PlanTable
}

/** Checks what profiles store against `max_storage_mb` of the plan of their owner. */
export function createStorageQuota({ read, planLimits }: StorageQuotaDeps) {
  return {
    /**
     * Prepares a write that may add to what a profile stores. Call the returned function first in the transaction, before
     * the profile is locked: it locks the account of the owner. Call what that returns after the write.
     *
     * @throws `file_quota_reached` from the second function when the write added to more than the plan allows
     */
    async of({ ownerAccountId }: Pick<Profile, 'ownerAccountId'>) {
      const owner = await read.accounts.get(ownerAccountId)
      if (!owner) throw profileNotFound()
      const { maxStorageMb } = planLimits(owner.tier).limits
      return async (tx: Stores): Promise<() => Promise<void>> => {
        await tx.accounts.lock(ownerAccountId)
        const { storageBytes: before } = await tx.profiles.countOfAccount(ownerAccountId)
        return async () => {
          const { storageBytes: after } = await tx.profiles.countOfAccount(ownerAccountId)
          // A write that does not add bytes is allowed for an account over its quota, for example after a change of plan.
          if (after > maxStorageMb * MEGABYTE && after > before) {
            throw fileQuotaReached({ details: { max_storage_mb: maxStorageMb } })
          }
        }
      }
    },
  }
}

export type StorageQuota = ReturnType<typeof createStorageQuota>
