import type { Stores } from '../../ports/storage.ts'
import type { NameHashes } from './name-hashes.ts'
import type { Profile } from './store.ts'
import { isVisible } from './visibility.ts'

/**
 * Reserves the names of a profile that is being deleted: the one it has, and those that are kept for it since it was renamed. No other
 * account gets them, so the DIDs of the profile never lead to somebody else.
 */
export const createReserveNames =
  (nameHashes: NameHashes) =>
  async (tx: Stores, profile: Profile, at: Date): Promise<void> => {
    const { id, type, username, ownerAccountId } = profile
    const former = await tx.profiles.listFormerNames(id, at)
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
