import { isVisible } from '../../../model/visibility.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { NameHashes } from '../../../runtime/storage/name-hashes.ts'

/**
 * Reserves the names of a profile that is being deleted: the current one and those kept since it was renamed. No other
 * account gets them, so the DIDs of the profile never refer to another one.
 */
export const createReserveNames =
  (nameHashes: NameHashes) =>
  async (tx: Stores, profile: Profile, at: Date): Promise<void> => {
    const { id, type, username, ownerAccountId } = profile
    const former = (await tx.profileNames?.listFormer(id, at)) ?? []
    // Profiles of an account that is being deleted are withdrawn, and were readable before.
    const wasReadable = isVisible({ ...profile, withdrawnAt: null }, 'address')
    await tx.profiles.reserveNames(
      [username, ...former].map((name) => ({
        type,
        nameHash: nameHashes({ type, username: name })[0],
        ownerAccountId,
        wasReadable,
        at,
      })),
    )
  }
